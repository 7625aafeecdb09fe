import { defineRule } from '../framework/rule';
import { type MissingPart, missingPartRule } from './missingPart';

export default defineRule<MissingPart>(
  missingPartRule({
    meta: {
      code: 'references/config-key-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'An object reads a key that its ConfigMap or Secret does not have.',
      why: 'The container does not start: "couldn\'t find key … in ConfigMap …", or the volume is not set up: "references non-existent config key".',
      remedy: 'Correct the key, add it to the ConfigMap or Secret, or say `optional: true`.',
      details:
        'Silent where the ConfigMap or Secret is empty or a kustomization generates it too, as others fill it then, and where it is only written in a folder beside: that may be another one of the same name.',
      url: 'https://kubernetes.io/docs/concepts/configuration/configmap/',
    },
    what: 'key',
    to: 'part',
  }),
);
