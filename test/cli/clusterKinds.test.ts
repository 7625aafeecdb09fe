import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { defaultSettings } from '../../server/src/analysis/configuration/settings';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { snapshotContent } from '../../server/src/cluster/sources/snapshot';
import { readPack } from '../support/packs';
import { run } from './world';

const definition = (schema: string, name = 'things.example.com') => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${name} }
spec:
  group: example.com
  names: { plural: things, kind: Thing }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema: ${schema}
`;
const schema = `
          type: object
          properties:
            spec:
              type: object
              required: [size]
              x-kubernetes-validations: [{ rule: self.size < 10, message: is too large }]
              properties:
                size: { type: integer, default: 1 }
                day: { type: string, format: date }
`;
const thing = (spec: string, apiVersion = 'example.com/v1') =>
  `apiVersion: ${apiVersion}\nkind: Thing\nmetadata: { name: a, namespace: b }\nspec: ${spec}\n`;

const files = {
  '.git/HEAD': '',
  'cluster/prod.yaml': definition(schema),
  'cluster/list.yaml': `apiVersion: v1\nkind: List\nitems:\n${definition(schema)
    .replaceAll(/^(?=.)/gm, '    ')
    .replace('   ', '  -')}`,
  'good.yaml': thing('{ day: "2026-01-31" }'),
  'unknown.yaml': thing('{ siez: 1 }'),
  'type.yaml': thing('{ size: big }'),
  'rule.yaml': thing('{ size: 10 }'),
  'format.yaml': thing('{ day: today }'),
  'open/crd.yaml': definition('{ type: object, x-kubernetes-preserve-unknown-fields: true }'),
  'open/rule.yaml': thing('{ size: 10 }'),
  'text/crd.yaml': definition(
    '{ type: object, properties: { spec: { type: object, properties: { size: { type: string } } } } }',
  ),
  'text/rule.yaml': thing('{ size: 10 }'),
  'other-version/crd.yaml': definition('{ type: object }').replace('name: v1', 'name: v2'),
  'other-version/rule.yaml': thing('{ size: 10 }'),
  'other-name/crd.yaml': definition('{ type: object }', 'others.example.com').replace(
    'things, kind: Thing',
    'others, kind: Other',
  ),
  'other-name/rule.yaml': thing('{ size: 10 }'),
  'berth/berth.yaml': 'cluster: snapshot:../cluster/prod.yaml\n',
  'berth/rule.yaml': thing('{ size: 10 }'),
};

const messages = async (...argv: readonly string[]): Promise<readonly string[]> => {
  const { out } = await run(['check', '--format', 'json', ...argv], files);
  return JSON.parse(out).problems.map(
    (it: { code: string; message: string }) => `${it.code}: ${it.message.split(' — ')[0]}`,
  );
};

test.each(['prod', 'list'])(
  'a kind that only the snapshot %s.yaml defines is checked as the server does',
  async name => {
    const source = ['--cluster', `snapshot:cluster/${name}.yaml`];
    const told = Object.fromEntries(
      await Promise.all(
        ['good', 'unknown', 'type', 'rule', 'format'].map(async it => [it, await messages(...source, `${it}.yaml`)]),
      ),
    );
    expect(told).toEqual({
      good: [],
      unknown: ['decode/unknown-field: unknown field "spec.siez"; did you mean "size"?'],
      type: [
        "apiserver/refused: the definition's CEL rules are checked once the other problems are solved",
        'apiserver/refused: "size" must be an integer, not text',
      ],
      rule: ['apiserver/refused: "spec" breaks a rule of its definition: is too large'],
      format: [
        "apiserver/refused: the definition's CEL rules are checked once the other problems are solved",
        'apiserver/refused: "today" is no valid date',
      ],
    });
  },
);

test('the definition of the workspace counts where the snapshot has one of the same name', async () => {
  const source = ['--cluster', 'snapshot:cluster/prod.yaml'];
  expect(await messages(...source, 'open')).toEqual([]);
  expect(await messages(...source, 'text')).toEqual(['apiserver/refused: "size" must be text, not an integer']);
  expect(await messages(...source, 'other-version')).toEqual([]);
  expect(await messages(...source, 'other-name')).toEqual([
    'apiserver/refused: "spec" breaks a rule of its definition: is too large',
  ]);
});

test('nothing is known of the kind without the snapshot, which a berth.yaml may name', async () => {
  expect(await messages('rule.yaml')).toEqual([]);
  expect(await messages('berth')).toEqual(['apiserver/refused: "spec" breaks a rule of its definition: is too large']);
});

test('in an editor the kinds follow the cluster and the workspace', () => {
  const [key, uri] = ['snapshot:/prod.yaml', 'file:///w/rule.yaml'];
  const host = createAnalysisHost({
    readPack,
    onBug: (_, error) => {
      throw error;
    },
  });
  const told = (): readonly string[] =>
    host
      .analysis()
      .diagnostics(uri)
      .map(it => it.message.split(' — ')[0]!);
  const inCluster = (text: string): readonly string[] =>
    host.apply({ clusters: [{ key, content: snapshotContent([parse(text)]) }] });
  host.apply({
    settings: { ...defaultSettings, cluster: key },
    files: [{ uri, text: thing('{ size: 10 }') }],
  });
  expect(told()).toEqual([]);
  expect(inCluster(definition(schema))).toContain(uri);
  expect(told()).toEqual(['"spec" breaks a rule of its definition: is too large']);
  inCluster(definition(schema.replace('size < 10', 'size < 20')));
  expect(told()).toEqual([]);
  const own = { uri: 'file:///w/crd.yaml', text: definition(schema.replace('is too large', 'is not small')) };
  expect(host.apply({ files: [own] })).toContain(uri);
  expect(told()).toEqual(['"spec" breaks a rule of its definition: is not small']);
  host.apply({ files: [{ uri: own.uri, text: undefined }] });
  expect(told()).toEqual([]);
});
