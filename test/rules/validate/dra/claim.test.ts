import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../server/src/base/json';
import { answer } from './support';

const metadata = { name: 'gpu', namespace: 'lab' };
const claim = (devices: JsonObject): JsonObject => ({ metadata, spec: { devices } });
const exactly = (more: JsonObject = {}): JsonObject => ({
  requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu.example.com', ...more } }],
});
const unknownRequest =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

const cases: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  ['a request with defaults', exactly(), []],
  ['no requests', {}, []],
  [
    'neither kind of request',
    { requests: [{ name: 'gpu' }] },
    ['FieldValueRequired spec.devices.requests[0]: exactly one of `exactly` or `firstAvailable` is required'],
  ],
  [
    'both kinds of request',
    {
      requests: [
        {
          name: 'gpu',
          exactly: { deviceClassName: 'a' },
          firstAvailable: [{ name: 'b', deviceClassName: 'b' }],
        },
      ],
    },
    [
      'FieldValueInvalid spec.devices.requests[0]: exactly one of `exactly` or `firstAvailable` is required, ' +
        'but multiple fields are set',
    ],
  ],
  [
    'two requests of a name',
    { requests: [exactly().requests, exactly().requests].flat() as JsonObject[] },
    ['FieldValueDuplicate spec.devices.requests[1]: '],
  ],
  [
    'a count with All',
    exactly({ allocationMode: 'All', count: 2 }),
    ["FieldValueInvalid spec.devices.requests[0].exactly.count: must not be specified when allocationMode is 'All'"],
  ],
  [
    'an unknown mode',
    exactly({ allocationMode: 'Some' }),
    ['FieldValueNotSupported spec.devices.requests[0].exactly.allocationMode: supported values: "All", "ExactCount"'],
  ],
  [
    'a toleration of anything with a value',
    exactly({ tolerations: [{ operator: 'Exists', value: 'x' }] }),
    ['FieldValueInvalid spec.devices.requests[0].exactly.tolerations[0].value: must be empty for operator `Exists`'],
  ],
  [
    'a selector without CEL',
    exactly({ selectors: [{}] }),
    ['FieldValueRequired spec.devices.requests[0].exactly.selectors[0].cel: '],
  ],
  [
    'an expression that is too long',
    exactly({ selectors: [{ cel: { expression: 'x'.repeat(10_241) } }] }),
    [
      'FieldValueTooLong spec.devices.requests[0].exactly.selectors[0].cel.expression: ' +
        'may not be more than 10240 bytes',
    ],
  ],
  [
    'constraints that name nothing known',
    { ...exactly(), constraints: [{ requests: ['cpu', 'gpu/big'], matchAttribute: 'model' }] },
    [
      `FieldValueInvalid spec.devices.constraints[0].requests[0]: ${unknownRequest}`,
      `FieldValueInvalid spec.devices.constraints[0].requests[1]: ${unknownRequest}`,
      'FieldValueInvalid spec.devices.constraints[0].matchAttribute: ' +
        'a fully qualified name must be a domain and a name separated by a slash',
    ],
  ],
  [
    'a configuration that is no object',
    { ...exactly(), config: [{ opaque: { driver: 'gpu.example.com', parameters: [1] } }, {}] },
    [
      'FieldValueInvalid spec.devices.config[0].opaque.parameters: must be a valid JSON object',
      'FieldValueRequired spec.devices.config[1].opaque: ',
    ],
  ],
  [
    'too many alternatives',
    {
      requests: [{ name: 'gpu', firstAvailable: [...'abcdefghi'].map(name => ({ name, deviceClassName: 'gpu' })) }],
    },
    ['FieldValueTooMany spec.devices.requests[0].firstAvailable: must have at most 8 items'],
  ],
];

describe('ResourceClaim', () => {
  it.each(cases)('%s', (_, devices, errors) => {
    expect(answer('resource.k8s.io/ResourceClaim', claim(devices)).errors).toEqual(errors);
  });

  it('is stored with one device of a request and without a status', () => {
    const { object, dropped } = answer('resource.k8s.io/ResourceClaim', {
      ...claim(exactly()),
      status: { reservedFor: [{ name: 'pod' }] },
    });
    expect(dropped).toEqual(['status']);
    expect(object).toEqual(claim(exactly({ allocationMode: 'ExactCount', count: 1 })));
  });

  it('keeps derived attributes with their gate, and requires a constraint for each', () => {
    const devices = exactly({ derivedAttributes: [{ name: 'example.com/numa', expression: '1' }] });
    const at = 'spec.devices.requests[0].exactly.derivedAttributes';
    expect(answer('resource.k8s.io/ResourceClaim', claim(devices)).dropped).toEqual([at]);
    expect(answer('resource.k8s.io/ResourceClaim', claim(devices), { DRADerivedAttributes: true }).errors).toEqual([
      `FieldValueInvalid ${at}[0].name: must be referenced by at least one matchAttribute or distinctAttribute ` +
        'constraint targeting this request',
    ]);
  });
});

describe('ResourceClaimTemplate', () => {
  it.each(cases)('%s', (_, devices, errors) => {
    const template = { metadata, spec: { spec: { devices } } };
    expect(answer('resource.k8s.io/ResourceClaimTemplate', template).errors).toEqual(
      errors.map(it => it.replace(' spec.', ' spec.spec.')),
    );
  });

  it('refuses a name and any grace period in its template', () => {
    const ofTemplate = { name: 'x', deletionGracePeriodSeconds: 0, generation: 0, labels: { a: 'b' } };
    const template = { metadata, spec: { metadata: ofTemplate, spec: { devices: exactly() } } };
    expect(answer('resource.k8s.io/ResourceClaimTemplate', template).errors).toEqual([
      'FieldValueForbidden spec.metadata.name: cannot be set',
      'FieldValueForbidden spec.metadata.deletionGracePeriodSeconds: cannot be set',
    ]);
  });
});
