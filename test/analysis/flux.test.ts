import { describe, expect, test } from 'vitest';
import { defaultSettings, type Settings } from '../../server/src/analysis/configuration/settings';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { readPack } from '../support/packs';
import { throwBug } from '../support/throwBug';
import { analysisOf } from './analyse';

type Files = Readonly<Record<string, string>>;

const flux = (path: string, more = ''): string => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: shop, namespace: flux-system }
spec:
  interval: 1h
  path: ${path}
  prune: true
  sourceRef: { kind: GitRepository, name: flux-system }
${more}`;
const TARGET = '  targetNamespace: shop\n';
const SETTINGS = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\n';
const READER = `apiVersion: v1
kind: Pod
metadata: { name: reader, namespace: shop }
spec: { containers: [{ name: web, image: "web:1", envFrom: [{ configMapRef: { name: settings } }] }] }
`;
const ROUTE = `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: web }
spec: { rules: [{ backendRefs: [{ name: web, namespace: shop, port: 80 }] }] }
`;
const SERVICE =
  'apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { selector: { app: web }, ports: [{ port: 80 }] }\n';

const appOf = (text: string): Files => ({
  'apps/shop/app/kustomization.yaml': 'resources: [it.yaml]\n',
  'apps/shop/app/it.yaml': text,
});

const messages = (files: Files, uri: string, settings: Partial<Settings> = {}): readonly string[] =>
  analysisOf(files, settings)
    .diagnostics(uri)
    .flatMap(it => (it.code === 'references/namespace-missing' ? [] : it.message));

describe('what a Kustomization of Flux adds to the folder that it deploys', () => {
  const complete = { completeSources: true };

  test.each([
    ['the path from the root of the repository', './apps/shop/app', 0],
    ['without a dot', 'apps/shop/app/', 0],
    ['another folder', './apps/shop', 1],
    ['a folder that is not there', './elsewhere', 1],
  ])('the namespace: %s', (_name, path, count) => {
    const files = { ...appOf(SETTINGS), 'apps/shop/ks.yaml': flux(path, TARGET), 'reader.yaml': READER };
    expect(messages(files, 'reader.yaml', complete)).toHaveLength(count);
  });

  test('the namespace is named in messages, and needs no grant for its own objects', () => {
    const files = { ...appOf(`${SERVICE}---\n${ROUTE}`), 'apps/shop/ks.yaml': flux('./apps/shop/app', TARGET) };
    expect(messages(files, 'apps/shop/app/it.yaml')).toEqual([
      'this Service selects no Pod of namespace "shop" in this workspace',
    ]);
    const reader = READER.replace(', namespace: shop', '');
    const told = messages({ ...files, 'apps/shop/app/it.yaml': reader }, 'apps/shop/app/it.yaml');
    expect(told).toEqual(['ConfigMap "settings" of namespace "shop" is not defined in this workspace']);
  });

  test('so it is with the namespace of a kustomization', () => {
    const files = { ...appOf(`${SERVICE}---\n${ROUTE}`) };
    const kustomization = 'namespace: shop\nresources: [it.yaml]\n';
    const told = messages({ ...files, 'apps/shop/app/kustomization.yaml': kustomization }, 'apps/shop/app/it.yaml');
    expect(told).toEqual(['this Service selects no Pod of namespace "shop" in this workspace']);
  });

  test('patches may add what is missing', () => {
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web }] }\n';
    const found = (more: string) =>
      messages({ ...appOf(pod), 'apps/ks.yaml': flux('apps/shop/app', more) }, 'apps/shop/app/it.yaml').length;
    expect(found('')).toBe(1);
    expect(found('  patches: [{ target: { kind: Pod }, patch: "[]" }]\n')).toBe(0);
    expect(found('  patches: [{ target: { kind: Job }, patch: "[]" }]\n')).toBe(1);
  });

  test('the answer follows the file of Flux, whatever was read first', () => {
    const isOfMap = ({ code }: { readonly code: string }): boolean => code === 'references/config-map-missing';
    const host = createAnalysisHost({ readPack, onBug: throwBug });
    host.apply({ settings: { ...defaultSettings, completeSources: true } });
    const found = (files: Files) => {
      host.apply({ files: Object.entries(files).map(([uri, text]) => ({ uri, text })) });
      return host.analysis().diagnostics('reader.yaml').filter(isOfMap).length;
    };
    expect(found({ ...appOf(SETTINGS), 'reader.yaml': READER })).toBe(1);
    expect(found({ 'apps/shop/ks.yaml': flux('./apps/shop/app', TARGET) })).toBe(0);
    expect(found({ 'apps/shop/ks.yaml': flux('./apps/shop/app', '  targetNamespace: other\n') })).toBe(1);
    expect(found({ 'apps/shop/ks.yaml': flux('./apps/shop/app', TARGET) })).toBe(0);
    expect(found({ 'apps/shop/ks.yaml': SERVICE })).toBe(1);
  });

  test('kustomizations that share a component are deployed together where one folder holds them', () => {
    const files: Files = {
      'components/alerts/kustomization.yaml': 'kind: Component\nresources: [alerts.yaml]\n',
      'components/alerts/alerts.yaml': SETTINGS.replace('settings', 'alerts'),
      'apps/a/kustomization.yaml': 'components: [../../components/alerts]\nresources: [it.yaml]\n',
      'apps/a/it.yaml': READER,
      'apps/b/kustomization.yaml': 'components: [../../components/alerts]\nresources: [it.yaml]\n',
      'apps/b/it.yaml': SETTINGS.replace('name: settings', 'name: settings, namespace: shop'),
    };
    expect(messages(files, 'apps/a/it.yaml')).toHaveLength(1);
    expect(messages({ ...files, 'flux/ks.yaml': flux('./apps') }, 'apps/a/it.yaml')).toEqual([]);
    expect(messages({ ...files, 'flux/ks.yaml': flux('./apps/a') }, 'apps/a/it.yaml')).toHaveLength(1);
  });
});
