import { defineRule } from '../framework/rule';
import { type MissingPart, missingPartRule } from './missingPart';

export default defineRule<MissingPart>(
  missingPartRule({
    meta: {
      code: 'references/port-missing',
      category: 'reference',
      severity: 'warning',
      cost: 'typing',
      summary: 'A probe or lifecycle hook uses the name of a port that its container does not have.',
      why: 'The kubelet cannot resolve the port: a probe never has a result, so that the Pod does not become ready; a postStart hook fails, and the container is killed.',
      remedy: 'Correct the name, name the port in `ports`, or write its number.',
      url: 'https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/',
    },
    what: 'port',
    to: 'local',
    severity: 'warning',
    // A text of digits is refused as such.
    isPassedOver: ({ name }) => /^\d+$/.test(name),
  }),
);
