import { defineRule } from '../framework/rule';
import { type MissingPart, missingPartRule } from './missingPart';

export default defineRule<MissingPart>(
  missingPartRule({
    meta: {
      code: 'references/container-missing',
      category: 'reference',
      severity: 'warning',
      cost: 'typing',
      summary: 'A reference to the resources of a container names one that the Pod does not have.',
      why: 'The kubelet does not start the container: "container … not found".',
      remedy: 'Correct the name.',
      url: 'https://kubernetes.io/docs/concepts/workloads/pods/downward-api/',
    },
    what: 'container',
    to: 'local',
    severity: 'warning',
    // The API server itself reports the target of an ephemeral container.
    isPassedOver: ({ at }) => at.segments.at(-1) === 'targetContainerName',
  }),
);
