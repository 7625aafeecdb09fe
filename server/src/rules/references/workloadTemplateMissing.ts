import { defineRule } from '../framework/rule';
import { type MissingPart, missingPartRule } from './missingPart';

export default defineRule<MissingPart>(
  missingPartRule({
    meta: {
      code: 'references/workload-template-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A PodGroup names a template that its Workload does not have.',
      why: 'The group has nothing that it was made from.',
      remedy: 'Correct the name, or add the template to the Workload.',
      url: 'https://kubernetes.io/docs/concepts/workloads/workload-api/',
    },
    what: 'template',
    to: 'part',
  }),
);
