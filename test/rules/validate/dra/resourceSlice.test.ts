import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../server/src/base/json';
import { answer } from './support';

const kind = 'resource.k8s.io/ResourceSlice';
const slice = (spec: JsonObject): JsonObject => ({
  metadata: { name: 'node-1-gpus' },
  spec: {
    driver: 'gpu.example.com',
    pool: { name: 'node-1', generation: 0, resourceSliceCount: 1 },
    nodeName: 'node-1',
    ...spec,
  },
});
const device = (more: JsonObject): JsonObject => slice({ devices: [{ name: 'gpu-0', ...more }] });
const policy = (value: string, requestPolicy: JsonObject): JsonObject =>
  device({ allowMultipleAllocations: true, capacity: { memory: { value, requestPolicy } } });
const rangeAt = 'spec.devices[0].capacity[memory].requestPolicy.validRange';

const cases: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  ['a device', device({ attributes: { model: { string: 'A100' } }, capacity: { memory: { value: '40Gi' } } }), []],
  [
    'no place for the devices',
    slice({ nodeName: null, devices: [] }),
    [
      'FieldValueRequired spec: ' +
        'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required',
    ],
  ],
  [
    'two places for the devices',
    slice({ allNodes: true }),
    [
      'FieldValueInvalid spec: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is ' +
        'required, but multiple fields are set',
    ],
  ],
  [
    'an incomplete pool',
    slice({ pool: {} }),
    [
      'FieldValueRequired spec.pool.name: ',
      'FieldValueInvalid spec.pool.resourceSliceCount: must be greater than zero',
    ],
  ],
  [
    'an attribute without a value',
    device({ attributes: { model: {} } }),
    [
      'FieldValueInvalid spec.devices[0].attributes[model]: must specify one of: `int`, `bool`, `string`, `version`, ' +
        '`ints`, `bools`, `strings`, `versions`',
    ],
  ],
  [
    'a version that is none',
    device({ attributes: { 'example.com/driver': { version: '1.2' } } }),
    [
      'FieldValueInvalid spec.devices[0].attributes[example.com/driver].version: ' +
        'must be a string compatible with semver.org spec 2.0.0',
    ],
  ],
  [
    'a taint without effect',
    device({ taints: [{ key: 'broken' }] }),
    ['FieldValueRequired spec.devices[0].taints[0].effect: '],
  ],
  [
    'half of the binding conditions',
    device({ bindingConditions: ['ready'] }),
    [
      'FieldValueInvalid spec.devices[0].bindingFailureConditions: ' +
        'bindingFailureConditions are required to use bindingConditions',
    ],
  ],
  [
    'a policy for a device that is not shared',
    device({ capacity: { memory: { value: '1', requestPolicy: { default: '1' } } } }),
    ['FieldValueForbidden spec.devices[0].capacity[memory].requestPolicy: allowMultipleAllocations must be true'],
  ],
  [
    'a range that leaves the capacity',
    policy('10', { default: '1', validRange: { min: '2', max: '12', step: '5' } }),
    [
      `FieldValueInvalid ${rangeAt}.default: default is less than min: 2`,
      `FieldValueInvalid ${rangeAt}.max: max is larger than capacity value: 10`,
      `FieldValueInvalid ${rangeAt}.step: value is not a multiple of a given step (5) from (2)`,
    ],
  ],
  [
    'options in disorder and without the default',
    policy('10', { default: '3', validValues: ['2', '1'] }),
    [
      'FieldValueInvalid spec.devices[0].capacity[memory].requestPolicy.validValues[1]: ' +
        'values must be sorted in ascending order',
      'FieldValueInvalid spec.devices[0].capacity[memory].requestPolicy.validValues: ' +
        'default value is not valid according to the requestPolicy',
    ],
  ],
  [
    'counters beside devices',
    slice({ devices: [], sharedCounters: [{ name: 'a' }] }),
    [
      'FieldValueInvalid spec: only one of `sharedCounters` or `devices` is allowed',
      'FieldValueRequired spec.sharedCounters[0].counters: ',
    ],
  ],
];

describe('ResourceSlice', () => {
  it.each(cases)('%s', (_, object, errors) => {
    expect(answer(kind, object).errors).toEqual(errors);
  });

  it('drops lists of attributes while their gate is off, which leaves no value', () => {
    const { dropped, errors } = answer(kind, device({ attributes: { models: { strings: ['a'] } } }));
    expect(dropped).toEqual(['spec.devices[0].attributes.models.strings']);
    expect(errors).toHaveLength(1);
    const on = answer(kind, device({ attributes: { models: { strings: ['a'] } } }), { DRAListTypeAttributes: true });
    expect(on.errors).toEqual([]);
  });

  it('takes a step of which no bit is left in 64 bits', () => {
    const { errors } = answer(kind, policy('10', { default: '1', validRange: { min: '1', step: '1e300' } }));
    expect(errors.join('\n')).toContain(`FieldValueInvalid ${rangeAt}.step: one step`);
    expect(errors.join('\n')).not.toContain('is not a multiple');
  });

  it('warns of capitals in the name of a driver', () => {
    expect(answer(kind, slice({ driver: 'GPU.example.com' })).warnings).toEqual([
      'spec.driver: driver names should be lowercase; "GPU.example.com" contains uppercase characters',
    ]);
  });
});
