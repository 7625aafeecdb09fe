import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';

import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/workload-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A PodGroup names a Workload that is defined nowhere in its namespace.',
      why: 'The group has nothing that it was made from.',
      remedy: 'Correct the name or the namespace, or define the Workload.',
      url: 'https://kubernetes.io/docs/concepts/workloads/workload-api/',
    },
    isChecked: targetsKind(NAMED.workload),
  }),
);
