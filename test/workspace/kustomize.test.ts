import { describe, expect, test } from 'vitest';
import { parseManifests } from '../../server/src/manifest/parse';
import { kustomizationGraph } from '../../server/src/workspace/kustomize';
import { effectsOn, MOST_PATCHES } from '../../server/src/workspace/kustomizeEffects';
import { resolveIn } from '../../server/src/workspace/paths';

const parsed = (texts: Readonly<Record<string, string>>, root = '') =>
  new Map(Object.entries(texts).map(([name, text]) => [root + name, parseManifests(root + name, text)]));

const TREE = {
  'app/base/kustomization.yaml': 'resources: [web.yaml, ../shared, "https://example.com/crds.yaml"]\n',
  'app/base/web.yaml': 'kind: Deployment\n',
  'app/shared/kustomization.yml': 'resources: [role.yaml]\nconfigMapGenerator:\n- files: [settings=conf.yaml]\n',
  'app/shared/role.yaml': 'kind: Role\n',
  'app/shared/conf.yaml': 'a: b\n',
  'app/prod/kustomization.yaml': [
    'resources: [../base]',
    'components: [../tls]',
    'patches: [{ path: memory.yaml }, { patch: "- op: remove" }]',
    'patchesStrategicMerge:',
    '- old.yaml',
    '- |',
    '  kind: Deployment',
    'replacements: [{ path: names.yaml }]',
    'transformers: [prefix.yaml]',
    'helmCharts: [{ name: x, valuesFile: values.yaml }]',
  ].join('\n'),
  'app/prod/memory.yaml': 'kind: Deployment\n',
  'app/prod/old.yaml': 'kind: Deployment\n',
  'app/prod/names.yaml': 'source: {}\n',
  'app/prod/prefix.yaml': 'kind: PrefixTransformer\n',
  'app/prod/values.yaml': 'x: 1\n',
  'app/tls/kustomization.yaml': 'kind: Component\nresources: [cert.yaml]\n',
  'app/tls/cert.yaml': 'kind: Secret\n',
  'app/unused/kustomization.yaml': 'kind: Component\n',
  'app/stray.yaml': 'kind: Pod\n',
};

describe('the graph of kustomizations', () => {
  test('may be a chain of any length', () => {
    const chain = Array.from({ length: 10_000 }, (_, i): [string, string] => [
      `d${i}/kustomization.yaml`,
      `resources: [../d${i + 1}]\n`,
    ]);
    const last = { 'd10000/kustomization.yaml': 'resources: [pod.yaml]\n', 'd10000/pod.yaml': 'kind: Pod\n' };
    const graph = kustomizationGraph(parsed({ ...Object.fromEntries(chain), ...last }));
    expect(graph.roots.map(it => it.uri)).toEqual(['d0/kustomization.yaml']);
    expect([...graph.filesOf(graph.roots[0]!).objects]).toEqual(['d10000/pod.yaml']);
    expect(graph.buildersOf('d10000/pod.yaml')).toHaveLength(10_001);
  });

  test('gives the role of each file', () => {
    const graph = kustomizationGraph(parsed(TREE));
    const roles = Object.keys(TREE).map(it => `${it}: ${graph.roleOf(it) ?? 'not named'}`);
    expect(roles).toEqual([
      'app/base/kustomization.yaml: kustomization',
      'app/base/web.yaml: objects',
      'app/shared/kustomization.yml: kustomization',
      'app/shared/role.yaml: objects',
      'app/shared/conf.yaml: data',
      'app/prod/kustomization.yaml: kustomization',
      'app/prod/memory.yaml: patch',
      'app/prod/old.yaml: patch',
      'app/prod/names.yaml: configuration',
      'app/prod/prefix.yaml: plugin',
      'app/prod/values.yaml: values',
      'app/tls/kustomization.yaml: kustomization',
      'app/tls/cert.yaml: objects',
      'app/unused/kustomization.yaml: kustomization',
      'app/stray.yaml: not named',
    ]);
  });

  test('has as roots the unused kustomizations that can be built', () => {
    expect(kustomizationGraph(parsed(TREE)).roots.map(it => it.uri)).toEqual(['app/prod/kustomization.yaml']);
  });

  test('a root reads its bases and components, whatever uris look like', () => {
    const root = 'file:///home/ada/my%20files/';
    const graph = kustomizationGraph(parsed(TREE, root));
    const files = graph.filesOf(graph.roots[0]!);
    const names = (uris: ReadonlySet<string>) => [...uris].map(it => it.slice(root.length));
    expect(names(files.objects)).toEqual(['app/base/web.yaml', 'app/shared/role.yaml', 'app/tls/cert.yaml']);
    expect(names(files.patches)).toEqual(['app/prod/memory.yaml', 'app/prod/old.yaml']);
    expect(files.kustomizations.size).toBe(4);
    expect(files.others.size).toBe(4);
  });

  test('handles circular bases, none of which is a root', () => {
    const graph = kustomizationGraph(
      parsed({ 'a/kustomization.yaml': 'resources: [../b]', 'b/kustomization.yaml': 'resources: [../a]' }),
    );
    expect(graph.roots).toEqual([]);
    expect(graph.filesOf(graph.inFolder('a')!).kustomizations.size).toBe(2);
  });

  test('is reused until a kustomization changes or a file that it names is added or removed', () => {
    const before = parsed(TREE);
    const graph = kustomizationGraph(before);
    const typed = new Map(before).set('app/base/web.yaml', parseManifests('app/base/web.yaml', 'kind: Pod\n'));
    expect(kustomizationGraph(typed, graph)).toBe(graph);
    const gone = new Map(before);
    gone.delete('app/prod/memory.yaml');
    const without = kustomizationGraph(gone, graph);
    expect(without.filesOf(without.roots[0]!).patches.size).toBe(1);
    const uri = 'app/prod/kustomization.yaml';
    const edited = kustomizationGraph(new Map(before).set(uri, parseManifests(uri, 'resources: []')), graph);
    expect(edited.roots.map(it => it.folder)).toEqual(['app/base', 'app/prod']);
  });

  test('of a file that is no mapping and is renamed has its new name only', () => {
    const named = (uri: string) => new Map([[uri, parseManifests(uri, '- a list\n')]]);
    const graph = kustomizationGraph(named('b/kustomization.yml'), kustomizationGraph(named('a/kustomization.yaml')));
    expect([...graph.kustomizations.keys()]).toEqual(['b/kustomization.yml']);
  });
});

test.each([
  ['a/b', '../c.yaml', 'a/c.yaml'],
  ['a', '../../c.yaml', '../c.yaml'],
  ['.', 'c.yaml', 'c.yaml'],
  ['/a', './b/', '/a/b'],
  ['file:///a/b', '../x y#1.yaml', 'file:///a/x%20y%231.yaml'],
])('in %s, %s means %s', (folder, path, meant) => {
  expect(resolveIn(folder, path)).toBe(meant);
});

describe('the effects of patches', () => {
  const effects = (patches: string): readonly string[] => {
    const files = parsed({
      'kustomization.yaml': `resources: [web.yaml]\npatches:\n${patches}`,
      'web.yaml': 'kind: Deployment\nmetadata: { name: web }\n',
    });
    const manifest = files.get('web.yaml')!.documents[0]!.objects[0]!;
    return [...effectsOn({ manifest, kind: 'Deployment', name: 'web' }, kustomizationGraph(files), files)];
  };
  const others = (count: number): string =>
    '  - { target: { kind: Deployment, name: other.* }, patch: "[]" }\n'.repeat(count);

  test('are known of those that may have the object as a target', () => {
    expect(effects(others(1))).toEqual([]);
    expect(effects(`${others(1)}  - { target: { kind: Deploy.*, name: "w[e]b" }, patch: "[]" }\n`)).toEqual(['fields']);
    expect(effects('  - { target: { kind: Deployment, name: "(" }, patch: "[]" }\n')).toEqual(['fields']);
  });

  test('are possible where there are too many patches to compare with each object', () => {
    expect([effects(others(MOST_PATCHES)), effects(others(MOST_PATCHES + 1))]).toEqual([[], ['fields']]);
  });
});

test('a kustomization is read once for all graphs of a file', () => {
  const files = parsed(TREE);
  const [one, other] = [kustomizationGraph(files), kustomizationGraph(files)];
  for (const [uri, it] of one.kustomizations) expect(other.kustomizations.get(uri)).toBe(it);
});
