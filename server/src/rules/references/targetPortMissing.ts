import { defineRule } from '../framework/rule';
import { type MissingPart, missingPartRule } from './missingPart';

export default defineRule<MissingPart>(
  missingPartRule({
    meta: {
      code: 'references/target-port-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A Service or a NetworkPolicy uses the name of a port that no container of the selected Pods has.',
      why: 'The Pods are no endpoints of the Service for that port; the policy lets nothing through by it.',
      remedy: 'Correct the name, name the port in the containers, or write its number.',
      details: 'Silent where the workspace holds no Pods that are selected.',
      url: 'https://kubernetes.io/docs/concepts/services-networking/service/#field-spec-ports',
    },
    what: 'port',
    to: 'podPart',
    isPassedOver: ({ name }) => /^\d+$/.test(name),
  }),
);
