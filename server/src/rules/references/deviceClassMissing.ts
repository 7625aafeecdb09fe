import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';

import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/device-class-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A claim asks for devices of a DeviceClass that is defined nowhere.',
      why: 'The scheduler cannot allocate the claim: Pods that use it stay Pending ("device class … does not exist").',
      remedy: 'Correct the name, or define the DeviceClass. Drivers often bring theirs along.',
      url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/',
    },
    isChecked: targetsKind(NAMED.deviceClass),
  }),
);
