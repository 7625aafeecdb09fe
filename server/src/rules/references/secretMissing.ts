import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';

import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/secret-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'An object uses a Secret that is defined nowhere in its namespace.',
      why: 'The kubelet does not start the containers: a volume waits in ContainerCreating, an environment variable in CreateContainerConfigError. An Ingress serves its default certificate, and the listener of a Gateway is not programmed.',
      remedy:
        'Correct the name or the namespace, define the Secret, or say `optional: true` where the Pod can do without.',
      details:
        'Secrets that an object of the workspace has made are not missing: those of a Certificate, an ExternalSecret, a SealedSecret, a SecretProviderClass, a kustomization, or an Ingress that asks cert-manager for its certificate. imagePullSecrets are passed over: a Pod starts without them.',
      url: 'https://kubernetes.io/docs/concepts/configuration/secret/',
    },
    isChecked: row => targetsKind(NAMED.secret)(row) || row.at.endsWith('.certificateRefs[].name'),
  }),
);
