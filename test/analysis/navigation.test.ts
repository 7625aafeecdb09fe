import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../server/src/text/span';
import { analysisOf } from './analyse';

/** `‸` is where the cursor stands. */
const CURSOR = '‸';

const CONFIG = `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: shop
data:
  color: red
`;
const STRANGER = CONFIG.replace('namespace: shop', 'namespace: other');
const SERVICE = `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  selector: {app: web}
  ports: [{name: http, port: 80, targetPort: http}]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: shop}
spec: {defaultBackend: {service: {name: web, port: {name: http}}}}
`;
const WORKLOAD = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, namespace: shop}
spec:
  serviceName: "web"
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: main
          image: nginx
          env: [{name: C, valueFrom: {configMapKeyRef: {name: settings, key: color}}}]
          ports: [{name: http, containerPort: 80}]
          readinessProbe: {httpGet: {port: http}}
          volumeMounts: [{name: files, mountPath: /a}, {name: data, mountPath: /b}]
      volumes:
        - name: files
          configMap: {name: 'settings'}
  volumeClaimTemplates: [{metadata: {name: data}}]
`;
const FILES = {
  'test:///config.yaml': CONFIG,
  'test:///other.yaml': STRANGER,
  'test:///service.yaml': SERVICE,
  'test:///workload.yaml': WORKLOAD,
};

/** The analysis with the cursor before the first place of some text, `after` others. */
function cursor(file: keyof typeof FILES, text: string, at: string) {
  const marked = FILES[file].replace(text, at);
  const offset = marked.indexOf(CURSOR);
  if (offset < 0) throw new Error(`no cursor in ${at}`);
  return { analysis: analysisOf(FILES), uri: file, offset };
}

const lineOf = (uri: string, start: number): string => {
  const text = FILES[uri as keyof typeof FILES];
  const line = text.slice(0, start).split('\n').length;
  return `${uri.slice('test:///'.length)}:${line}`;
};

describe('go to definition', () => {
  test.each([
    ['name: settings, key', `name: ${CURSOR}settings, key`, ['config.yaml:4']],
    ['key: color', `key: co${CURSOR}lor`, ['config.yaml:7']],
    ["name: 'settings'", `name: 'set${CURSOR}tings'`, ['config.yaml:4']],
    ['port: http', `port: ${CURSOR}http`, ['workload.yaml:14']],
    ['{name: files,', `{name: ${CURSOR}files,`, ['workload.yaml:18']],
    ['{name: data,', `{name: ${CURSOR}data,`, ['workload.yaml:20']],
    ['serviceName: "web"', `serviceName: "${CURSOR}web"`, ['service.yaml:3']],
    ['image: nginx', `image: ${CURSOR}nginx`, []],
  ])('%s', (text, at, places) => {
    const { analysis, uri, offset } = cursor('test:///workload.yaml', text, at);
    const found = analysis.definition(uri, offset)?.locations ?? [];
    expect(found.map(it => lineOf(it.uri, it.span.start))).toEqual(places);
  });

  test('of a selector are the objects that it selects', () => {
    const { analysis, uri, offset } = cursor('test:///service.yaml', 'selector: {app', `selector: {${CURSOR}app`);
    const found = analysis.definition(uri, offset)?.locations ?? [];
    expect(found.map(it => lineOf(it.uri, it.span.start))).toEqual(['workload.yaml:3']);
  });
});

describe('find references', () => {
  const found = (file: keyof typeof FILES, text: string, at: string, wanted: 'uses' | 'usesAndDefinitions') => {
    const { analysis, uri, offset } = cursor(file, text, at);
    return analysis.references(uri, offset, wanted).map(it => lineOf(it.uri, it.span.start));
  };

  test('of a ConfigMap, from its name and from a use, only in its namespace', () => {
    const all = ['config.yaml:4', 'workload.yaml:13', 'workload.yaml:19'];
    const byName = found('test:///config.yaml', 'name: settings', `name: ${CURSOR}settings`, 'usesAndDefinitions');
    const byUse = found('test:///workload.yaml', 'name: settings', `name: ${CURSOR}settings`, 'usesAndDefinitions');
    expect([...byName].sort()).toEqual(all);
    expect([...byUse].sort()).toEqual(all);
    expect(found('test:///other.yaml', 'name: settings', `name: ${CURSOR}settings`, 'uses')).toEqual([]);
  });

  test('of a key are the fields that read it', () => {
    expect(found('test:///config.yaml', 'color: red', `co${CURSOR}lor: red`, 'uses')).toEqual(['workload.yaml:13']);
  });

  test('of a workload are the selectors over its Pods', () => {
    expect(found('test:///workload.yaml', 'name: web', `name: ${CURSOR}web`, 'uses')).toEqual(['service.yaml:5']);
  });
});

describe('rename', () => {
  const renamed = (
    file: keyof typeof FILES,
    text: string,
    at: string,
    newName: string,
  ): Record<string, string> | string => {
    const { analysis, uri, offset } = cursor(file, text, at);
    const renaming = analysis.rename(uri, offset, newName);
    if ('refusal' in renaming) return renaming.refusal;
    const uris = [...new Set(renaming.edits.map(it => it.uri))];
    return Object.fromEntries(
      uris.map(it => {
        const edits = renaming.edits.filter(edit => edit.uri === it);
        return [it, applyEdits(FILES[it as keyof typeof FILES], edits)];
      }),
    );
  };

  test('changes an object and its uses, keeping quotes, and no other object of that name', () => {
    const expected = {
      'test:///config.yaml': CONFIG.replace('settings', 'options'),
      'test:///workload.yaml': WORKLOAD.replaceAll('settings', 'options'),
    };
    expect(renamed('test:///config.yaml', 'name: settings', `name: ${CURSOR}settings`, 'options')).toEqual(expected);
    expect(renamed('test:///workload.yaml', 'name: settings', `name: ${CURSOR}settings`, 'options')).toEqual(expected);
  });

  test('changes a key, a port and a volume with their uses', () => {
    expect(renamed('test:///config.yaml', 'color: red', `${CURSOR}color: red`, 'shade')).toEqual({
      'test:///config.yaml': CONFIG.replace('color', 'shade'),
      'test:///workload.yaml': WORKLOAD.replace('key: color', 'key: shade'),
    });
    expect(renamed('test:///service.yaml', 'ports: [{name: http', `ports: [{name: ${CURSOR}http`, 'plain')).toEqual({
      'test:///service.yaml': SERVICE.replaceAll('name: http', 'name: plain'),
    });
    const port = 'ports: [{name: http, c';
    expect(renamed('test:///workload.yaml', port, port.replace('http', `${CURSOR}http`), 'plain')).toEqual({
      'test:///workload.yaml': WORKLOAD.replace(port, port.replace('http', 'plain')).replace(
        'port: http',
        'port: plain',
      ),
      'test:///service.yaml': SERVICE.replace('targetPort: http', 'targetPort: plain'),
    });
    expect(renamed('test:///workload.yaml', '- name: files', `- name: ${CURSOR}files`, '1st')).toEqual({
      'test:///workload.yaml': WORKLOAD.replaceAll('name: files', 'name: 1st'),
    });
  });

  test.each([
    ['selector: {app', `selector: {${CURSOR}app`, 'x', /selector is not renamed/],
    ['name: web', `name: ${CURSOR}web`, 'Two Words', /cannot be/],
    ['port: 80', `port: ${CURSOR}80`, 'x', /no name/],
  ] as const)('refuses %s', (text, at, name, words) => {
    expect(renamed('test:///service.yaml', text, at, name)).toMatch(words);
  });

  test('rejects a name that is in use, and one that a controller generates', () => {
    const more = `${CONFIG}---\n${CONFIG.replace('settings', 'options')}---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: shop}\nspec: {volumes: [{name: d, persistentVolumeClaim: {claimName: data-web-0}}]}\n`;
    const analysis = analysisOf({ ...FILES, 'test:///config.yaml': more });
    const at = (text: string): number => more.indexOf(text);
    expect(analysis.rename('test:///config.yaml', at('settings'), 'options')).toMatchObject({
      refusal: 'There is a ConfigMap options already.',
    });
    expect(analysis.renamable('test:///config.yaml', at('data-web-0'))).toMatchObject({
      refusal: expect.stringContaining('made by StatefulSet web'),
    });
  });
});

test('document links refer to other objects only', () => {
  const links = analysisOf(FILES).documentLinks('test:///workload.yaml');
  expect(
    links.map(
      it => `${WORKLOAD.slice(it.span.start, it.span.end)} → ${it.locations.map(to => lineOf(to.uri, to.span.start))}`,
    ),
  ).toEqual([
    '"web" → service.yaml:3',
    'settings → config.yaml:4',
    'color → config.yaml:7',
    "'settings' → config.yaml:4",
  ]);
});

test('names that thousands define and refer to are each found once, without a look at each pair', () => {
  const count = 600;
  const all = (document: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => `---\n${document(i)}`).join('');
  const text =
    all(
      i =>
        `apiVersion: v1\nkind: Pod\nmetadata: { name: a${i}, namespace: b, labels: { app: a } }\nspec: { containers: [{ name: c, image: "a:1", ports: [{ name: http, containerPort: 80 }], envFrom: [{ configMapRef: { name: m } }] }] }\n`,
    ) +
    all(
      i =>
        `apiVersion: v1\nkind: Service\nmetadata: { name: s${i}, namespace: b }\nspec: { selector: { app: a }, ports: [{ port: 80, targetPort: http }] }\n`,
    ) +
    all(() => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: m, namespace: b }\ndata: { k: v }\n`);
  const uri = 'test:///many.yaml';
  const analysis = analysisOf({ [uri]: text });
  const at = (written: string): number => text.indexOf(written);
  expect(analysis.references(uri, at('http,'), 'usesAndDefinitions')).toHaveLength(2 * count);
  expect(analysis.references(uri, at('http }] }'), 'uses')).toHaveLength(count);
  expect(analysis.references(uri, at('{ app: a }, ports') + 2, 'uses')).toHaveLength(count);
  expect(analysis.definition(uri, at('http }] }'))?.locations).toHaveLength(count);
  expect(analysis.documentLinks(uri)).toHaveLength(2 * count);
  const tokens = analysis.semanticTokens(uri, { start: 0, end: text.length });
  expect(tokens.filter(it => it.type === 'variable')).toHaveLength(2 * count);
});

test('a name that thousands of a Pod define and refer to is found once each', () => {
  const count = 2_000;
  const volumes = '    - { name: v, emptyDir: {} }\n'.repeat(count);
  const container = '    - { name: c, image: "a:1", volumeMounts: [{ name: v, mountPath: /a }] }\n';
  const text = `apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec:\n  volumes:\n${volumes}  containers:\n${container.repeat(count)}`;
  const uri = 'test:///pod.yaml';
  const analysis = analysisOf({ [uri]: text });
  expect(analysis.references(uri, text.indexOf('v, emptyDir'), 'usesAndDefinitions')).toHaveLength(2 * count);
  expect(analysis.semanticTokens(uri, { start: 0, end: text.length }).length).toBeGreaterThan(2 * count);
});
