import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';

import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/volume-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A claim asks for a PersistentVolume that is defined nowhere.',
      why: 'The claim stays Pending until a volume of that name appears; nothing is provisioned for it.',
      remedy: 'Correct the name, define the PersistentVolume, or leave `volumeName` out.',
      url: 'https://kubernetes.io/docs/concepts/storage/persistent-volumes/',
    },
    isChecked: targetsKind(NAMED.volume),
  }),
);
