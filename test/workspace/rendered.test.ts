import { describe, expect, test } from 'vitest';
import { FieldPath } from '../../server/src/manifest/fieldPath';
import { helmOrigin } from '../../server/src/workspace/rendered/helmOrigin';
import { kustomizeOrigin } from '../../server/src/workspace/rendered/kustomizeOrigin';
import { renderedUri } from '../../server/src/workspace/rendered/names';
import { asDeployed, asWritten } from '../../server/src/workspace/view';
import { snapshotOf } from '../support/check';

const OUTPUT = renderedUri('prod');

const FILES = {
  'base/kustomization.yaml': 'resources: [pod.yaml]\n',
  'base/pod.yaml': `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
  - name: log
    image: log:1
  - name: web
    image: web:1
    tty: true
`,
  'prod/kustomization.yaml': `resources: [../base]
namePrefix: prod-
namespace: shop
images: [{ name: web, newTag: "2" }]
configMapGenerator: [{ name: settings, literals: [a=b] }]
patches:
- path: json.yaml
  target: { kind: Pod }
- path: merge.yaml
`,
  'prod/json.yaml': '# why\n- { op: replace, path: /spec/containers/0/image, value: log:2 }\n',
  'prod/merge.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { priority: 7 }\n',
  [OUTPUT]: `apiVersion: v1
kind: Pod
metadata:
  name: prod-web
  namespace: shop
spec:
  containers:
  - name: log
    image: log:2
  - name: web
    image: web:2
    tty: true
  priority: 7
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: prod-settings-8c7d
  namespace: shop
data:
  a: b
`,
};

describe('a position in kustomize’s output', () => {
  const snapshot = snapshotOf(FILES);
  const root = snapshot.roles.kustomizations.roots[0]!;
  const [pod, config] = snapshot.objectsIn(OUTPUT) as [ReturnType<typeof snapshot.objectsIn>[0], never];
  const containers = FieldPath.of('spec', 'containers');

  test.each([
    ['a strategic merge patch', pod, FieldPath.of('spec', 'priority'), 'prod/merge.yaml: 7'],
    ['a file of JSON patches', pod, containers.index(0).child('image'), 'prod/json.yaml: - { op: replace'],
    ['images', pod, containers.index(1).child('image'), 'prod/kustomization.yaml: images'],
    ['a prefix', pod, FieldPath.of('metadata', 'name'), 'prod/kustomization.yaml: namePrefix'],
    ['a namespace', pod, FieldPath.of('metadata', 'namespace'), 'prod/kustomization.yaml: namespace'],
    ['the resource', pod, containers.index(1).child('tty'), 'base/pod.yaml: true'],
    ['nothing: the nearest place of the resource', pod, containers.index(1).child('resources'), 'base/pod.yaml: name'],
    ['a generator', config, FieldPath.of('data', 'a'), 'prod/kustomization.yaml: settings'],
  ])('comes from %s', (_name, object, at, expected) => {
    const { uri, span } = kustomizeOrigin(object, { path: at, part: 'value' }, root, snapshot);
    const text = snapshot.files.get(uri)!.text.slice(span.start, span.end);
    expect(`${uri}: ${text}`.startsWith(expected) ? expected : `${uri}: ${text}`).toBe(expected);
  });

  test('navigation uses written objects, rules use deployed ones', () => {
    const names = (it: typeof snapshot) => it.objectsOf('', 'Pod').map(({ name }) => name);
    expect(names(asDeployed(snapshot))).toEqual(['prod-web']);
    expect(names(asWritten(snapshot))).toEqual(['web']);
    expect(asDeployed(snapshot).objectsIn('base/pod.yaml')).toHaveLength(1);
    const { [OUTPUT]: _, ...written } = FILES;
    expect(names(asDeployed(snapshotOf(written)))).toEqual(['web']);
  });
});

describe('a position in helm’s output', () => {
  const output = renderedUri('chart');
  const snapshot = snapshotOf({
    'chart/Chart.yaml': 'name: x\n',
    'chart/templates/a.yaml':
      'kind: Pod\nmetadata:\n  name: {{ .Values.name }}\nspec:\n  a: 1\n  b: 1\n  same: 1\n  same: 1\n',
    [output]:
      '---\n# Source: x/templates/a.yaml\nkind: Pod\nmetadata:\n  name: web\nspec:\n  b: 1\n  same: 1\n---\n# Source: x/charts/y/templates/b.yaml\nkind: Job\n',
  });
  const chart = { folder: 'chart', source: 'chart/Chart.yaml' };
  const [pod, job] = snapshot.objectsIn(output);

  test.each([
    ['the line that reads the same', pod!, 'b: 1', 'chart/templates/a.yaml: b: 1'],
    ['the line with the same key', pod!, 'name: web', 'chart/templates/a.yaml: name: {{ .Values.name }}'],
    ['the template, where several lines could be meant', pod!, 'same: 1', 'chart/templates/a.yaml: kind: Pod'],
    ['the chart, where the template is in an archive', job!, 'kind: Job', 'chart/Chart.yaml: name: x'],
  ])('comes from %s', (_name, { manifest }, line, expected) => {
    const file = snapshot.files.get(output)!;
    const start = file.text.indexOf(line);
    const { uri, span } = helmOrigin(
      { object: manifest, span: { start, end: start + 1 } },
      file,
      chart,
      snapshot.files,
    );
    expect(`${uri}: ${snapshot.files.get(uri)!.text.slice(span.start, span.end)}`).toBe(expected);
  });
});
