import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';

import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/volume-attributes-class-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A claim or a volume names a VolumeAttributesClass that is defined nowhere.',
      why: 'The volume is not provisioned or modified until the class is there.',
      remedy: 'Correct the name, or define the VolumeAttributesClass.',
      url: 'https://kubernetes.io/docs/concepts/storage/volume-attributes-classes/',
    },
    isChecked: targetsKind(NAMED.attributesClass),
  }),
);
