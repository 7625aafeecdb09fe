import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';

import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/service-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'An object names a Service that is defined nowhere in its namespace.',
      why: 'An Ingress answers with an error, the Pods of a StatefulSet get no DNS names, a webhook cannot be called.',
      remedy: 'Correct the name or the namespace, or define the Service.',
      url: 'https://kubernetes.io/docs/concepts/services-networking/service/',
    },
    isChecked: targetsKind(NAMED.service),
  }),
);
