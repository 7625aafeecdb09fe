import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';

import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/ingress-class-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'An Ingress names an IngressClass that is defined nowhere.',
      why: 'No controller takes care of the Ingress.',
      remedy: 'Correct the name, or define the IngressClass. Ingress controllers often bring theirs along.',
      url: 'https://kubernetes.io/docs/concepts/services-networking/ingress/#ingress-class',
    },
    isChecked: targetsKind(NAMED.ingressClass),
  }),
);
