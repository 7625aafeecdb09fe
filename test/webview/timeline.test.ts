import { describe, expect, it } from 'vitest';
import { pictureOf, svgOf } from '../../client/src/webview/export/picture';
import { reportOf } from '../../client/src/webview/export/report';
import { modelAt } from '../../client/src/webview/state/timeline';
import { analysisOf } from '../analysis/analyse';

const uri = 'file:///ws/all.yaml';
const text = `apiVersion: v1
kind: Node
metadata: {name: n1, labels: {topology.kubernetes.io/zone: a}}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10", example.com/gpu: "2"}}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
---
apiVersion: v1
kind: Pod
metadata: {name: high}
spec: {priorityClassName: high, containers: [{name: main, image: nginx, resources: {requests: {cpu: "3"}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: second}
spec: {containers: [{name: main, image: nginx, resources: {limits: {example.com/gpu: 1}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: huge}
spec: {containers: [{name: main, image: nginx, resources: {requests: {cpu: "9"}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: low}
spec: {nodeName: n1, containers: [{name: main, image: nginx, resources: {requests: {cpu: "3"}}}]}
`;
const analysis = analysisOf({ [uri]: text });
const model = analysis.preview({ uri, offset: 0 });

const stateAt = (turn: number) =>
  Object.fromEntries(modelAt(model, turn).pods.map(it => [it.name, `${it.state} ${it.node ?? ''}`.trim()]));
const usedAt = (turn: number, name: string) => {
  const it = modelAt(model, turn).nodes[0]!.resources.find(resource => resource.name === name)!;
  return it.running + it.placed;
};

describe('the board after some turns', () => {
  it('has who leaves later, and not yet who comes later', () => {
    expect(model.steps.map(it => `${it.pod} ${it.node ?? ''}`)).toEqual([
      'default/high ',
      'default/high n1',
      'default/second n1',
      'default/huge ',
    ]);
    expect(stateAt(0)).toEqual({ low: 'running n1', high: 'pending', second: 'pending', huge: 'pending' });
    expect(stateAt(1)).toMatchObject({ low: 'victim n1', high: 'pending' });
    expect(stateAt(2)).toMatchObject({ low: 'victim n1', high: 'placed n1', second: 'pending' });
  });

  it('is the whole model after the last one, and its amounts add up on the way', () => {
    const last = model.steps.length;
    expect(modelAt(model, last)).toBe(model);
    expect(usedAt(0, 'cpu')).toBe(3000);
    expect(usedAt(0, 'example.com/gpu')).toBe(0);
    // Worked out from the Pods, the end is what the server says.
    const afterAll = modelAt({ ...model, steps: [...model.steps, { pod: 'x', status: 'error', victims: [] }] }, last);
    expect(afterAll.nodes).toEqual(model.nodes);
  });
});

describe('what is taken along', () => {
  const tried = analysis.preview({
    uri,
    offset: 0,
    whatIf: { changes: [{ do: 'cordon', node: 'n1' }], strategy: 'pack' },
  });

  it('reports workloads, nodes and who waits', () => {
    const report = reportOf(model);
    expect(report).toContain('| default/Pod/high | 1 of 1 | 0 | n1 | a | 1 |');
    expect(report).toMatch(/\| default\/huge \| 0\/1 nodes are available: .*Insufficient cpu/);
    expect(report).not.toContain('## Tried');
    expect(report).toContain('Queues: 0 active, 0 backoff, 1 unschedulable, 0 gated');
  });

  it('reports what is tried and what it makes of it', () => {
    expect(reportOf(tried)).toContain('## Tried\n\n- n1 cordoned\n- Scoring: pack (MostAllocated)');
    expect(reportOf(tried)).toContain('- default/high has no node');
  });

  it('draws each node and each Pod, and escapes names', () => {
    const named = { ...model, cluster: { ...model.cluster, label: 'a < b & "c"' } };
    const svg = svgOf(pictureOf(named));
    for (const name of ['n1', 'high', 'second', 'default/huge', 'low']) expect(svg).toContain(`>${name}`);
    expect(svg).toContain('a &lt; b &amp; &quot;c&quot;');
  });
});
