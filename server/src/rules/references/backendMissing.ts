import { defineRule } from '../framework/rule';
import { type Missing, missingRule } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/backend-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A route of the Gateway API or an Ingress sends requests to an object that is defined nowhere.',
      why: 'The route has ResolvedRefs: False with the reason BackendNotFound; requests to it are answered with status 500. An Ingress answers with 503.',
      remedy: 'Correct the group, the kind, the name or the namespace, or define the object.',
      source: { project: 'kubernetes-sigs/gateway-api', symbol: 'RouteReasonBackendNotFound', fidelity: 'inspired' },
      url: 'https://gateway-api.sigs.k8s.io/reference/spec/',
    },
    isChecked: ({ aim, at }) => aim.to === 'typed' && /(?:backendRefs\[\]|backendRef|ackend\.resource)\.name$/.test(at),
  }),
);
