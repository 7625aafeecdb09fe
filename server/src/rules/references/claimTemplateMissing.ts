import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';

import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/claim-template-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A Pod names a ResourceClaimTemplate that is defined nowhere in its namespace.',
      why: 'No ResourceClaim is made from it, and the Pod stays Pending.',
      remedy: 'Correct the name or the namespace, or define the ResourceClaimTemplate.',
      url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/',
    },
    isChecked: targetsKind(NAMED.resourceClaimTemplate),
  }),
);
