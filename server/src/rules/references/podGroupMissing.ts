import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';

import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/pod-group-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A Pod belongs to a PodGroup that is defined nowhere in its namespace.',
      why: 'The scheduler waits for the group: the Pod stays Pending.',
      remedy: 'Correct the name or the namespace, or define the PodGroup.',
      url: 'https://kubernetes.io/docs/concepts/workloads/workload-api/',
    },
    isChecked: targetsKind(NAMED.podGroup, NAMED.compositePodGroup),
    // The server then drops the field.
    isSkipped: (_reference, _target, { kube }) => !kube.isGateOn('GenericWorkload'),
  }),
);
