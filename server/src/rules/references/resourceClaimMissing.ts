import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';

import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/resource-claim-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A Pod names a ResourceClaim that is defined nowhere in its namespace.',
      why: 'The scheduler waits for the claim: the Pod stays Pending.',
      remedy: 'Correct the name or the namespace, or define the ResourceClaim.',
      url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/',
    },
    isChecked: targetsKind(NAMED.resourceClaim),
  }),
);
