import { describe, expect, it } from 'vitest';
import type { PodModel } from '../../server/src/cluster/pods/podModel';
import { extenderOf } from '../../server/src/scheduler/extenders/extender';
import { preemptWithExtenders } from '../../server/src/scheduler/extenders/preempt';
import type { AskExtender, ExtenderAnswer, ExtenderRequest } from '../../server/src/scheduler/framework/extender';
import { runScenario } from '../../server/src/scheduler/scenario';
import { isGateOn, objectsIn } from './support';

const node = (name: string): string => `
apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: { kubernetes.io/hostname: ${name} } }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "10", example.com/gpu: "4" } }
---`;
const pod = (name: string, resources = '{ requests: { cpu: "1" } }'): string => `
apiVersion: v1
kind: Pod
metadata: { name: ${name}, namespace: default, uid: uid-${name} }
spec: { containers: [{ name: app, image: app, resources: ${resources} }] }
---`;
const extenders = (...list: readonly string[]): string => `
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
extenders:
${list.map(it => `- ${it}`).join('\n')}
---`;

interface Asked {
  readonly result: ReturnType<typeof runScenario>;
  readonly requests: readonly ExtenderRequest[];
}

/** A run whose extenders answer by a function of the request. */
function run(answer: (request: ExtenderRequest) => unknown, ...documents: readonly string[]): Asked {
  const requests: ExtenderRequest[] = [];
  const askExtender: AskExtender = request => {
    requests.push(request);
    const body = answer(request);
    return body instanceof Error ? { failure: body.message } : { body };
  };
  const objects = objectsIn(documents.join('\n').replace(/---\s*$/, ''));
  return { result: runScenario(objects, { kubernetesVersion: '1.37', isGateOn, askExtender }), requests };
}

const FILTER = '{ urlPrefix: "http://x/", filterVerb: filter, nodeCacheCapable: true }';
const names = (request: ExtenderRequest): readonly string[] => request.body.NodeNames as readonly string[];

describe('requests to extenders', () => {
  it('are POSTs of upstream’s types: node names for an extender that caches nodes', () => {
    const { requests } = run(it => ({ NodeNames: names(it) }), extenders(FILTER), node('a'), node('b'), pod('web'));
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      url: 'http://x/filter',
      verb: 'filter',
      timeout: 5000,
      body: { Pod: { kind: 'Pod', metadata: { name: 'web' } }, Nodes: null, NodeNames: ['a', 'b'] },
    });
  });

  it('contain whole nodes for one that does not', () => {
    const one = '{ urlPrefix: "http://x", filterVerb: f, httpTimeout: 1m30s }';
    const { requests, result } = run(
      ({ body }) => ({ nodes: { items: [(body.Nodes as { items: readonly unknown[] }).items[1]] } }),
      extenders(one),
      node('a'),
      node('b'),
      pod('web'),
    );
    expect(requests[0]?.body).toMatchObject({
      Nodes: { items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }] },
      NodeNames: null,
    });
    expect(requests[0]?.timeout).toBe(90_000);
    expect(result.placements).toEqual({ 'default/web': 'b' });
  });

  it('are not made for Pods without a managed resource', () => {
    const gpu =
      '{ urlPrefix: "http://gpu", filterVerb: f, nodeCacheCapable: true, managedResources: [{ name: example.com/gpu }] }';
    const wants = '{ limits: { example.com/gpu: "1" } }';
    const { requests } = run(
      it => ({ NodeNames: names(it) }),
      extenders(gpu),
      node('a'),
      pod('plain'),
      pod('gpu', wants),
    );
    expect(requests.map(it => (it.body.Pod as PodModel['source']).metadata?.name)).toEqual(['gpu']);
  });

  it('contain the nodes that the previous extender left, ignorable ones last', () => {
    const one = (url: string, more = ''): string =>
      `{ urlPrefix: "${url}", filterVerb: f, nodeCacheCapable: true${more} }`;
    const { requests } = run(
      it => ({ NodeNames: names(it).slice(1) }),
      extenders(one('http://late', ', ignorable: true'), one('http://first')),
      node('a'),
      node('b'),
      node('c'),
      pod('web'),
    );
    expect(requests.map(it => [it.url, names(it)])).toEqual([
      ['http://first/f', ['a', 'b', 'c']],
      ['http://late/f', ['b', 'c']],
    ]);
  });
});

describe('answers of extenders', () => {
  it('remove nodes with their reasons, and mark unresolvable ones', () => {
    const { result } = run(
      () => ({
        NodeNames: [],
        FailedNodes: { a: 'too warm', b: 'too warm' },
        FailedAndUnresolvableNodes: { b: 'on fire' },
      }),
      extenders(FILTER),
      node('a'),
      node('b'),
      pod('web'),
    );
    const [attempt] = result.attempts;
    expect(attempt).toMatchObject({ status: 'unschedulable', rejectedBy: ['Extender'] });
    expect(attempt?.nodes).toEqual([
      { node: 'a', verdict: 'rejected', plugin: 'Extender', code: 'Unschedulable', reasons: ['too warm'] },
      {
        node: 'b',
        verdict: 'rejected',
        plugin: 'Extender',
        code: 'UnschedulableAndUnresolvable',
        reasons: ['on fire'],
      },
    ]);
    expect(attempt?.message).toMatch(/^0\/2 nodes are available: 1 on fire, 1 too warm\./);
    expect(result.queue).toMatchObject([{ pod: 'default/web', queue: 'backoff' }]);
  });

  it('add weight × score × 10 to the totals', () => {
    const { result } = run(
      () => [
        { Host: 'b', Score: 10 },
        { host: 'a', score: 3 },
        { Host: 'elsewhere', Score: 9 },
      ],
      extenders('{ urlPrefix: "http://x", prioritizeVerb: score, weight: 2, nodeCacheCapable: true }'),
      node('a'),
      node('b'),
      pod('web'),
    );
    const plain = run(() => [], node('a'), node('b'), pod('web')).result.attempts[0]?.nodes;
    expect(result.placements).toEqual({ 'default/web': 'b' });
    expect(result.attempts[0]?.nodes?.map(it => ('scores' in it ? it.scores?.['http://x'] : undefined))).toEqual([
      { raw: 3, normalized: 30, weighted: 60 },
      { raw: 10, normalized: 100, weighted: 200 },
    ]);
    const totals = (nodes: typeof plain) => nodes?.map(it => ('total' in it ? it.total : undefined)) ?? [];
    expect(totals(result.attempts[0]?.nodes).map((it, i) => (it ?? 0) - (totals(plain)[i] ?? 0))).toEqual([60, 200]);
  });

  it.each<[string, unknown, string]>([
    ['does not answer', new Error('connection refused'), 'connection refused'],
    ['answers with an error', { Error: 'out of order' }, 'out of order'],
    [
      'answers with a node that it was not asked about',
      { NodeNames: ['moon'] },
      'extender "http://x/" claims a filtered node "moon" which is not found in the input node list',
    ],
  ])('ends the attempt where one %s, unless it is ignorable', (_, answer, message) => {
    const { result } = run(() => answer, extenders(FILTER), node('a'), pod('web'));
    expect(result.attempts[0]).toMatchObject({ status: 'error', message });
    const ignorable = FILTER.replace(' }', ', ignorable: true }');
    expect(run(() => answer, extenders(ignorable), node('a'), pod('web')).result.placements).toEqual({
      'default/web': 'a',
    });
  });

  it('add no score where the extender fails', () => {
    const one = '{ urlPrefix: "http://x", prioritizeVerb: score, weight: 2 }';
    const { result } = run(() => new Error('timeout'), extenders(one), node('a'), node('b'), pod('web'));
    expect(result.attempts[0]).toMatchObject({ status: 'scheduled', tiedNodes: ['a', 'b'] });
  });

  it('are noted for verbs that are not called here', () => {
    const one = '{ urlPrefix: "http://x", filterVerb: f, preemptVerb: p, bindVerb: b, nodeCacheCapable: true }';
    const { result } = run(it => ({ NodeNames: names(it) }), extenders(one), node('a'), pod('web'));
    expect(result.notes.map(it => it.message)).toEqual([
      'Extender http://x was not asked (bind); it is asked about every Pod: default/web; without its answer kube-scheduler places none of them.',
    ]);
  });
});

describe('preemption', () => {
  const model = (name: string): PodModel =>
    ({
      id: `default/${name}`,
      name,
      namespace: 'default',
      spec: {},
      source: { metadata: { uid: `uid-${name}` } },
    }) as unknown as PodModel;
  const [low, other, high] = [model('low'), model('other'), model('high')];
  const candidates = new Map([
    ['a', { pods: [low], violations: 0 }],
    ['b', { pods: [other], violations: 1 }],
  ]);
  const podsOn = (name: string) => ({ a: [low], b: [other, low] })[name];
  const ask = (answer: ExtenderAnswer, more: object = {}) => {
    const requests: ExtenderRequest[] = [];
    const extender = extenderOf({ urlPrefix: 'http://x', preemptVerb: 'preempt', ...more });
    const answered = (it: ExtenderRequest): ExtenderAnswer => {
      requests.push(it);
      return answer;
    };
    const chain = { extenders: [extender], ask: answered };
    return { requests, left: preemptWithExtenders(chain, high, candidates, podsOn) };
  };

  it('calls the extender with the victims of a run', () => {
    const running = (name: string): string => `
apiVersion: v1
kind: Pod
metadata: { name: ${name}, namespace: default, uid: uid-${name} }
spec: { nodeName: ${name}, priority: -1, containers: [{ name: app, image: app, resources: { requests: { cpu: "4" } } }] }
---`;
    const { result, requests } = run(
      () => ({ NodeNameToMetaVictims: { b: { Pods: [{ UID: 'uid-b' }], NumPDBViolations: 0 } } }),
      extenders('{ urlPrefix: "http://x", preemptVerb: preempt }'),
      node('a'),
      node('b'),
      running('a'),
      running('b'),
      pod('web'),
    );
    expect(requests.map(it => it.verb)).toEqual(['preempt']);
    expect(result.evicted).toEqual(['default/b']);
    expect(result.placements).toEqual({ 'default/web': 'b' });
  });

  it.each([
    ['an answer without any node', { NodeNameToMetaVictims: {} }, 'preemption: no candidate node for preemption'],
    ['no answer', new Error('refused'), 'preemption: refused'],
  ])('evicts nobody after %s', (_, answer, message) => {
    const low = `
apiVersion: v1
kind: Pod
metadata: { name: low, namespace: default }
spec: { nodeName: a, priority: -1, containers: [{ name: app, image: app, resources: { requests: { cpu: "4" } } }] }
---`;
    const preempting = extenders('{ urlPrefix: "http://x", preemptVerb: preempt }');
    const { result } = run(() => answer, preempting, node('a'), low, pod('web'));
    expect(result.evicted).toEqual([]);
    expect(result.attempts[0]?.message).toBe(`0/1 nodes are available: 1 Insufficient cpu. ${message}`);
  });

  it('sends whole Pods, or their UIDs', () => {
    const body = { NodeNameToMetaVictims: {} };
    expect(ask({ body }).requests[0]?.body).toMatchObject({
      NodeNameToVictims: { a: { Pods: [{ metadata: { name: 'low' } }], NumPDBViolations: 0 } },
      NodeNameToMetaVictims: null,
    });
    expect(ask({ body }, { nodeCacheCapable: true }).requests[0]?.body).toMatchObject({
      NodeNameToVictims: null,
      NodeNameToMetaVictims: { b: { Pods: [{ UID: 'uid-other' }], NumPDBViolations: 1 } },
    });
  });

  it('uses the victims that the extender chooses', () => {
    const chosen = { NodeNameToMetaVictims: { b: { Pods: [{ UID: 'uid-low' }], NumPDBViolations: 0 } } };
    expect(ask({ body: chosen }).left).toEqual(new Map([['b', { pods: [low], violations: 0 }]]));
  });

  it.each<[string, ExtenderAnswer, string]>([
    [
      'an unknown node',
      { body: { NodeNameToMetaVictims: { moon: { Pods: [] } } } },
      'nodeinfo not found for node name "moon"',
    ],
    [
      'a Pod that is elsewhere',
      { body: { NodeNameToMetaVictims: { a: { Pods: [{ UID: 'uid-other' }] } } } },
      'extender: http://x claims to preempt pod (UID: &{uid-other}) on node: a, but the pod is not found on that node',
    ],
    [
      'no victim',
      { body: { NodeNameToMetaVictims: { a: { Pods: [] } } } },
      'expected at least one victim pod on node "a"',
    ],
    ['no answer', { failure: 'connection refused' }, 'connection refused'],
  ])('fails for %s, unless the extender is ignorable', (_, answer, error) => {
    expect(ask(answer).left).toEqual({ error });
    expect(ask(answer, { ignorable: true }).left).not.toHaveProperty('error');
  });
});
