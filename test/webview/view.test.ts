import { describe, expect, it } from 'vitest';
import {
  againOf,
  asksOf,
  decisionOf,
  drawOf,
  firstTiles,
  headAndTail,
  nearest,
  nextSorting,
  podGroups,
  podsById,
  queuesOf,
  rejectedGroups,
  resourcesOf,
  scoreTable,
  segmentsOf,
  sortRows,
  tilesOf,
  verdictOn,
  victimsOf,
  words,
  zonesOf,
} from '../../client/src/webview/state/selectors';
import { strings } from '../../client/src/webview/text/strings';
import type { PreviewModel, PreviewNode, PreviewPod } from '../../server/src/analysis/preview/model';
import type { Attempt, NodeVerdict } from '../../server/src/scheduler/result';

const pod = (name: string, more: Partial<PreviewPod> = {}): PreviewPod => ({
  id: `default/${name}`,
  name,
  namespace: 'default',
  priority: 0,
  cpuMilli: 500,
  memoryBytes: 2 ** 28,
  state: 'pending',
  ...more,
});

const node = (name: string, more: Partial<PreviewNode> = {}): PreviewNode => ({
  name,
  zone: '',
  ready: true,
  unschedulable: false,
  taints: [],
  labels: {},
  resources: [],
  pods: [],
  ...more,
});

const attempt = (more: Partial<Attempt> = {}): Attempt => ({
  pod: 'default/web-0',
  attempt: 1,
  priority: 0,
  status: 'unschedulable',
  ...more,
});

const model = (more: Partial<PreviewModel> = {}): PreviewModel => ({
  kubernetesVersion: '1.37',
  cluster: { kind: 'default', label: 'default' },
  nodes: [],
  pods: [],
  attempts: {},
  refused: [],
  notes: [],
  steps: [],
  workloads: [],
  whyIsSlow: false,
  choices: { strategies: [], environments: [], movers: [], sources: [], configurations: [], profiles: [] },
  ...more,
});

const fits = (name: string, total?: number, fit = total): NodeVerdict =>
  total === undefined
    ? { node: name, verdict: 'feasible' }
    : {
        node: name,
        verdict: 'feasible',
        total,
        scores: { NodeResourcesFit: { raw: fit ?? 0, normalized: fit ?? 0, weighted: fit ?? 0 } },
      };

const rejects = (name: string, plugin: string, ...reasons: string[]): NodeVerdict => ({
  node: name,
  verdict: 'rejected',
  plugin,
  code: plugin === 'NodeResourcesFit' ? 'Unschedulable' : 'UnschedulableAndUnresolvable',
  reasons,
});

const scheduled = (node: string, nodes: readonly NodeVerdict[], tiedNodes = [node]) =>
  attempt({ status: 'scheduled', node, nodes, tiedNodes });

describe('the decision in a sentence', () => {
  const web = pod('web-0');
  const placed = pod('web-0', { state: 'placed', node: 'n1' });
  const decision = (chosen: PreviewPod, last?: Attempt, victims: readonly string[] = []) =>
    decisionOf(chosen, last, victims, podsById(model({ pods: [chosen] })));

  it.each<[string, string, PreviewPod]>([
    [
      'waits for a change',
      'The scheduler looks at it again when a Node is added.',
      pod('web-0', { queued: { queue: 'unschedulable', waitsFor: 'a Node is added' } }),
    ],
    [
      'waits for its backoff',
      'The scheduler looks at it again by itself, after its backoff.',
      pod('web-0', { queued: { queue: 'backoff', waitsFor: '' } }),
    ],
    ['has got its node', '', pod('web-0', { state: 'placed', queued: { queue: 'backoff', waitsFor: '' } })],
  ])('when is it looked at again: %s', (_, sentence, chosen) => {
    expect(againOf(chosen)).toBe(sentence);
  });

  it.each<[string, string, PreviewPod, Attempt | undefined, readonly string[]]>([
    [
      'best score',
      'web-0 lands on n1: best score of 3 feasible nodes.',
      placed,
      scheduled('n1', [fits('n1', 3), fits('n2', 2), fits('n3', 1), rejects('n4', 'NodeName', 'no')]),
      [],
    ],
    [
      'only node that fits',
      'web-0 lands on n1: the only feasible node of 2.',
      placed,
      scheduled('n1', [fits('n1'), rejects('n2', 'NodeName', 'no')]),
      [],
    ],
    ['only node', 'web-0 lands on n1: it is the only node.', placed, scheduled('n1', [fits('n1')]), []],
    [
      'ties',
      'web-0 lands on n1, one of 2 equally good nodes.',
      placed,
      scheduled('n1', [fits('n1', 3), fits('n2', 2), fits('n3', 3)], ['n1', 'n3']),
      [],
    ],
    [
      'after preemption',
      'web-0 lands on n1: the only feasible node of 2. To make room, 1 Pod is evicted.',
      placed,
      scheduled('n1', [fits('n1'), rejects('n2', 'NodeName', 'no')]),
      ['default/batch-0'],
    ],
    [
      'on the node that was promised, the only one that is looked at again',
      'web-0 lands on n1, which preemption kept for it. To make room, 1 Pod is evicted.',
      placed,
      { ...scheduled('n1', [fits('n1')]), attempt: 2 },
      ['default/batch-0'],
    ],
    [
      'no node fits',
      'web-0 stays Pending: none of 2 nodes fits.',
      web,
      attempt({ nodes: [rejects('n1', 'NodeName', 'no'), rejects('n2', 'NodeName', 'no')] }),
      [],
    ],
    [
      'nominated',
      'web-0 waits for n1: 2 Pods have to leave it first.',
      web,
      attempt({ nodes: [rejects('n1', 'NodeResourcesFit', 'Insufficient cpu')], preemption: { nominatedNode: 'n1' } }),
      ['default/a', 'default/b'],
    ],
    [
      'turned away by PreFilter',
      'web-0 stays Pending: VolumeBinding turns it away before any node is looked at.',
      web,
      attempt({
        preFilterRejection: { plugin: 'VolumeBinding', point: 'PreFilter', code: 'Unschedulable', reasons: ['x'] },
      }),
      [],
    ],
    ['gated', 'web-0 is held back before the scheduling queue.', web, attempt({ status: 'gated' }), []],
    [
      'was running',
      'web-0 ran on n1 before the simulation and stays there.',
      pod('web-0', { state: 'running', node: 'n1' }),
      undefined,
      [],
    ],
    [
      'victim',
      'web-0 is evicted from n1 to make room for prod/api.',
      pod('web-0', { state: 'victim', node: 'n1', evictedBy: 'prod/api' }),
      undefined,
      [],
    ],
  ])('%s', (_, sentence, chosen, last, victims) => expect(decision(chosen, last, victims)).toBe(sentence));

  it('names the equal nodes and counts the rest', () => {
    const names = Array.from({ length: 15 }, (_, index) => `n${index}`);
    const last = scheduled(
      'n0',
      names.map(name => fits(name, 1)),
      names,
    );
    expect(drawOf(last, it => it.toUpperCase())).toMatch(
      /^kube-scheduler draws one of them by lot: N0, .*, N11 and 3 more\.$/,
    );
    expect(drawOf(scheduled('n0', [fits('n0', 1)]), it => it)).toBe('');
  });
});

describe('the verdict on a card', () => {
  const web = pod('web-0', { state: 'placed', node: 'n1' });
  const last = scheduled(
    'n1',
    [
      fits('n1', 9),
      fits('n2', 9),
      fits('n3', 5),
      rejects('n4', 'NodeResourcesFit', 'Insufficient cpu', 'Insufficient memory'),
      { node: 'n5', verdict: 'excluded' },
    ],
    ['n1', 'n2'],
  );
  it.each([
    ['n1', 'winner', 'Lands here, by lot', 'score 9 · rank 1 of 3'],
    ['n2', 'tied', 'Equally good', 'score 9 · rank 1 of 3'],
    ['n3', 'feasible', 'Fits', 'score 5 · rank 3 of 3'],
    ['n4', 'rejected', 'NodeResourcesFit', 'Insufficient cpu; Insufficient memory'],
    ['n5', 'excluded', 'Left out', 'by a PreFilter plugin, before it was looked at'],
  ])('%s: %s', (name, kind, title, detail) => {
    expect(verdictOn(name, web, last, new Map(), [])).toEqual({ kind, title, detail });
  });

  it('shows where a victim was', () => {
    const victim = pod('batch', { state: 'victim', node: 'n1', evictedBy: 'default/web-0' });
    const pods = podsById(model({ pods: [web, victim] }));
    expect(verdictOn('n1', victim, undefined, pods, []).detail).toBe('to make room for web-0');
    expect(verdictOn('n2', victim, undefined, pods, []).kind).toBe('none');
  });
});

describe('rejected nodes', () => {
  it('are grouped by plugin and reason, the most frequent first, a node once for each of its reasons', () => {
    const last = attempt({
      nodes: [
        rejects('n1', 'NodeName', 'wrong name'),
        rejects('n2', 'NodeResourcesFit', 'Insufficient cpu', 'Insufficient memory'),
        rejects('n3', 'NodeResourcesFit', 'Insufficient cpu'),
        { node: 'n4', verdict: 'excluded' },
        fits('n5'),
      ],
    });
    expect(rejectedGroups(last)).toEqual([
      { plugin: 'NodeResourcesFit', reason: 'Insufficient cpu', unresolvable: false, nodes: ['n2', 'n3'] },
      { plugin: 'NodeResourcesFit', reason: 'Insufficient memory', unresolvable: false, nodes: ['n2'] },
      { reason: 'left out by a PreFilter plugin', unresolvable: true, nodes: ['n4'] },
      { plugin: 'NodeName', reason: 'wrong name', unresolvable: true, nodes: ['n1'] },
    ]);
  });

  it('are none without an attempt', () => expect(rejectedGroups(undefined)).toEqual([]));
});

describe('scores', () => {
  const last = scheduled('n2', [fits('n1', 7, 1), fits('n2', 7, 2), fits('n10', 9, 9)], ['n1', 'n2']);
  const { rows, plugins } = scoreTable(last);
  const order = (column: string, direction: 'ascending' | 'descending') =>
    sortRows(rows, { column, direction }).map(row => row.node);

  it('are sorted by total, name or plugin; of equal ones the winner is first', () => {
    expect(plugins).toEqual(['NodeResourcesFit']);
    expect(order('total', 'descending')).toEqual(['n10', 'n2', 'n1']);
    expect(order('node', 'ascending')).toEqual(['n1', 'n2', 'n10']);
    expect(order('NodeResourcesFit', 'ascending')).toEqual(['n1', 'n2', 'n10']);
  });

  it('turn round on a second click and start again on another column', () => {
    const byTotal = { column: 'total', direction: 'descending' } as const;
    expect(nextSorting(byTotal, 'total').direction).toBe('ascending');
    expect(nextSorting(byTotal, 'node')).toEqual({ column: 'node', direction: 'ascending' });
  });

  it('are no rows when only one node fits', () => expect(scoreTable(scheduled('n1', [fits('n1')])).rows).toEqual([]));
});

describe('the board', () => {
  it('has zones by name, numbers by value, nodes without a zone last', () => {
    const nodes = [node('n10', { zone: 'a' }), node('n9', { zone: 'a' }), node('x'), node('y', { zone: 'b' })];
    expect(zonesOf(nodes).map(zone => [zone.name, ...zone.nodes.map(each => each.name)])).toEqual([
      ['a', 'n9', 'n10'],
      ['b', 'y'],
      ['', 'x'],
    ]);
  });

  it('draws victims on the node they left, once, before the others', () => {
    const pods = [
      pod('r', { state: 'running', node: 'n1' }),
      pod('p', { state: 'placed', node: 'n1' }),
      pod('v', { state: 'victim', node: 'n1' }),
    ];
    const tiles = tilesOf(node('n1', { pods: pods.map(each => each.id) }), podsById(model({ pods })), [pods[2]!]);
    expect(tiles.map(each => each.name)).toEqual(['v', 'p', 'r']);
  });

  it('never hides the chosen Pod behind "more"', () => {
    const tiles = Array.from({ length: 12 }, (_, index) => pod(`p${index}`));
    expect(firstTiles(tiles, 'default/p11', 4).map(each => each.name)).toEqual(['p0', 'p1', 'p2', 'p11']);
    expect(firstTiles(tiles.slice(0, 5), undefined, 4)).toHaveLength(5);
  });

  it('cuts the chosen Pod out of what was placed, for resources whose share is known', () => {
    const chosen = pod('web-0', { state: 'placed', node: 'n1', cpuMilli: 300 });
    const resource = { name: 'cpu', allocatable: 4000, running: 100, placed: 800 };
    expect(segmentsOf(resource, chosen)).toEqual([
      { kind: 'running', amount: 100 },
      { kind: 'placed', amount: 500 },
      { kind: 'chosen', amount: 300 },
    ]);
    expect(segmentsOf({ ...resource, name: 'nvidia.com/gpu' }, chosen).map(each => each.kind)).toEqual([
      'running',
      'placed',
    ]);
  });

  it('lists cpu, memory and pods first and leaves out what a node does not have', () => {
    const resources = ['hugepages-2Mi', 'example.com/x', 'pods', 'memory', 'cpu'].map(name => ({
      name,
      allocatable: name === 'hugepages-2Mi' ? 0 : 4,
      running: 0,
      placed: 0,
    }));
    expect(resourcesOf(node('n1', { resources })).map(each => each.name)).toEqual([
      'cpu',
      'memory',
      'pods',
      'example.com/x',
    ]);
  });

  it('moves the focus to the card straight below or above', () => {
    const box = (left: number, top: number) => ({ left, top, right: left + 10, bottom: top + 10 });
    const boxes = [box(0, 0), box(20, 0), box(0, 20), box(20, 24)];
    expect(nearest(boxes, boxes[1]!, 'down')).toBe(3);
    expect(nearest(boxes, boxes[2]!, 'up')).toBe(0);
    expect(nearest(boxes, boxes[2]!, 'down')).toBeUndefined();
  });
});

describe('Pods', () => {
  const pods = [
    pod('a', { state: 'placed', node: 'n1' }),
    pod('b'),
    pod('c', { state: 'victim', node: 'n2' }),
    pod('untried', { state: 'running', node: 'n1' }),
  ];
  const all = model({ pods, attempts: { 'default/a': attempt(), 'default/b': attempt(), 'default/c': attempt() } });
  const names = (filter?: string) =>
    podGroups(all, filter).map(({ group, pods }) => [group, ...pods.map(each => each.name)]);

  it('that were tried are listed, pending first', () => {
    expect(names()).toEqual([
      ['pending', 'b'],
      ['evicted', 'c'],
      ['placed', 'a'],
    ]);
  });

  it('that wait are counted by the queue that holds them', () => {
    const waiting = (name: string, queue: 'gated' | 'backoff') => pod(name, { queued: { queue, waitsFor: '' } });
    const waits = model({ pods: [...pods, waiting('x', 'gated'), waiting('y', 'backoff'), waiting('z', 'gated')] });
    const words = 'Queues: 0 active, 1 backoff, 0 unschedulable, 2 gated';
    expect(strings.header.queues(queuesOf(waits)!)).toBe(words);
    expect(queuesOf(all)).toBeUndefined();
  });

  it('are found by name and by node', () => {
    expect(names('n1')).toEqual([['placed', 'a']]);
    expect(names('DEFAULT b')).toEqual([['pending', 'b']]);
    expect(names('nothing')).toEqual([]);
  });

  it('say what they ask for', () => {
    expect(asksOf(pods[1]!)).toBe('asks for 0.5 cores and 256 MiB');
    expect(asksOf(pod('x', { cpuMilli: 0, memoryBytes: 0 }))).toBe('asks for no CPU or memory');
  });

  it('know those that an earlier attempt evicted for them', () => {
    const evicted = model({ pods: [pod('v', { state: 'victim', node: 'n1', evictedBy: 'default/b' })] });
    expect(victimsOf(pods[1]!, attempt({ attempt: 2, status: 'scheduled' }), evicted)).toEqual(['default/v']);
  });

  it('are cut in the middle of their names', () => {
    expect(headAndTail('checkout-7d9f8b6c5d-x2x4z')).toEqual(['checkout-7d9f8b6c5d', '-x2x4z']);
    expect(headAndTail('a')).toEqual(['a', '']);
    expect(words('NodeResourcesFit')).toEqual(['Node', 'Resources', 'Fit']);
  });
});
