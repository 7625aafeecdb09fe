import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../server/src/base/json';
import { answer } from './support';

const taint = { key: 'gpu.example.com/broken', effect: 'NoExecute' };

it.each<[string, JsonObject, readonly string[]]>([
  ['all devices', { taint }, []],
  ['one device', { deviceSelector: { driver: 'gpu.example.com', pool: 'rack/node-1', device: 'gpu-0' }, taint }, []],
  ['no taint', {}, ['FieldValueInvalid spec.taint.key', 'FieldValueRequired spec.taint.effect']],
  [
    'a taint with wrong words',
    { taint: { key: 'broken gpu', value: 'a b', effect: 'PreferNoSchedule' } },
    [
      'FieldValueInvalid spec.taint.key',
      'FieldValueInvalid spec.taint.value',
      'FieldValueNotSupported spec.taint.effect',
    ],
  ],
  [
    'a selector with wrong names',
    { deviceSelector: { driver: '', pool: 'a//b', device: 'GPU 0' }, taint },
    [
      'FieldValueRequired spec.deviceSelector.driver',
      'FieldValueInvalid spec.deviceSelector.pool',
      'FieldValueInvalid spec.deviceSelector.device',
    ],
  ],
])('DeviceTaintRule: %s', (_, spec, fields) => {
  const { errors } = answer('resource.k8s.io/DeviceTaintRule', { metadata: { name: 'broken' }, spec });
  // A key or a name may break several rules at once.
  expect([...new Set(errors.map(it => it.slice(0, it.indexOf(':'))))]).toEqual(fields);
});

it('DeviceTaintRule: a status is not for the author', () => {
  const { dropped } = answer('resource.k8s.io/DeviceTaintRule', {
    metadata: { name: 'broken' },
    spec: { taint },
    status: { conditions: [{ type: 'EvictionInProgress', status: 'True' }] },
  });
  expect(dropped).toEqual(['status']);
});
