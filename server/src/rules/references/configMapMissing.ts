import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';

import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/config-map-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A Pod reads a ConfigMap that is defined nowhere in its namespace.',
      why: 'The kubelet does not start the containers: a volume waits in ContainerCreating, an environment variable in CreateContainerConfigError.',
      remedy:
        'Correct the name or the namespace, define the ConfigMap, or say `optional: true` where the Pod can do without.',
      details:
        '`kube-root-ca.crt`, which every namespace gets, is never missing, nor are ConfigMaps that a kustomization or another object of the workspace generates.',
      url: 'https://kubernetes.io/docs/concepts/configuration/configmap/',
    },
    isChecked: targetsKind(NAMED.configMap),
  }),
);
