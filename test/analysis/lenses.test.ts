import { expect, it } from 'vitest';
import { analysisOf } from './analyse';

const uri = 'file:///ws/a/all.yaml';
const nodes = ['n1', 'n2']
  .map(
    name => `apiVersion: v1
kind: Node
metadata: {name: ${name}, labels: {kubernetes.io/hostname: ${name}}}
status: {allocatable: {cpu: "4", memory: 4Gi, pods: "10"}}
---
`,
  )
  .join('');
const deployment = (replicas: number, memory: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: nginx, resources: {requests: {memory: ${memory}}}}]}
`;

it.each([
  ['one Pod', 1, '1Gi', 'lands on n1 (or 1 equal) · 2 of 2 nodes fit'],
  ['Pods that spread', 2, '3Gi', '2 Pods land on n1, n2'],
  ['several on one node', 4, '2Gi', '4 Pods land on n1 ×2, n2 ×2'],
  ['more than fit', 3, '3Gi', '2 of 3 Pods land · 2 Insufficient memory'],
  ['a workload of none', 0, '1Gi', undefined],
])('the lens over a Deployment shows %s', (_, replicas, memory, title) => {
  const lenses = analysisOf({ [uri]: nodes + deployment(replicas, memory) }).codeLenses(uri);
  expect(lenses[0]?.title).toBe(title);
});

it('shows the victims of a Pod, and over the victim the preemptor', () => {
  const pod = (name: string, extra: string): string =>
    `---\napiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {${extra}, containers: [{name: main, image: nginx, resources: {requests: {memory: 3Gi}}}]}\n`;
  const node = nodes.slice(0, nodes.indexOf('---'));
  const urgent = '---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: urgent}\nvalue: 10\n';
  const text = node + urgent + pod('low', 'nodeName: n1') + pod('high', 'priorityClassName: urgent');
  expect(
    analysisOf({ [uri]: text })
      .codeLenses(uri)
      .map(it => it.title),
  ).toEqual(['would be evicted to make room for default/high', 'lands on n1 · 1 of 1 nodes fit · evicts default/low']);
});

it('shows Pods that the server rejects, and those that are not created then', () => {
  const quota = '---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: "1"}}\n';
  const [lens] = analysisOf({ [uri]: nodes + deployment(4, '1Gi') + quota }).codeLenses(uri);
  expect(lens?.title).toBe('1 of 4 Pods land · exceeded quota: q');
});

it('does not confuse a custom resource of kind Job with the Job of that name', () => {
  const job = (apiVersion: string): string =>
    `---\napiVersion: ${apiVersion}\nkind: Job\nmetadata: {name: web}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: a}]}}}\n`;
  const text = nodes.slice(0, -4) + job('batch.volcano.sh/v1alpha1') + job('batch/v1');
  const lenses = analysisOf({ [uri]: text }).codeLenses(uri);
  expect(lenses.map(it => text.slice(it.span.start).split('\n')[0])).toEqual(['apiVersion: batch/v1']);
});
