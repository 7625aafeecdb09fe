import { defineRule } from '../framework/rule';
import { type MissingPart, missingPartRule } from './missingPart';

export default defineRule<MissingPart>(
  missingPartRule({
    meta: {
      code: 'references/listener-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A route names a listener that its Gateway does not have.',
      why: 'The route is not accepted (NoMatchingParent) and gets no request.',
      remedy: 'Correct `sectionName`, or leave it out: the route then belongs to all listeners.',
      source: { project: 'kubernetes-sigs/gateway-api', symbol: 'RouteReasonNoMatchingParent', fidelity: 'inspired' },
      url: 'https://gateway-api.sigs.k8s.io/reference/spec/',
    },
    what: 'listener',
    to: 'part',
  }),
);
