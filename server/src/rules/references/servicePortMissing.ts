import { defineRule } from '../framework/rule';
import { type MissingPart, missingPartRule } from './missingPart';

export default defineRule<MissingPart>(
  missingPartRule({
    meta: {
      code: 'references/service-port-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'An Ingress or a route sends requests to a port that its Service does not have.',
      why: 'The controller has no endpoint for the backend: requests are answered with an error.',
      remedy: 'Correct the port, or add it to the Service.',
      url: 'https://kubernetes.io/docs/concepts/services-networking/ingress/',
    },
    what: 'port',
    to: 'part',
  }),
);
