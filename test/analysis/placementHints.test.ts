import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../server/src/text/span';
import { analysisOf } from './analyse';

const uri = 'file:///ws/all.yaml';

const NODES = ['a', 'b', 'c']
  .map(
    (it, i) => `apiVersion: v1
kind: Node
metadata: { name: n${i}, labels: { zone: ${it}, disk: ${i === 0 ? 'hdd' : 'ssd'} } }
spec: { taints: ${i === 2 ? '[{ key: dedicated, value: gpu, effect: NoSchedule }]' : '[]'} }
status: { allocatable: { cpu: "4", memory: 4Gi, pods: "10" } }
`,
  )
  .join('---\n');

const RUNNING = ['cache-1', 'cache-2']
  .map(
    it => `---
apiVersion: v1
kind: Pod
metadata: { name: ${it}, namespace: default, labels: { app: cache } }
spec: { nodeName: n0, containers: [{ name: c, image: i }] }
`,
  )
  .join('');

function hinted(text: string): readonly string[] {
  const analysis = analysisOf({ 'file:///ws/nodes.yaml': NODES + RUNNING, [uri]: text });
  const edits = analysis
    .inlayHints(uri)
    .map(it => ({ span: { start: it.offset, end: it.offset }, newText: ` «${it.label}»` }));
  return applyEdits(text, edits)
    .split('\n')
    .filter(it => it.includes('«') && !it.includes('containers:'))
    .map(it => it.trim());
}

const pod = (spec: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: web, labels: { app: web } }\nspec:\n  containers: [{ name: c, image: i }]\n${spec}`;

describe('hints at scheduling fields', () => {
  it('are at each entry of a nodeSelector with several', () => {
    expect(hinted(pod('  nodeSelector:\n    disk: ssd\n    zone: a\n'))).toEqual([
      'nodeSelector: «matches 0 of 3 nodes»',
      'disk: ssd «matches 2 of 3 nodes»',
      'zone: a «matches 1 of 3 nodes»',
    ]);
  });

  it('are at each requirement of a term with several', () => {
    const affinity = `  affinity:
    nodeAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
        - weight: 1
          preference:
            matchExpressions:
              - key: disk
                operator: In
                values: [ssd]
              - { key: zone, operator: NotIn, values: [b] }
`;
    expect(hinted(pod(affinity))).toEqual([
      'preference: «matches 1 of 3 nodes»',
      '- key: «matches 2 of 3 nodes» disk',
      '- { key: «matches 2 of 3 nodes» zone, operator: NotIn, values: [b] }',
    ]);
  });

  it('name the node whose taint a toleration tolerates', () => {
    const tolerations = `  tolerations:
    - key: dedicated
      operator: Exists
    - { key: other, operator: Exists }
`;
    expect(hinted(pod(tolerations))).toEqual([
      'tolerations: «tolerates 1 taint»',
      '- key: «tolerates 1 taint of n2» dedicated',
      '- { key: «tolerates no taint» other, operator: Exists }',
    ]);
  });

  it('count the domains of a spread constraint, and their skew', () => {
    const constraint = (key: string, app: string): string =>
      `  topologySpreadConstraints:\n    - maxSkew: 3\n      topologyKey: ${key}\n      whenUnsatisfiable: ScheduleAnyway\n      labelSelector: { matchLabels: { app: ${app} } }\n`;
    expect(hinted(pod(constraint('zone', 'cache')))).toEqual(['- maxSkew: «3 domains · skew 2» 3']);
    expect(hinted(pod(constraint('zone', 'web')))).toEqual(['- maxSkew: «3 domains · skew 1» 3']);
    expect(hinted(pod(constraint('rack', 'web')))).toEqual(['- maxSkew: «no node to count has the label rack» 3']);
    expect(hinted(pod(`${constraint('zone', 'cache')}  nodeSelector: { disk: ssd }\n`))).toContain(
      '- maxSkew: «2 domains · skew 0» 3',
    );
  });

  it('count the Pods that an affinity to Pods matches', () => {
    const affinity = (app: string): string => `  affinity:
    podAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
        - weight: 1
          podAffinityTerm:
            topologyKey: zone
            labelSelector: { matchLabels: { app: ${app} } }
    podAntiAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        - topologyKey: zone
          labelSelector: { matchLabels: { app: nobody } }
`;
    expect(hinted(pod(affinity('cache')))).toEqual([
      'podAffinityTerm: «matches 2 Pods on 1 node»',
      '- topologyKey: «matches no Pod» zone',
    ]);
  });

  it('show the binding mode of a storage class, and the free capacity', () => {
    const storageClass = (name: string, mode: string): string =>
      `apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: ${name} }\nprovisioner: x.example.com\nvolumeBindingMode: ${mode}\n---\n`;
    const capacity =
      'apiVersion: storage.k8s.io/v1\nkind: CSIStorageCapacity\nmetadata: { name: c, namespace: default }\nstorageClassName: late\ncapacity: 80Gi\n---\n';
    const volume =
      'apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: v }\nspec: { storageClassName: early, capacity: { storage: 20Gi }, accessModes: [ReadWriteOnce], local: { path: /d } }\n---\n';
    const claim = (name: string): string =>
      `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: d }\nspec:\n  storageClassName: ${name}\n  accessModes: [ReadWriteOnce]\n  resources: { requests: { storage: 1Gi } }\n`;
    const classes =
      storageClass('late', 'WaitForFirstConsumer') + storageClass('early', 'Immediate') + capacity + volume;
    expect(hinted(classes + claim('late'))).toEqual([
      'storageClassName: late «binds when a Pod is placed · at most 80Gi in one place»',
    ]);
    expect(hinted(classes + claim('early'))).toEqual(['storageClassName: early «binds at once · to v, 20Gi»']);
    expect(hinted(classes + claim('early').replace('1Gi', '30Gi'))).toEqual([
      'storageClassName: early «binds at once · 1 free volume, the largest 20Gi»',
    ]);
    expect(hinted(classes + claim('unknown'))).toEqual([]);
  });

  it.each([
    '  topologySpreadConstraints: [5, { topologyKey: zone, labelSelector: 7 }, { topologyKey: zone, labelSelector: { matchExpressions: 3 } }]\n',
    '  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [1, { labelSelector: { matchExpressions: 4 } }] } }\n',
    '  affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: 5 }] } }\n',
    '  tolerations: [1, { key: 5 }]\n  nodeSelector: { a: 1, b: }\n',
  ])('accept incomplete text: %j', spec => {
    expect(() => hinted(pod(spec))).not.toThrow();
  });

  it('can be requested for a span, and then belong to objects that overlap it', () => {
    const two = `${pod('  nodeSelector: { disk: ssd }\n')}---\n${pod('  nodeSelector: { zone: a }\n').replace('web', 'other')}`;
    const analysis = analysisOf({ 'file:///ws/nodes.yaml': NODES, [uri]: two });
    const part = { start: two.indexOf('zone'), end: two.length };
    const labels = (within?: typeof part): readonly string[] =>
      analysis
        .inlayHints(uri, within)
        .map(it => it.label)
        .filter(it => it.startsWith('matches'));
    expect(labels()).toEqual(['matches 2 of 3 nodes', 'matches 1 of 3 nodes']);
    expect(labels(part)).toEqual(['matches 1 of 3 nodes']);
  });
});

describe('the hover over the name of a Pod', () => {
  it('has a table of verdicts with reason and total for at most four nodes', () => {
    const nodes = Array.from(
      { length: 25 },
      (_, i) =>
        `apiVersion: v1\nkind: Node\nmetadata: { name: n${String(i).padStart(2, '0')} }\nstatus: { allocatable: { cpu: "${i === 7 ? 1 : 4}", memory: 4Gi, pods: "10" } }\n`,
    ).join('---\n');
    const text = pod('').replace('image: i', 'image: i, resources: { requests: { cpu: "2" } }');
    const analysis = analysisOf({ 'file:///ws/nodes.yaml': nodes, [uri]: text });
    const markdown = analysis.hover(uri, text.indexOf('web'))?.markdown ?? '';
    const rows = markdown.split('\n').filter(it => it.startsWith('| '));
    expect(rows[0]).toBe('| Node | Verdict | Reason | Total |');
    expect(rows[1]).toMatch(/^\| \*\*n00\*\* \| ✓ fits \(chosen\) \| \| \d+ \|$/);
    expect(rows.at(-1)).toBe('| … | 21 more in the preview | | |');
    expect(rows).toHaveLength(6);
  });

  it('names the plugin and the reason of a rejection', () => {
    const text = pod('  nodeSelector: { disk: nvme }\n');
    const analysis = analysisOf({ 'file:///ws/nodes.yaml': NODES, [uri]: text });
    const { markdown = '' } = analysis.hover(uri, text.indexOf('web')) ?? {};
    expect(markdown).toContain("| n0 | ✗ NodeAffinity | node(s) didn't match Pod's node affinity/selector | |");
  });
});
