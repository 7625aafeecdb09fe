import type { RuleMeta } from '../framework/rule';

/** `analysis/diagnostics/checkedEnvironments` finds it. */
export const UNCHECKED_ENVIRONMENTS: RuleMeta = {
  code: 'berth/unchecked-environments',
  category: 'syntax',
  severity: 'info',
  cost: 'typing',
  summary: 'A file belongs to many environments and is checked in the first of them only.',
  why: 'Each environment is one more check of the whole file. Thousands of documents in hundreds of environments would take minutes after each change. What is wrong in the other environments alone is not reported.',
  remedy:
    'Split a long file, or give the environments in `berth.yaml` fewer `paths`: a file is checked in ten environments at least, and in more the fewer documents it and the workspace have.',
};
