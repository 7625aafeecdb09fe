import { describe, expect, it } from 'vitest';
import type { ObjectName } from '../../server/src/cluster/changes';
import { analysisOf } from './analyse';
import { deployment, node, TWO_ZONES } from './twoZones';

const uri = 'file:///ws/all.yaml';

const web: ObjectName = { kind: 'Deployment', name: 'web' };

const analysis = (text: string) => analysisOf({ [uri]: text });

describe('what-if changes in the preview', () => {
  const tried = analysis(TWO_ZONES + deployment('web', 2, '3'));

  it('is absent without changes', () => {
    expect(tried.preview({ uri, offset: 0 }).tried).toBeUndefined();
    expect(tried.preview({ uri, offset: 0, whatIf: { changes: [] } }).tried).toBeUndefined();
  });

  it('removes a node and reports the Pod that is pending then', () => {
    const model = tried.preview({ uri, offset: 0, whatIf: { changes: [{ do: 'nodeDown', node: 'a1' }] } });
    expect(model.nodes.map(it => it.name)).toEqual(['b1']);
    expect(model.tried?.difference.pending).toHaveLength(1);
    expect(model.pods.filter(it => it.state === 'pending').map(it => it.id)).toEqual(model.tried?.difference.pending);
  });

  it('moves Pods off a zone that is down when there is room elsewhere', () => {
    const small = analysis(TWO_ZONES + deployment('web', 2, '1'));
    const before = small.preview({ uri, offset: 0 });
    const { tried } = small.preview({ uri, offset: 0, whatIf: { changes: [{ do: 'zoneDown', zone: 'a' }] } });
    const onA = before.pods.filter(it => it.node === 'a1').map(it => it.id);
    expect(onA).toHaveLength(1);
    expect(tried?.difference.moved).toEqual([{ pod: onA[0], from: 'a1', to: 'b1' }]);
    expect(tried?.difference.pending).toEqual([]);
  });

  it('adds replicas, and takes workloads away', () => {
    const more = tried.preview({ uri, offset: 0, whatIf: { changes: [{ do: 'scale', object: web, replicas: 3 }] } });
    expect(more.tried?.difference.pending).toHaveLength(1);
    const gone = tried.preview({ uri, offset: 0, whatIf: { changes: [{ do: 'remove', object: web }] } });
    expect(gone.tried?.difference.removed).toHaveLength(2);
    expect(gone.pods).toEqual([]);
  });

  it('reports a change that could not be made, and keeps the rest', () => {
    const { tried: it, pods } = tried.preview({ uri, offset: 0, whatIf: { changes: [{ do: 'drain', node: 'c9' }] } });
    expect(it?.difference.problems).toEqual(['there is no Node "c9"']);
    expect(pods.every(pod => pod.state === 'placed')).toBe(true);
  });

  it('loses a Pod without a controller, and places a running one of a controller again', () => {
    const pod = (name: string, owner: string): string => `apiVersion: v1
kind: Pod
metadata: {name: ${name}${owner}}
spec: {nodeName: a1, containers: [{name: main, image: nginx, resources: {requests: {cpu: "1"}}}]}
---
`;
    const owner = ', ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: u, controller: true}]';
    const running = analysis(TWO_ZONES + pod('bare', '') + pod('owned', owner));
    const { tried } = running.preview({ uri, offset: 0, whatIf: { changes: [{ do: 'drain', node: 'a1' }] } });
    expect(tried?.difference).toMatchObject({
      lost: ['default/bare'],
      moved: [{ pod: 'default/owned', from: 'a1', to: 'b1' }],
      removed: [],
    });
  });

  it('keeps the placement of the files', () => {
    const before = JSON.stringify(tried.preview({ uri, offset: 0 }));
    tried.preview({ uri, offset: 0, whatIf: { changes: [{ do: 'scaleBy', factor: 3 }], strategy: 'pack' } });
    expect(JSON.stringify(tried.preview({ uri, offset: 0 }))).toBe(before);
  });
});

describe('another environment of berth.yaml', () => {
  const web = 'file:///ws/base/web.yaml';
  const files = {
    'file:///ws/berth.yaml': `environments:
  small: { paths: [base, small] }
  large: { paths: [base, large] }
`,
    [web]: deployment('web', 2, '3'),
    'file:///ws/small/nodes.yaml': node('s1', 'a'),
    'file:///ws/large/nodes.yaml': node('l1', 'a') + node('l2', 'b'),
  };
  const shared = analysisOf(files, {}, [{ uri: 'file:///ws' }]);

  it('can be tried on the same file, with its own nodes', () => {
    const first = shared.preview({ uri: web, offset: 0 });
    expect(first.choices.environments).toEqual(['small', 'large']);
    expect(first.nodes.map(it => it.name)).toEqual(['s1']);
    const whatIf = { changes: [], environment: 'large' };
    const { nodes, tried } = shared.preview({ uri: web, offset: 0, whatIf });
    expect(nodes.map(it => it.name)).toEqual(['l1', 'l2']);
    expect(tried?.difference).toMatchObject({ pending: [], problems: [] });
    expect([tried?.difference.placed.length, tried?.difference.moved.length]).toEqual([1, 1]);
  });

  it('is not offered where there is only one', () => {
    expect(analysis(TWO_ZONES).preview({ uri, offset: 0 }).choices.environments).toEqual([]);
  });
});

describe('another scoring strategy', () => {
  const four = analysis(TWO_ZONES + deployment('web', 4, '500m'));
  const nodesUsed = (strategy: 'pack' | 'spread' | 'default'): number =>
    new Set(four.preview({ uri, offset: 0, whatIf: { changes: [], strategy } }).pods.map(it => it.node)).size;

  it('packs onto few nodes, or spreads over all', () => {
    expect({ pack: nodesUsed('pack'), spread: nodesUsed('spread'), default: nodesUsed('default') }).toEqual({
      pack: 1,
      spread: 2,
      default: 2,
    });
  });

  it('keeps the rest of the configuration', () => {
    const configuration = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{schedulerName: mine, plugins: {filter: {disabled: [{name: NodeAffinity}]}}}]
---
`;
    const picky = `apiVersion: v1
kind: Pod
metadata: {name: picky}
spec: {schedulerName: mine, nodeSelector: {disk: ssd}, containers: [{name: main, image: nginx}]}
`;
    const stateUnder = (strategy: 'pack' | 'default') =>
      analysis(configuration + TWO_ZONES + picky).preview({ uri, offset: 0, whatIf: { changes: [], strategy } }).pods[0]
        ?.state;
    expect(stateUnder('pack')).toBe('placed');
    expect(stateUnder('default')).toBe('pending');
  });
});

describe('the scheduling cycles', () => {
  it('are listed in order, with the victims of each', () => {
    const priority = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
---
`;
    const high = `apiVersion: v1
kind: Pod
metadata: {name: high}
spec: {priorityClassName: high, containers: [{name: main, image: nginx, resources: {requests: {cpu: "3"}}}]}
---
`;
    const low = `apiVersion: v1
kind: Pod
metadata: {name: low}
spec: {nodeName: a1, containers: [{name: main, image: nginx, resources: {requests: {cpu: "3"}}}]}
`;
    const { steps } = analysis(node('a1', 'a') + priority + high + low).preview({ uri, offset: 0 });
    expect(steps).toEqual([
      { pod: 'default/high', status: 'unschedulable', victims: ['default/low'] },
      { pod: 'default/high', status: 'scheduled', node: 'a1', victims: [] },
    ]);
  });
});

describe('the explanation of a Pod in the preview', () => {
  const text = TWO_ZONES + deployment('web', 3, '3');
  const pending = analysis(text)
    .preview({ uri, offset: 0 })
    .pods.find(it => it.state === 'pending')!.id;

  it('comes with edits that would give it a node', () => {
    const why = analysis(text).previewWhy({ uri, offset: 0, pod: pending });
    const [first] = why?.suggestions.filter(it => it.edits) ?? [];
    const { span, newText } = first!.edits![0]!;
    const changed = text.slice(0, span.start) + newText + text.slice(span.end);
    expect(why?.summary).toBe(`${pending} has no node.`);
    expect(
      analysis(changed)
        .preview({ uri, offset: 0 })
        .pods.filter(it => it.state === 'pending'),
    ).toEqual([]);
  });

  it('is about what is tried', () => {
    const whatIf = { changes: [{ do: 'nodeDown', node: 'a1' } as const] };
    const why = analysis(TWO_ZONES + deployment('web', 2, '1')).previewWhy({
      uri,
      offset: 0,
      pod: analysis(TWO_ZONES + deployment('web', 2, '1')).preview({ uri, offset: 0 }).pods[0]!.id,
      whatIf,
    });
    expect(why?.summary).toContain('lands on b1');
  });
});

describe('a large environment', () => {
  it('sends only the verdicts of the chosen Pod, and explains it only on request', () => {
    const nodes = Array.from({ length: 210 }, (_, i) => node(`n${i}`, 'a')).join('');
    const model = analysis(nodes + deployment('web', 500, '1')).preview({ uri, offset: 0, pod: 'default/web-7' });
    const told = Object.values(model.attempts).filter(it => it.nodes !== undefined);
    expect(told.map(it => it.pod)).toEqual(['default/web-7']);
    expect(told[0]?.nodes).toHaveLength(210);
    expect(model.whyIsSlow).toBe(true);
    expect(analysis(TWO_ZONES + deployment('web', 2, '1')).preview({ uri, offset: 0 }).whyIsSlow).toBe(false);
  });
});

describe('the overview of workloads', () => {
  it('counts replicas with and without a node, nodes and zones', () => {
    expect(analysis(TWO_ZONES + deployment('web', 3, '3')).preview({ uri, offset: 0 }).workloads).toMatchObject([
      { kind: 'Deployment', name: 'web', isScalable: true, onNode: 2, pending: 1, zones: ['a', 'b'], victims: 0 },
    ]);
  });
});
