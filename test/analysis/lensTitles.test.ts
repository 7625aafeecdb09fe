import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldedNames } from '../../server/src/text/foldedNames';
import { analysisOf } from './analyse';

const ZONES = ['a', 'b', 'c'];
const cloudNodes = Array.from({ length: 12 }, (_, i) => `ip-10-0-${i % 3}-${10 + i}.eu-west-1.compute.internal`);
const node = (name: string, i: number): string =>
  `apiVersion: v1\nkind: Node\nmetadata: { name: ${name}, labels: { topology.kubernetes.io/zone: eu-west-1${ZONES[i % 3]} } }\nstatus: { allocatable: { cpu: "4", memory: 16Gi, pods: "110" } }\n`;
const deployment = (replicas: number, spec: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { replicas: ${replicas}, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { ${spec} } } }\n`;
const container = (cpu: string): string =>
  `containers: [{ name: c, image: i, resources: { requests: { cpu: "${cpu}" } } }]`;

describe('the lens of a workload on twelve nodes of a cloud', () => {
  const uri = 'file:///ws/workloads/web.yaml';
  const nodes = cloudNodes.map(node).join('---\n');
  test.each([
    ['one Pod', 1, container('1'), /^lands on 0-10 \(or 11 equal\) · 12 of 12 nodes fit$/],
    ['many Pods', 9, container('3'), /^9 Pods land on 9 nodes$/],
    [
      'a selector that nothing matches',
      1,
      `nodeSelector: { disk: ssd }, ${container('1')}`,
      /^does not fit: 12 didn't match Pod's node affinity\/selector$/,
    ],
    ['too few nodes', 20, container('3'), /^12 of 20 Pods land · 12 Insufficient cpu$/],
  ])('has at most 60 columns: %s', (_, replicas, spec, title) => {
    const files = { 'file:///ws/cluster/nodes.yaml': nodes, [uri]: deployment(replicas, spec) };
    const [lens] = analysisOf(files).codeLenses(uri);
    expect(lens?.title.replace('…', '')).toMatch(title);
    expect(lens?.title.length).toBeLessThanOrEqual(60);
  });
});

describe('the lens of a workload that is refused', () => {
  const uri = 'file:///ws/web.yaml';
  const nodes = cloudNodes.map(node).join('---\n');
  const titleOf = (text: string): string | undefined =>
    analysisOf({ 'file:///ws/nodes.yaml': nodes, [uri]: text }).codeLenses(uri)[0]?.title;

  test('says that the API server takes no such object', () => {
    const text = deployment(3, 'containers: [{ name: Not_A_Name, image: i }]');
    expect(titleOf(text)).toMatch(/^refused by the API server: .*"Not_A_Name"/);
  });

  test('says what a Pod lacks that is being typed', () => {
    expect(titleOf(deployment(3, 'containers: [{ name: c }]'))).toBe(
      'refused by the API server: this container has no "image"',
    );
    const bare = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: {}\n';
    expect(titleOf(bare)).toBe('refused by the API server: "spec" has no "containers"');
  });

  test('says that Pod Security takes none of its Pods', () => {
    const restricted =
      'apiVersion: v1\nkind: Namespace\nmetadata: { name: default, labels: { pod-security.kubernetes.io/enforce: restricted } }\n';
    expect(titleOf(`${deployment(3, container('1'))}---\n${restricted}`)).toBe('3 Pods are refused by Pod Security');
  });
});

describe('names that are folded', () => {
  test.each([
    [
      [
        'gke-prod-std-7f3c9a1e-0xq2',
        'gke-prod-std-7f3c9a1e-8kd1',
        'gke-prod-gpu-5b2d8e40-p9aa',
        'gke-prod-gpu-5b2d8e40-q2bb',
      ],
      ['…std-…0xq2', '…std-…8kd1', '…gpu-…p9aa', '…gpu-…q2bb'],
    ],
    [
      [
        'aks-userpool1-38219445-vmss000000',
        'aks-userpool1-38219445-vmss000001',
        'aks-userpool2-38219445-vmss000002',
        'aks-userpool2-38219445-vmss000003',
      ],
      ['aks-userpool1-…0000', 'aks-userpool1-…0001', 'aks-userpool2-…0002', 'aks-userpool2-…0003'],
    ],
    [
      ['gke-prod-pool-1-ab12', 'gke-prod-pool-1-cd34'],
      ['…ab12', '…cd34'],
    ],
    [
      ['ip-10-0-1-10.eu-west-1.compute.internal', 'ip-10-0-2-7.eu-west-1.compute.internal'],
      ['…1-10', '…2-7'],
    ],
    [
      ['gke-prod-std-7f3c9a1e-0xq2.europe-west1-a.internal', 'gke-prod-std-7f3c9a1e-8kd1.europe-west1-b.internal'],
      ['…0xq2', '…8kd1'],
    ],
    [
      ['node-a', 'node-b'],
      ['node-a', 'node-b'],
    ],
    [
      ['a.example.com', 'b.example.com', 'c.other.com'],
      ['a.example', 'b.example', 'c.other'],
    ],
    [['alone.example.com'], ['alone.example.com']],
  ])('%j', (names, folded) => {
    expect(names.map(foldedNames(names))).toEqual(folded);
  });

  test('stay different, whatever they are', () => {
    const name = fc.stringMatching(/^[ab1](?:[-.]?[ab1]){0,8}$/);
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 6 }), names => {
        expect(new Set(names.map(foldedNames(names))).size).toBe(names.length);
      }),
    );
  });
});
