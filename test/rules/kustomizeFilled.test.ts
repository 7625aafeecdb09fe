import { describe, expect, test } from 'vitest';
import { diagnose } from '../support/check';

const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\n';
const deployment =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  selector: { matchLabels: { app: web } }\n  template:\n    metadata: { labels: { app: web } }\n    spec: { containers: [{ name: web, image: nginx }] }\n';
const reader = (name: string, namespace = 'shop'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: reader, namespace: ${namespace} }\nspec:\n  containers: [{ name: web, image: nginx, envFrom: [{ configMapRef: { name: ${name} } }] }]\n`;
const service = (env: string): string =>
  `apiVersion: v1\nkind: Service\nmetadata: { name: web, namespace: shop }\nspec: { selector: { app: web, env: ${env} }, ports: [{ port: 80 }] }\n`;

/** The codes for a text outside of an overlay with a prefix, a namespace and a label. */
const codes = (text: string): readonly string[] =>
  diagnose(text, {
    name: 'outside.yaml',
    beside: {
      'base/kustomization.yaml': 'nameSuffix: -v2\nresources: [app.yaml]\n',
      'base/app.yaml': `${settings}---\n${deployment}`,
      'prod/kustomization.yaml':
        'resources: [../base]\nnamespace: shop\nnamePrefix: prod-\nlabels: [{ includeSelectors: true, pairs: { env: prod } }]\n',
    },
  }).map(it => it.code);

describe('what the transformers of a kustomization fill in is there', () => {
  test.each([
    ['the name and the namespace', reader('prod-settings-v2'), []],
    ['the name of the base alone', reader('settings-v2'), []],
    ['another prefix', reader('test-settings-v2'), ['references/config-map-missing']],
    ['another namespace', reader('prod-settings-v2', 'other'), ['references/config-map-missing']],
    ['labels', service('prod'), []],
    ['another label', service('test'), ['references/selector-matches-nothing']],
  ])('%s', (_what, text, expected) => {
    expect(codes(text)).toEqual(expected);
  });
});

describe('a name that many prefixes may have made', () => {
  /** Of twenty overlays of one base, each with a prefix, and what reads the ConfigMap of the base by a name. */
  const found = (prefixOf: (overlay: number) => string, name: string): readonly string[] => {
    const overlays = Array.from({ length: 20 }, (_, i) => [
      `o${i}/kustomization.yaml`,
      `resources: [../base]\nnamePrefix: ${prefixOf(i)}\n`,
    ]);
    const beside = { 'base/kustomization.yaml': 'resources: [app.yaml]\n', 'base/app.yaml': settings };
    return diagnose(reader(name, 'default'), {
      name: 'outside.yaml',
      beside: { ...beside, ...Object.fromEntries(overlays) },
    }).map(it => it.code);
  };

  test('is looked for once where the prefixes are equal', () => {
    expect(found(() => 'a', `${'a'.repeat(20)}settings`)).toEqual([]);
    expect(found(() => 'a', `${'a'.repeat(21)}settings`)).toEqual(['references/config-map-missing']);
  });

  test('counts as made where there are too many orders of them', () => {
    expect(found(i => 'a'.repeat(i + 1), `${'a'.repeat(211)}settings`)).toEqual([]);
  });

  test('counts as made where there are too many names before it, unless no object has so long a name', () => {
    const both = {
      'base/kustomization.yaml': 'resources: [app.yaml]\nnamePrefix: a\nnameSuffix: b\n',
      'base/app.yaml': settings,
    };
    const of = (name: string) =>
      diagnose(reader(name, 'default'), { name: 'outside.yaml', beside: both }).map(it => it.code);
    expect(of('a'.repeat(100) + 'b'.repeat(100))).toEqual([]);
    expect(of('a'.repeat(5_000))).toContain('references/config-map-missing');
  });
});

describe('the name of a Namespace that kustomize replaces', () => {
  const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: _ }\n';
  const component = { 'kustomization.yaml': 'kind: Component\nresources: [namespace.yaml]\n' };
  const codesOf = (text: string, beside: Readonly<Record<string, string>>, name = 'namespace.yaml') =>
    diagnose(text, { name, complete: true, beside }).map(it => it.code);

  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['by a namespace', { 'kustomization.yaml': 'namespace: shop\nresources: [namespace.yaml]\n' }, []],
    [
      'by the namespace of an overlay',
      {
        'kustomization.yaml': 'resources: [namespace.yaml]\n',
        'prod/kustomization.yaml': 'namespace: shop\nresources: [..]\n',
      },
      [],
    ],
    ['in a component that is included elsewhere', component, []],
    ['and not without a namespace', { 'kustomization.yaml': 'resources: [namespace.yaml]\n' }, ['apiserver/refused']],
    [
      'and not in a component that is included here',
      { ...component, 'prod/kustomization.yaml': 'components: [..]\n' },
      ['apiserver/refused'],
    ],
  ])('%s', (_what, beside, expected) => {
    expect([...new Set(codesOf(namespace, beside))]).toEqual(expected);
  });

  test('is the namespace that other objects are in', () => {
    const beside = {
      'kustomization.yaml': 'namespace: shop\nresources: [namespace.yaml]\n',
      'namespace.yaml': namespace,
    };
    const inNamespace = (name: string) => settings.replace('settings }', `settings, namespace: ${name} }`);
    expect(codesOf(inNamespace('shop'), beside, 'app.yaml')).toEqual([]);
    expect(codesOf(inNamespace('other'), beside, 'app.yaml')).toEqual(['references/namespace-missing']);
  });
});
