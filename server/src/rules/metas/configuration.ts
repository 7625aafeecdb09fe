import type { RuleMeta } from '../framework/rule';

/** Problems of Berth's own configuration; `analysis/configuration/configuration` finds them. */
export const CONFIGURATION: RuleMeta = {
  code: 'berth/configuration',
  category: 'policy',
  severity: 'error',
  cost: 'typing',
  summary: 'berth.yaml says something that Berth cannot follow.',
  why: 'What cannot be followed counts as not written, so that manifests are held against something else than you meant. On the command line it ends the command with exit code 2.',
  remedy: 'Correct the key or the value that is underlined; completion offers what can stand there.',
};
