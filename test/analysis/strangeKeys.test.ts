import { expect, it } from 'vitest';
import { analysisOf } from './analyse';

it('accepts an object whose apiVersion holds a key toString', () => {
  const analysis = analysisOf({ 'a.yaml': 'apiVersion: { toString: null }\nkind: Node\nmetadata: { name: a }\n' });
  analysis.clusterView();
  expect(analysis.diagnostics('a.yaml').length).toBeGreaterThan(0);
});

it('accepts classes whose names are no texts', () => {
  const named = (name: string): string =>
    `apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: ${name} }\n---\n`;
  const names = ['{ toString: null, valueOf: null }', '[]', 'null', '1', 'a'];
  const views = analysisOf({ 'a.yaml': names.map(named).join('') }, { cluster: 'workspace' }).clusterView();
  expect(views.flatMap(it => it.storageClasses.map(one => one.name))).toContain('a');
});

it('accepts classes and capacities whose fields are no texts', () => {
  const text = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast }
provisioner: { toString: null }
volumeBindingMode: []
---
apiVersion: storage.k8s.io/v1
kind: CSIStorageCapacity
metadata: { name: a }
storageClassName: fast
nodeTopology: { matchLabels: { a: { toString: null, valueOf: null }, b: one } }
capacity: 1Gi
`;
  const [view] = analysisOf({ 'a.yaml': text }, { cluster: 'workspace' }).clusterView();
  const capacities = [{ where: 'b=one', bytes: 2 ** 30 }];
  expect(view?.storageClasses).toMatchObject([{ provisioner: '', bindingMode: 'Immediate', capacities }]);
});

it.each(['1.32', '1.35', '1.37'])('accepts selectors of any form in %s', minor => {
  const forms = [
    '{ matchLabels: { a: null } }',
    '{ matchLabels: { a: [1] } }',
    '{ matchLabels: 1 }',
    '{ matchExpressions: [null] }',
    '{ matchExpressions: {} }',
    '{ matchExpressions: [{ key: 1, operator: [], values: { a: b } }] }',
    '{ matchExpressions: [{ key: a, operator: In, values: [null] }] }',
  ];
  const text = forms
    .map(
      (it, i) =>
        `apiVersion: v1\nkind: Pod\nmetadata: { name: a${i}, labels: { a: null } }\nspec:\n  containers: [{ name: c, image: "a:1" }]\n` +
        `  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: z, labelSelector: ${it} }] } }\n---\n` +
        `apiVersion: apps/v1\nkind: DaemonSet\nmetadata: { name: d${i}, namespace: other }\nspec: { selector: ${it} }\n---\n` +
        `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: b${i} }\nspec: { selector: ${it} }\n`,
    )
    .join('---\n');
  const { diagnostics } = analysisOf({ 'a.yaml': text }, { kubernetesVersion: minor });
  expect(diagnostics('a.yaml').length).toBeGreaterThan(0);
});

it.each([
  ['LimitRange', 'limits', '{ type: Container, max: { cpu: 9007199254740993 } }'],
  ['ResourceQuota', 'scopes', '9007199254740993'],
])('accepts integers of more than 53 bits in any place of a %s', (kind, list, item) => {
  const specs = ['9007199254740993', `{ ${list}: 9007199254740993 }`, `{ ${list}: [${item}] }`];
  const text = [
    ...specs.map((it, i) => `apiVersion: v1\nkind: ${kind}\nmetadata: { name: a${i} }\nspec: ${it}\n`),
    'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web, image: "web:1" }] }\n',
  ].join('---\n');
  expect(analysisOf({ 'a.yaml': text }).diagnostics('a.yaml').length).toBeGreaterThan(0);
});
