import { describe, expect, test } from 'vitest';
import { loadKube } from '../../server/src/kube/load';
import { problemsOfFile } from '../../server/src/rules/engine/run';
import { snapshotOf } from '../support/check';
import { readPack } from '../support/packs';

/** `CODE PATH` of every problem of one file. */
function problemsIn(files: Readonly<Record<string, string>>, uri: string): readonly string[] {
  const snapshot = snapshotOf(files);
  const kube = loadKube('1.37', {}, readPack);
  const onBug = (code: string, error: unknown) => {
    throw new Error(`${code}: ${error}`);
  };
  return problemsOfFile(snapshot.files.get(uri)!, snapshot.objectsIn(uri), { kube, snapshot }, { onBug }).map(
    it => `${it.code} ${it.fieldPath ?? ''}`,
  );
}

const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  template:
    spec:
      containers:
      - name: web
        imagePullPolicy: Sometimes
        prots: []
        $patch: merge
        stdinOnce: null
        gone: null
`;

describe('a patch', () => {
  const files = { 'a/kustomization.yaml': 'patches: [{ path: web.yaml }]', 'a/web.yaml': DEPLOYMENT };

  test('is checked only for the fields that it has', () => {
    expect(problemsIn(files, 'a/web.yaml')).toEqual([
      'apiserver/enum spec.template.spec.containers[0].imagePullPolicy',
      'decode/unknown-field spec.template.spec.containers[0].prots',
    ]);
  });

  test('has values of the types of its fields', () => {
    const typed = DEPLOYMENT.replace('prots: []', 'tty: "yes"');
    expect(problemsIn({ ...files, 'a/web.yaml': typed }, 'a/web.yaml')).toEqual([
      'decode/type-mismatch spec.template.spec.containers[0].tty',
    ]);
  });

  test('is checked as a whole object once it is a resource', () => {
    const found = problemsIn({ ...files, 'a/kustomization.yaml': 'resources: [web.yaml]' }, 'a/web.yaml');
    expect(found).toContain('decode/unknown-field spec.template.spec.containers[0].gone');
    expect(found).toContain('decode/unknown-field spec.template.spec.containers[0].$patch');
  });

  test('is recognized by its name without a kustomization', () => {
    const scaffold = {
      'crd/kustomization.yaml': '#- patches/web.yaml\n',
      'crd/patches/web.yaml': 'kind: Pod\napiVersion: v1\n',
    };
    expect(problemsIn(scaffold, 'crd/patches/web.yaml')).toEqual([]);
    expect(problemsIn({ 'patches/web.yaml': 'kind: Pod\napiVersion: v1\n' }, 'patches/web.yaml')).not.toEqual([]);
    const ofKubeadm = 'kind/patches/kube-scheduler0+strategic.yaml';
    expect(problemsIn({ [ofKubeadm]: 'kind: Pod\napiVersion: v1\n' }, ofKubeadm)).toEqual([]);
  });

  test('defines no objects that references could find', () => {
    const snapshot = snapshotOf(files);
    expect(snapshot.objectsOf('apps', 'Deployment')).toEqual([]);
    expect(snapshot.objectsIn('a/web.yaml')).toHaveLength(1);
  });
});

const BARE =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { template: { spec: { containers: [{ name: a, image: b }] } } }\n';

describe('fields that a kustomization adds are not reported as missing', () => {
  test.each([
    ['labels with selectors', 'commonLabels: { app: web }'],
    ['labels that say so', 'labels: [{ pairs: { app: web }, includeSelectors: true }]'],
  ])('%s', (_name, line) => {
    const files = { 'kustomization.yaml': `resources: [web.yaml]\n${line}\n`, 'web.yaml': BARE };
    expect(problemsIn(files, 'web.yaml')).toEqual([]);
  });

  test('the namespace that a kustomization sets is that of subjects, too', () => {
    const binding = [
      'apiVersion: rbac.authorization.k8s.io/v1',
      'kind: ClusterRoleBinding',
      'metadata: { name: ci }',
      'roleRef: { kind: ClusterRole, name: view }',
      'subjects: [{ kind: ServiceAccount, name: ci }]',
    ].join('\n');
    const files = (line: string) => ({ 'kustomization.yaml': `resources: [crb.yaml]\n${line}\n`, 'crb.yaml': binding });
    const found = (line: string) =>
      problemsIn(files(line), 'crb.yaml').filter(it => it.startsWith('apiserver/required'));
    expect(found('namespace: prod')).toEqual([]);
    expect(found('namePrefix: a-')).toHaveLength(1);
  });

  test('labels without selectors add no selector', () => {
    const files = {
      'kustomization.yaml': 'resources: [web.yaml]\nlabels: [{ pairs: { app: web } }]\n',
      'web.yaml': BARE,
    };
    expect(problemsIn(files, 'web.yaml')).toContain('apiserver/required spec.selector');
  });

  test('a patch of this object, however far above, adds fields; one of another object does not', () => {
    const patched = (name: string) => ({
      'base/kustomization.yaml': 'resources: [pod.yaml]\n',
      'base/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: a }] }\n',
      'prod/kustomization.yaml': 'resources: [../base]\npatches: [{ path: image.yaml }]\n',
      'prod/image.yaml': `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ name: a, image: b }] }\n`,
    });
    expect(problemsIn(patched('web'), 'base/pod.yaml')).toEqual([]);
    expect(problemsIn(patched('db'), 'base/pod.yaml')).toEqual(['apiserver/required spec.containers[0].image']);
  });

  test('variables may replace names', () => {
    const files = (vars: string) => ({
      'kustomization.yaml': `resources: [ns.yaml]\n${vars}`,
      'ns.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: $(NAME) }\n',
    });
    expect(problemsIn(files('vars: [{ name: NAME }]\n'), 'ns.yaml')).toEqual([]);
    expect(problemsIn(files(''), 'ns.yaml')).toContain('apiserver/refused metadata.name');
  });
});

describe('values that another tool sets', () => {
  test('are not checked, but the rest of the object is', () => {
    const text = `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: "app-\${ENV}" }\nspec:\n  replicas: \${REPLICAS}\n  paused: nope\n`;
    expect(problemsIn({ 'a.yaml': text }, 'a.yaml')).toEqual(['decode/type-mismatch spec.paused']);
  });

  test.each([
    ['templates/a.yaml', 'apiVersion: v1\nkind: Pod\n'],
    ['templates/b.yaml', '{{- if .x }}\nkind: {{ .y }\n'],
    ['values.yaml', 'kind: Pod\nspec: 1\n'],
    ['Chart.yaml', 'apiVersion: v2\nname: x\n'],
  ])('says nothing of %s of a chart', (path, text) => {
    expect(problemsIn({ 'c/Chart.yaml': 'apiVersion: v2\nname: c\n', [`c/${path}`]: text }, `c/${path}`)).toEqual([]);
  });

  test('values must be YAML, and CRDs are whole objects', () => {
    const files = {
      'c/Chart.yaml': '',
      'c/values.yaml': 'a: "b\n',
      'c/crds/x.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: { name: A_ }\nspec: 1\n',
    };
    expect(problemsIn(files, 'c/values.yaml')).toEqual(['syntax/unclosed ']);
    expect(problemsIn(files, 'c/crds/x.yaml')).toEqual(['decode/type-mismatch spec']);
  });
});
