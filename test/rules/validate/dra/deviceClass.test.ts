import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../server/src/base/json';
import { answer } from './support';

const cases: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  ['nothing at all', {}, []],
  ['a selector', { selectors: [{ cel: { expression: 'true' } }] }, []],
  [
    'selectors that do not compile',
    {
      selectors: [
        { cel: { expression: 'device.driver == "gpu.example.com"' } },
        { cel: { expression: 'device.drivr == "gpu.example.com"' } },
        { cel: { expression: 'device.driver' } },
        { cel: {} },
      ],
    },
    [
      'FieldValueInvalid spec.selectors[1].cel.expression: ' +
        "compilation failed: ERROR: <input>:1:7: undefined field 'drivr'\n" +
        ' | device.drivr == "gpu.example.com"\n | ......^',
      'FieldValueInvalid spec.selectors[2].cel.expression: must evaluate to bool or the unknown type, not string',
      expect.stringContaining('FieldValueInvalid spec.selectors[3].cel.expression: compilation failed'),
    ],
  ],
  [
    'a selector that is too long, and one that costs too much',
    {
      selectors: [
        { cel: { expression: `true ${' '.repeat(10 * 1024)}` } },
        {
          cel: {
            expression: ['a', 'b', 'c', 'd'].reduce((inner, it) => `device.attributes.all(${it}, ${inner})`, 'a == b'),
          },
        },
      ],
    },
    [
      'FieldValueTooLong spec.selectors[0].cel.expression: may not be more than 10240 bytes',
      'FieldValueForbidden spec.selectors[1].cel.expression: too complex, exceeds cost limit',
    ],
  ],
  ['a selector without CEL', { selectors: [{}] }, ['FieldValueRequired spec.selectors[0].cel: ']],
  [
    'too many configurations',
    { config: Array.from({ length: 33 }, () => ({})) },
    ['FieldValueTooMany spec.config: must have at most 32 items'],
  ],
  [
    'a resource name without a domain',
    { extendedResourceName: 'gpu' },
    [
      'FieldValueInvalid spec.extendedResourceName: ' +
        "a name must be a domain-prefixed path, such as 'example.com/my-prop'",
    ],
  ],
  [
    'a resource name of Kubernetes',
    { extendedResourceName: 'kubernetes.io/gpu' },
    ['FieldValueInvalid spec.extendedResourceName: must not have "kubernetes.io/" domain'],
  ],
];

it.each(cases)('DeviceClass: %s', (_, spec, errors) => {
  expect(answer('resource.k8s.io/DeviceClass', { metadata: { name: 'gpu.example.com' }, spec }).errors).toEqual(errors);
});

it('DeviceClass: a name with capitals', () => {
  const { errors } = answer('resource.k8s.io/DeviceClass', { metadata: { name: 'GPU' }, spec: {} });
  expect(errors).toEqual([
    expect.stringContaining('FieldValueInvalid metadata.name: a lowercase RFC 1123 subdomain must consist of'),
  ]);
});
