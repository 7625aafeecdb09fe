import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../server/src/base/json';
import type { KindInfo, StructuralSchema } from '../../../server/src/kube/kube';
import { loadKube } from '../../../server/src/kube/load';
import { customResourceStrategy } from '../../../server/src/rules/apiserver/validate/crd/index';
import { answerOf } from '../../../server/src/rules/apiserver/validate/engine';
import { readPack } from '../../support/packs';

const newest = loadKube('1.37', {}, readPack);
const metadata = { name: 'one', namespace: 'team' };

function answer(apiVersion: string, kind: string, rest: JsonObject) {
  return answerOf({ apiVersion, kind, metadata, ...rest }, newest.kindOf(apiVersion, kind), newest);
}

function told(apiVersion: string, kind: string, rest: JsonObject): readonly string[] {
  return (
    answer(apiVersion, kind, rest)?.errors.map(it => `${it.type} ${it.field ?? it.at.toString()}`) ?? ['no answer']
  );
}

/** The server's note that it did not run CEL rules. */
const NOT_CHECKED = 'FieldValueInvalid <nil>';

const snapshots = 'snapshot.storage.k8s.io/v1';
const content = {
  deletionPolicy: 'Delete',
  driver: 'hostpath.csi.k8s.io',
  source: { snapshotHandle: '7bdd0de3' },
  volumeSnapshotRef: { name: 'data', namespace: 'team' },
};

describe('published custom resources', () => {
  test.each<[string, string, string, JsonObject, readonly string[]]>([
    [
      'a snapshot of a claim',
      snapshots,
      'VolumeSnapshot',
      { spec: { source: { persistentVolumeClaimName: 'a' } } },
      [],
    ],
    ['a snapshot without a spec', snapshots, 'VolumeSnapshot', {}, ['FieldValueRequired spec', NOT_CHECKED]],
    [
      'a snapshot of nothing',
      snapshots,
      'VolumeSnapshot',
      { spec: {} },
      ['FieldValueRequired spec.source', NOT_CHECKED],
    ],
    [
      'a snapshot of two things',
      snapshots,
      'VolumeSnapshot',
      { spec: { source: { persistentVolumeClaimName: 'a', volumeSnapshotContentName: 'b' } } },
      ['FieldValueInvalid spec.source'],
    ],
    [
      'a snapshot of an empty source and class',
      snapshots,
      'VolumeSnapshot',
      { spec: { source: {}, volumeSnapshotClassName: '' } },
      ['FieldValueInvalid spec.source', 'FieldValueInvalid spec.volumeSnapshotClassName'],
    ],
    [
      'a class with a policy that there is not',
      snapshots,
      'VolumeSnapshotClass',
      { driver: 'a', deletionPolicy: 'Keep' },
      ['FieldValueNotSupported deletionPolicy'],
    ],
    [
      'a class without its fields',
      snapshots,
      'VolumeSnapshotClass',
      { parameters: { a: 'b' } },
      ['FieldValueRequired deletionPolicy', 'FieldValueRequired driver'],
    ],
    ['a content', snapshots, 'VolumeSnapshotContent', { spec: content }, []],
    [
      'a content whose reference has no namespace',
      snapshots,
      'VolumeSnapshotContent',
      { spec: { ...content, volumeSnapshotRef: { name: 'data' } } },
      ['FieldValueInvalid spec.volumeSnapshotRef'],
    ],
    // Rules do not run before the schema has no errors.
    [
      'a content with a wrong policy and a wrong source',
      snapshots,
      'VolumeSnapshotContent',
      { spec: { ...content, deletionPolicy: 'Keep', source: {} } },
      ['FieldValueNotSupported spec.deletionPolicy', NOT_CHECKED],
    ],
    [
      'a group snapshot with neither source',
      'groupsnapshot.storage.k8s.io/v1beta2',
      'VolumeGroupSnapshot',
      { spec: { source: {} } },
      ['FieldValueInvalid spec.source'],
    ],
    [
      'a grant for nobody',
      'gateway.networking.k8s.io/v1beta1',
      'ReferenceGrant',
      { spec: { from: [], to: [{ group: '', kind: 'Secret' }] } },
      ['FieldValueInvalid spec.from'],
    ],
    [
      'a grant with wrong names',
      'gateway.networking.k8s.io/v1beta1',
      'ReferenceGrant',
      {
        spec: {
          from: [{ group: 'Gateway', kind: '', namespace: 'a'.repeat(64) }, { group: '' }],
          to: [{ group: '', kind: 'Persistent Volume' }],
        },
      },
      [
        'FieldValueInvalid spec.from[0].group',
        'FieldValueInvalid spec.from[0].kind',
        'FieldValueTooLong spec.from[0].namespace',
        'FieldValueRequired spec.from[1].kind',
        'FieldValueRequired spec.from[1].namespace',
        'FieldValueInvalid spec.to[0].kind',
      ],
    ],
    ['a pod group', 'scheduling.x-k8s.io/v1alpha1', 'PodGroup', { spec: { minMember: 3 } }, []],
    [
      'a pod group beyond int32',
      'scheduling.x-k8s.io/v1alpha1',
      'PodGroup',
      { spec: { minMember: 2 ** 31 } },
      ['FieldValueInvalid <nil>'],
    ],
    [
      'a name that is no subdomain',
      'scheduling.x-k8s.io/v1alpha1',
      'PodGroup',
      { metadata: { name: 'Gang', namespace: 'team' } },
      ['FieldValueInvalid metadata.name'],
    ],
  ])('%s', (_, apiVersion, kind, rest, expected) => {
    expect(told(apiVersion, kind, rest)).toEqual(expected);
  });

  test('drop a written status and report it', () => {
    const spec = { source: { persistentVolumeClaimName: 'a' } };
    const dropped = answer(snapshots, 'VolumeSnapshot', { spec, status: { readyToUse: true } })?.dropped;
    expect(dropped?.map(it => it.toString())).toEqual(['status']);
  });

  test('have the messages of their rules', () => {
    const spec = { source: {} };
    expect(answer(snapshots, 'VolumeSnapshot', { spec })?.errors.map(it => it.detail)).toEqual([
      'exactly one of volumeSnapshotContentName and persistentVolumeClaimName must be set',
    ]);
  });
});

function errorsOfSpec(spec: StructuralSchema, value: JsonObject, kube = newest) {
  const structural: StructuralSchema = { type: 'object', properties: { spec } };
  const kind = { ...kube.kindOf(snapshots, 'VolumeSnapshot'), structural } as KindInfo;
  const strategy = customResourceStrategy(kind, kube.parts);
  const validation = { kube, isOn: () => false };
  const object = strategy?.defaults?.({ metadata, spec: value }, validation) ?? {};
  return [...(strategy?.validate(object, validation) ?? [])];
}

const judged = (spec: StructuralSchema, value: JsonObject): readonly string[] =>
  errorsOfSpec(spec, value).map(it => `${it.type} ${it.at.toString()}`);

const object = (properties: Readonly<Record<string, StructuralSchema>>, more: StructuralSchema = {}) =>
  ({ type: 'object', properties, ...more }) as const;

describe('schemas', () => {
  test.each<[string, StructuralSchema, JsonObject, readonly string[]]>([
    ['default, then required', object({ a: { type: 'string', default: 'x' } }, { required: ['a'] }), {}, []],
    [
      'null is as good as missing',
      object({ a: { type: 'string' } }, { required: ['a'] }),
      { a: null },
      ['FieldValueRequired spec.a'],
    ],
    ['null where it may be', object({ a: { type: 'string', nullable: true } }, { required: ['a'] }), { a: null }, []],
    [
      'bounds',
      object({ a: { type: 'integer', minimum: 1 }, b: { type: 'number', maximum: 1, exclusiveMaximum: true } }),
      { a: 0, b: 1 },
      ['FieldValueInvalid spec.a', 'FieldValueInvalid spec.b'],
    ],
    [
      'int or string',
      object({ a: { 'x-kubernetes-int-or-string': true, pattern: '^[0-9]+%$' } }),
      { a: 'many' },
      ['FieldValueInvalid spec.a'],
    ],
    [
      'int or string, an int',
      object({ a: { 'x-kubernetes-int-or-string': true, pattern: '^[0-9]+%$' } }),
      { a: 3 },
      [],
    ],
    [
      'a pattern with flags of a part',
      object({ a: { type: 'string', pattern: '^(?i:v[[:^alpha:]]+)$' } }),
      { a: 'va' },
      ['FieldValueInvalid spec.a'],
    ],
    [
      'a pattern with flags of a part, fulfilled',
      object({ a: { type: 'string', pattern: '^(?i:v[[:^alpha:]]+)$' } }),
      { a: 'V1' },
      [],
    ],
    [
      'properties',
      object({ a: { type: 'object', additionalProperties: { type: 'string', maxLength: 1 }, maxProperties: 1 } }),
      { a: { x: 'ok', y: 'z' } },
      ['FieldValueTooMany spec.a', 'FieldValueTooLong spec.a.x'],
    ],
    [
      'a set',
      object({ a: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' } }),
      { a: ['x', 'y', 'x'] },
      ['FieldValueDuplicate spec.a[2]'],
    ],
    [
      'a map with a default key',
      object({
        a: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
          items: object({ port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } }),
        },
      }),
      { a: [{ port: 1 }, { port: 1, protocol: 'UDP' }, { port: 1, protocol: 'TCP' }] },
      ['FieldValueDuplicate spec.a[2]'],
    ],
    [
      'one of two',
      object({ a: { type: 'string' }, b: { type: 'string' } }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
      { a: 'x', b: 'y' },
      ['FieldValueInvalid spec'],
    ],
    [
      'one of two, none',
      object({ a: { type: 'string' }, b: { type: 'string' } }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
      {},
      ['FieldValueInvalid spec', 'FieldValueRequired spec.a'],
    ],
    ['not', object({ a: { type: 'string' } }, { not: { required: ['a'] } }), { a: '' }, ['FieldValueInvalid spec']],
    [
      'formats',
      object({ a: { type: 'string', format: 'ipv4' }, b: { type: 'string', format: 'unheard-of' } }),
      { a: '1.2.3', b: 'x' },
      ['FieldValueTypeInvalid spec.a'],
    ],
    [
      'a rule with a reserved name',
      object(
        { namespace: { type: 'string' } },
        {
          'x-kubernetes-validations': [
            { rule: 'self.__namespace__ != "kube-system"', reason: 'FieldValueForbidden', fieldPath: '.namespace' },
          ],
        },
      ),
      { namespace: 'kube-system' },
      ['FieldValueForbidden spec.namespace'],
    ],
    [
      'a rule with a reserved name as it is written',
      object(
        { namespace: { type: 'string' } },
        { 'x-kubernetes-validations': [{ rule: '!has(self.namespace) || self.namespace != "kube-system"' }] },
      ),
      { namespace: 'kube-system' },
      ['FieldValueInvalid spec'],
    ],
    [
      'a rule of numbers',
      object(
        { min: { type: 'integer' }, max: { type: 'integer' } },
        { 'x-kubernetes-validations': [{ rule: 'self.min <= self.max' }] },
      ),
      { min: 3, max: 2 },
      ['FieldValueInvalid spec'],
    ],
    [
      'a rule of a transition',
      object({ a: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] } }),
      { a: 'x' },
      [],
    ],
    [
      'a rule with a named format',
      object({
        a: {
          type: 'string',
          'x-kubernetes-validations': [{ rule: 'format.dns1123Label().validate(self).hasValue()' }],
        },
      }),
      { a: 'x' },
      ['FieldValueInvalid spec.a'],
    ],
    [
      'a rule below allOf',
      object(
        { a: { type: 'integer' } },
        { allOf: [{ 'x-kubernetes-validations': [{ rule: 'self.a > 1' }] }, { required: ['a'] }] },
      ),
      { a: 1 },
      ['FieldValueInvalid spec'],
    ],
    [
      'rules of the objects that a resource embeds',
      object({
        a: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-validations': [{ rule: "self.metadata.name != 'x'" }],
        },
      }),
      { a: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } } },
      ['FieldValueInvalid spec.a'],
    ],
  ])('%s', (_, schema, value, expected) => {
    expect(judged(schema, value)).toEqual(expected);
  });
});

test.each<[string, StructuralSchema, JsonObject, string]>([
  ['int32', { type: 'integer', format: 'int32' }, { a: 2 ** 31 }, 'integer with format int32 in spec.a'],
  ['float', { type: 'number', format: 'float' }, { a: 1e39 }, 'number with format float in spec.a'],
])('numbers must fit the format %s since 1.36', (_, schema, value, type) => {
  const told = (minor: string) =>
    errorsOfSpec(object({ a: schema }), value, loadKube(minor, {}, readPack)).map(it => it.detail);
  expect(told('1.35')).toEqual([]);
  expect(told('1.36')).toContain(`Checked value must be of type ${type}`);
});

describe('rules run as far as their cost allows', () => {
  /** Costs some 40,000 for each round. */
  const costly = (rounds: number): string =>
    `lists.range(${rounds}).all(a, lists.range(100).all(b, lists.range(40).all(c, a + b + c >= 0)))`;
  const details = (rules: NonNullable<StructuralSchema['x-kubernetes-validations']>): readonly string[] =>
    errorsOfSpec(object({ a: { type: 'integer' } }, { 'x-kubernetes-validations': rules }), { a: 1 }).map(
      it => it.detail,
    );
  const never = { rule: 'self.a > 1' };

  test('a rule that costs too much ends the evaluation', () => {
    expect(details([{ rule: costly(1000), message: 'told' }, never])).toEqual([
      "'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: told",
    ]);
  });

  test('rules that together cost too much do, too', () => {
    // Upstream charges a tenth of one text times a tenth of the other, which takes no time.
    const affordable = { rule: `!'${'a'.repeat(9_000)}'.contains('${'b'.repeat(9_000)}')` };
    expect(details([affordable, never])).toEqual(['failed rule: self.a > 1']);
    expect(details([...Array.from({ length: 20 }, () => affordable), never])).toEqual([
      'validation failed due to running out of cost budget, no further validation rules will be run',
    ]);
  });

  test('so does a message expression', () => {
    const messageExpression = `${costly(1000)} ? 'a' : 'b'`;
    expect(details([{ ...never, messageExpression }, never])).toEqual([
      `no further validation rules will be run due to call cost exceeds limit for messageExpression: "${messageExpression}"`,
    ]);
  });
});

describe('defaults are judged by the rules of their schema', () => {
  const definition = (schema: JsonObject) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'things', kind: 'Thing' },
      scope: 'Cluster',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: schema } } },
        },
      ],
    },
  });
  const errorsOf = (schema: JsonObject) => {
    const object = definition(schema);
    const found = answerOf(object, newest.kindOf(object.apiVersion, object.kind), newest)?.errors ?? [];
    return found
      .filter(it => it.at.toString().includes('.default'))
      .map(it => `${it.type} ${it.detail.split('\n')[0]}`);
  };

  test.each<[string, JsonObject, readonly string[]]>([
    [
      'one that does not compile',
      { type: 'integer', default: 1, 'x-kubernetes-validations': [{ rule: "self > 'a'" }] },
      [
        "FieldValueInvalid rule compile error: compilation failed: ERROR: <input>:1:6: found no matching overload for '_>_' applied to '(int, string)'",
      ],
    ],
    [
      'one of an inner field that gives no bool',
      {
        type: 'object',
        default: { a: 'x' },
        properties: { a: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self' }] } },
      },
      ['FieldValueInvalid rule compile error: cel expression must evaluate to a bool'],
    ],
    [
      'one that is false',
      {
        type: 'array',
        items: { type: 'integer' },
        default: [],
        'x-kubernetes-validations': [{ rule: 'self.max() > 1' }],
      },
      ['FieldValueInvalid max called on empty list evaluating rule: self.max() > 1'],
    ],
    [
      'one of a field whose values are hidden',
      {
        type: 'object',
        default: { a: 1 },
        properties: {
          a: { 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-validations': [{ rule: 'self' }] },
        },
      },
      [],
    ],
  ])('%s', (_, schema, errors) => {
    expect(errorsOf(schema)).toEqual(errors);
  });

  test('items of an object have no type for rules', () => {
    const object = definition({ type: 'string' });
    const rules = [{ rule: 'true' }];
    const items = { type: 'array', items: { type: 'string' }, 'x-kubernetes-validations': [{ rule: 'true' }] };
    const schema = { type: 'object', items, 'x-kubernetes-validations': rules };
    const versions = object.spec.versions.map(it => ({ ...it, schema: { openAPIV3Schema: schema } }));
    const odd = { ...object, spec: { ...object.spec, versions } };
    const errors = answerOf(odd, newest.kindOf(object.apiVersion, object.kind), newest)?.errors ?? [];
    expect(errors.map(it => `${it.type} ${it.field ?? it.at}`)).toContain(
      'InternalError spec.validation.openAPIV3Schema.items.x-kubernetes-validations',
    );
  });

  test('a storage version that is there twice is stored once', () => {
    const object = definition({ type: 'string' });
    const versions = [...object.spec.versions, ...object.spec.versions];
    const twice = { ...object, spec: { ...object.spec, versions } };
    const errors = answerOf(twice, newest.kindOf(object.apiVersion, object.kind), newest)?.errors ?? [];
    expect(errors.map(it => `${it.at} ${it.detail}`)).toContain(
      'status.storedVersions must have the storage version v1',
    );
  });

  test('a rule with a constant that cannot be read is refused', () => {
    const object = definition({
      type: 'integer',
      'x-kubernetes-validations': [
        { rule: "int('x') == self" },
        { rule: 'self > 1', messageExpression: "string(b'\\xff')" },
      ],
    });
    const errors = answerOf(object, newest.kindOf(object.apiVersion, object.kind), newest)?.errors ?? [];
    expect(errors.map(it => it.detail)).toEqual([
      "program instantiation failed: type conversion error from 'string' to 'int'",
      'messageExpression instantiation failed: invalid UTF-8 in bytes, cannot convert to string',
    ]);
  });
});
