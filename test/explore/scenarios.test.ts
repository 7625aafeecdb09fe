import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import { withChanges } from '../../server/src/cluster/changes';
import { type Cure, curedBy } from '../../server/src/explore/cluster/cures/cure';
import { type ArrivalStep, wayInWords } from '../../server/src/explore/orders/shortestWay';
import { documentsOf, refOf, withEdits } from '../../server/src/scheduler/whatIf/edits';
import { run } from '../cli/world';
import { objectsIn } from '../scheduler/support';
import { sizedFor } from '../support/thorough';
import { node } from './orders/support';

const folder = join(import.meta.dirname, '../fixtures/explore');
const objectsOf = (name: string): readonly UnknownObject[] => objectsIn(readFileSync(join(folder, name), 'utf8'));

interface Step {
  readonly process: string;
  readonly step: string;
}

interface Trace {
  readonly steps: readonly Step[];
  readonly cycle?: readonly Step[];
  readonly upToNames?: true;
}

interface Arrivals {
  readonly steps: readonly ArrivalStep[];
}

type Suggestion = Pick<Cure, 'title' | 'edits'> & Partial<Cure>;

interface Asked {
  readonly question: string;
  readonly about?: string;
  readonly holds: boolean | null;
  readonly why?: string;
  readonly says?: string;
  readonly trace?: Trace;
  readonly suggestions?: readonly Suggestion[];
}

/** A line of `berth explore`, of a scenario or of a system. */
interface Line {
  readonly alwaysPlaced?: boolean;
  readonly permutations?: number;
  readonly strandedOrders?: number;
  readonly shortest?: Arrivals;
  readonly outcomes?: readonly { readonly evicted: readonly string[] }[];
  readonly deadlock?: { readonly between: readonly string[]; readonly orders: number; readonly shortest?: Arrivals };
  readonly broken?: { readonly groups: readonly string[]; readonly orders: number };
  readonly suggestions?: readonly (Suggestion & { readonly ends: 'stranded' | 'deadlock' })[];
  readonly questions?: readonly Asked[];
  readonly deadlocks?: { readonly count: number; readonly shortest?: Trace };
  readonly properties?: readonly { readonly name: string; readonly trace?: Trace }[];
}

/** Explores one cluster or system as `berth explore` does; of a cluster, one question where it is given. */
async function explored(
  objects: readonly UnknownObject[],
  question?: string,
): Promise<{ readonly code: number; readonly line: Line }> {
  const text = objects.map(it => JSON.stringify(it)).join('\n---\n');
  const asked = question === undefined ? [] : ['--ask', question];
  const { code, out } = await run(['explore', '--format', 'json', ...asked, 'given.yaml'], { 'given.yaml': text });
  return { code: code!, line: JSON.parse(out) as Line };
}

/** The same for each fixture, once for all that is asked of it. */
function exploredOnce(): (name: string) => ReturnType<typeof explored> {
  const before = new Map<string, ReturnType<typeof explored>>();
  return name => {
    const now = before.get(name) ?? explored(objectsOf(`${name}.yaml`));
    before.set(name, now);
    return now;
  };
}

/** Each finding: what it says, the steps to it, and after `again` those that repeat, `up to names` of equal nodes. */
function findingsIn(line: Line): readonly string[] {
  const { questions = [], deadlocks, properties = [] } = line;
  const found = (says: string, trace: Trace | undefined): readonly string[] =>
    trace === undefined
      ? []
      : [`${says} | ${inWords(trace.steps)}${trace.cycle ? againIn(trace.cycle, trace.upToNames) : ''}`];
  return [
    ...ordersIn(line),
    ...(line.suggestions ?? []).map(it => `fix of ${it.ends}: ${it.title}`),
    ...questions.flatMap(({ says = '', trace, suggestions = [] }) =>
      found(says, trace).map(it => [it, ...suggestions.map(({ title }) => `fix: ${title}`)].join(' | ')),
    ),
    ...found(`${deadlocks?.count} deadlocks`, deadlocks?.shortest),
    ...properties.flatMap(({ name, trace }) => found(`not: ${name}`, trace)),
  ];
}

const againIn = (cycle: readonly Step[], upToNames: true | undefined): string =>
  ` | again${upToNames ? ' up to names' : ''} ${inWords(cycle)}`;

const inWords = (steps: readonly Step[]): string => steps.map(it => `${it.process}: ${it.step}`).join('; ');

function ordersIn({
  permutations,
  strandedOrders = 0,
  shortest,
  deadlock,
  broken,
  outcomes = [],
}: Line): readonly string[] {
  const way = (its: Arrivals | undefined): string =>
    its ? ` | ${wayInWords(its.steps).replaceAll('default/', '')}` : '';
  const evicted = [...new Set(outcomes.map(it => it.evicted.join(' ').replaceAll('default/', '')))].sort();
  return [
    ...(strandedOrders > 0 ? [`stranded in ${strandedOrders} of ${permutations} orders${way(shortest)}`] : []),
    ...(deadlock
      ? [`deadlock of ${deadlock.between.join(', ')} in ${deadlock.orders} orders${way(deadlock.shortest)}`]
      : []),
    ...(broken ? [`${broken.groups.join(', ')} broken in ${broken.orders} orders`] : []),
    ...(evicted.length > 1 ? [`evicted: ${evicted.map(it => it || 'none').join(' or ')}`] : []),
  ];
}

/** By fixture: its findings. The variant `.cured` replaces objects of the fixture and has none. */
const FINDINGS: Readonly<Record<string, readonly string[]>> = {
  D1: [
    'the drains of n1 and n2 never end: a stays, as the budget a wants 1 available, and 1 is; b stays, as the budget b wants 1 available, and 1 is | drain: cordon n1; drain: evict a from n1; Deployment a: make a; kubelet: a on n1 has ended; drain: cordon n2; drain: evict b from n2; Deployment b: make b; kubelet: b on n2 has ended',
  ],
  E01: [
    'stranded in 720 of 720 orders | ',
    'deadlock of Job a, Job b in 432 orders | a-1 to n1, a-2 to n1, b-1 to n1, b-2 to n1',
    'fix of deadlock: let each Job be a PodGroup of Kubernetes with the gate GenericWorkload, so that its Pods are placed as a whole',
    'fix of deadlock: let Coscheduling place the Pods of each Job as a whole',
    'fix of deadlock: let Volcano place the Pods of each Job as a whole',
    'Job a and Job b never complete: each holds room that the other needs | Job a: make a; scheduler: a to n1; Job a: make a; scheduler: a to n1; Job b: make b; scheduler: b to n1; Job b: make b | fix: suspend Job b until the others are complete | fix: suspend Job a until the others are complete',
    'applied one after the other (Job b, then Job a), 4 of 6 Pods have nodes, and other ones than the 4 of all applied together | scheduler: default/b-1 to n1; scheduler: default/b-2 to n1; scheduler: default/b-3 to n1; scheduler: default/a-1 to n1; scheduler: default/a-2 waits; scheduler: default/a-3 waits | fix: give Job a the priority 1000, so that its Pods come first',
  ],
  E02: [
    'stranded in 2 of 6 orders | small-1 to n1, small-2 to n2',
    'fix of stranded: let the scheduler fill nodes (MostAllocated)',
  ],
  E03: [
    'of 6 replicas that its autoscaler may ask for, Deployment web gets nodes for 5 | HorizontalPodAutoscaler web: scale to 2; Deployment web: make web; scheduler: web to b1; HorizontalPodAutoscaler web: scale to 3; Deployment web: make web; scheduler: web to a2; HorizontalPodAutoscaler web: scale to 4; Deployment web: make web; scheduler: web to b1; HorizontalPodAutoscaler web: scale to 5; Deployment web: make web; scheduler: web to a1; HorizontalPodAutoscaler web: scale to 6; Deployment web: make web | fix: let HorizontalPodAutoscaler web ask for maxReplicas: 5',
  ],
  E04: [
    'the evictions of descheduler may go on for ever: nothing ends it |  | again descheduler: RemoveDuplicates evicts web from n2; Deployment web: make web; scheduler: web to n2; kubelet: web on n2 has ended | fix: let the descheduler evict only Pods that fit elsewhere (nodeFit: true)',
  ],
  E05: [
    'the evictions of descheduler may go on for ever: nothing ends it | descheduler: RemovePodsViolatingTopologySpreadConstraint evicts web from n0, web from n0; Deployment web: make 2 × web; scheduler: web to n1; scheduler: web to n0; kubelet: web on n0 has ended; kubelet: web on n0 has ended | again descheduler: RemovePodsViolatingTopologySpreadConstraint evicts web from n0; Deployment web: make web; scheduler: web to n0; kubelet: web on n0 has ended | fix: let the descheduler leave soft spread constraints to the scheduler',
  ],
  E06: [
    'a drain may go on for ever, as what it evicts comes back to the node | drain: cordon n1 | again drain: evict web from n1; Deployment web: make web on n1; kubelet: web on n1 has ended | fix: leave nodeName out of Deployment web',
    'the evictions of taint eviction may go on for ever: nothing ends it |  | again taint eviction: evict web from n1; Deployment web: make web on n1; kubelet: web on n1 has ended | fix: leave nodeName out of Deployment web | fix: let Deployment web tolerate maintenance',
  ],
  E07: [
    'applying the files again takes Deployment web to 2 running, below the 3 of its autoscaler, and on to 1 | kubectl apply: replicas 1 of Deployment web; Deployment web: delete web on n0 | fix: leave replicas out of Deployment web',
  ],
  E08: [
    'a rollout of Deployment web never ends (maxSurge 1, maxUnavailable 0): no node has room for a new Pod while the old ones run | Deployment web: scale the new ReplicaSet to 1; Deployment web: make web (new) | fix: let Deployment web roll out with maxUnavailable: 1 | fix: let Deployment web roll out with the strategy Recreate',
  ],
  E09: [
    'the drain of n0 never ends: web stays, as the budget web wants 3 available, and 3 are | drain: cordon n0 | fix: let PodDisruptionBudget web want minAvailable: 2',
  ],
  E10: [
    'the drain of n0 never ends: web stays, as the budgets web and web-too both select it, and the eviction API refuses a Pod with several | drain: cordon n0 | fix: delete PodDisruptionBudget web-too | fix: delete PodDisruptionBudget web',
  ],
  E11: ['stranded in 24 of 24 orders | ', 'evicted: none or low1 or low1 low2 or low2'],
  E12: [
    'the evictions of descheduler may go on for ever: nothing ends it |  | again up to names descheduler: HighNodeUtilization evicts web from n1, web from n1; Deployment web: make 2 × web; scheduler: web to n2; scheduler: web to n2; kubelet: web on n1 has ended; kubelet: web on n1 has ended | fix: let the scheduler fill nodes (MostAllocated)',
  ],
  E13: [
    'the evictions of descheduler may go on for ever: nothing ends it |  | again up to names descheduler: LowNodeUtilization evicts big from n0; Deployment big: make big; scheduler: big to n1; kubelet: big on n0 has ended | fix: raise the target of memory to 80 % of a node',
  ],
  E14: [
    'VerticalPodAutoscaler web changes the requests that HorizontalPodAutoscaler web measures by, and drives the replicas from 4 to 8, though the load stays | VerticalPodAutoscaler web: requests of 4 cpu to 2.3; HorizontalPodAutoscaler web: 4 to 7 at 86 % of the requests; VerticalPodAutoscaler web: requests of 2.3 cpu to 1.314; HorizontalPodAutoscaler web: 7 to 8 at 86 % of the requests | fix: let VerticalPodAutoscaler web recommend only',
  ],
  E15: [
    'what Pods of Deployment web use after their start makes HorizontalPodAutoscaler web take the replicas from 1 to 6, and back to 1, though the load stays | HorizontalPodAutoscaler web: 1 to 2 at 100 % of the requests; HorizontalPodAutoscaler web: 2 to 4 at 100 % of the requests; HorizontalPodAutoscaler web: 4 to 6 at 80 % of the requests; HorizontalPodAutoscaler web: 6 to 3 at 20 % of the requests; HorizontalPodAutoscaler web: 3 to 2 at 20 % of the requests; HorizontalPodAutoscaler web: 2 to 1 at 20 % of the requests | fix: let HorizontalPodAutoscaler web wait 60 s before it adds Pods',
  ],
  E16: [
    'while one node at a time is drained, 1 of 3 replicas of Deployment web are left | drain: cordon n0; drain: evict web from n0; Deployment web: make web; scheduler: web to n1; kubelet: web on n0 has ended; drain: n0 is empty; uncordon it; drain: cordon n1; drain: evict web from n1; Deployment web: make web; drain: evict web from n1 | fix: add a PodDisruptionBudget with maxUnavailable: 1 for Deployment web | fix: let Deployment web spread with whenUnsatisfiable: DoNotSchedule',
  ],
  E17: [
    'a rollout of Deployment web never ends (maxSurge 1, maxUnavailable 0): a new Pod waits for a volume that an old one holds on another node | Deployment web: scale the new ReplicaSet to 1; Deployment web: make web (new); scheduler: web (new) to n1 | fix: let Deployment web roll out with maxUnavailable: 1 | fix: let Deployment web roll out with the strategy Recreate',
  ],
  G1: [
    '1 deadlocks | philosopher[0]: take left; philosopher[1]: take left; philosopher[2]: take left; philosopher[3]: take left',
  ],
  G2: ['not: somebody eats | philosopher[0]: take left | again philosopher[2]: take left; philosopher[2]: put back'],
  G3: [
    'not: none is lost | process[0]: read; process[0]: write; process[1]: read; process[2]: read; process[1]: write; process[2]: write',
  ],
  G4: [
    '2 deadlocks | consumer[0]: wait; consumer[1]: wait; producer[0]: put and wake 2; producer[0]: wait; producer[1]: wait; consumer[0]: take and wake 3; consumer[0]: wait; consumer[1]: wait',
  ],
  P1: [
    'stranded in 720 of 720 orders | ',
    'deadlock of PodGroup a, PodGroup b in 432 orders | a-0 to n1, a-1 to n1, b-0 to n1, b-1 to n1',
    'fix of deadlock: let the scheduler run the plugin Coscheduling',
  ],
  P2: ['stranded in 6 of 6 orders | '],
  P3: ['stranded in 720 of 720 orders | '],
  P4: [
    'stranded in 2 of 6 orders | small-1 waits, small-2 waits',
    'fix of stranded: let the scheduler fill nodes (MostAllocated)',
  ],
  P5: ['PodGroup g broken in 1 orders'],
  P6: ['stranded in 24 of 24 orders | '],
  P7: [
    'stranded in 5040 of 5040 orders | ',
    'deadlock of CompositePodGroup ab, CompositePodGroup cd in 3360 orders | a-0 waits, a-0 to n1 and a-1 to n1, d-0 to n1',
  ],
  S1: [
    'stranded in 1 of 1 orders | ',
    'while one node at a time is drained, 0 of 2 replicas of StatefulSet db are left | drain: cordon n1; drain: evict db-0 from n1; kubelet: db-0 on n1 has ended; StatefulSet db: make db-0; drain: n1 is empty; uncordon it; scheduler: batch to n1; drain: cordon n2; drain: evict db-1 from n2 | fix: give StatefulSet db the priority 1000 and no preemption, so that its Pods come first',
    'a rollout of StatefulSet db never ends: db-1 has no node, and the Pods are updated one after the other | StatefulSet db: replace db-1; StatefulSet db: delete db-1 on n2; kubelet: db-1 on n2 has ended; StatefulSet db: make db-1 (new); scheduler: batch to n2 | fix: give StatefulSet db the priority 1000, so that its Pods come first',
  ],
  Z1: [
    'while zone a does not answer, 2 Pods wait: web | zone a: does not answer; taint eviction: evict web from a; Deployment web: make web; taint eviction: evict web from a; Deployment web: make web | fix: let Deployment web spread with nodeTaintsPolicy: Honor | fix: let Deployment web spread with whenUnsatisfiable: ScheduleAnyway',
  ],
  Z2: [
    'once zone a is back, the zones differ by 3 Pods of Deployment web with maxSkew 1, and nothing moves them | zone a: does not answer; taint eviction: evict web from a; Deployment web: make web; taint eviction: evict web from a; Deployment web: make web; scheduler: web to b; scheduler: web to c; zone a: is back; kubelet: web on a has ended; kubelet: web on a has ended | fix: run the descheduler, which spreads Pods again',
  ],
};

/** What a cure leaves: with a gang API one group is placed, and the other waits for it. */
const LEFT: Readonly<Record<string, readonly string[]>> = {
  P1: ['stranded in 720 of 720 orders | '],
};

function replicasOf(name: string, replicas: number): UnknownObject {
  const labels = { app: name };
  const containers = [{ name: 'main', image: 'app', resources: { requests: { cpu: '1', memory: '1Gi' } } }];
  const template = { metadata: { labels }, spec: { containers } };
  const spec = { replicas, selector: { matchLabels: labels }, template };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec };
}

describe('each scenario', () => {
  const files = readdirSync(folder);
  const fixtures = files.filter(it => !it.includes('.cured'));
  const asWritten = exploredOnce();

  it('are all in the table, each with a cured variant', () => {
    expect(fixtures.map(it => it.replace('.yaml', ''))).toEqual(Object.keys(FINDINGS));
    expect(files.filter(it => it.includes('.cured'))).toEqual(fixtures.map(it => it.replace('.yaml', '.cured.yaml')));
  });

  it.each(Object.entries(FINDINGS))('%s has its findings, with the shortest ways', async (name, findings) => {
    const { code, line } = await asWritten(name);
    expect(findingsIn(line)).toEqual(findings);
    expect(code).toBe(1);
  });

  it.each(Object.keys(FINDINGS))('%s: each suggestion, made, ends its finding', async name => {
    const objects = objectsOf(`${name}.yaml`);
    const { questions = [], suggestions: ofOrders = [] } = (await asWritten(name)).line;
    for (const it of ofOrders) {
      const { line } = await explored(curedBy({ adds: [], deletes: [], ...it }, objects), 'order');
      expect(line.alwaysPlaced, it.title).toBeDefined();
      expect(it.ends === 'deadlock' ? line.deadlock : line.strandedOrders || undefined, it.title).toBeUndefined();
    }
    for (const { question, about, suggestions = [] } of questions) {
      for (const it of suggestions) {
        const { line } = await explored(curedBy({ adds: [], deletes: [], ...it }, objects), question);
        const left = (line.questions ?? []).filter(other => other.question === question && other.about === about);
        expect(
          left.map(other => other.holds),
          it.title,
        ).not.toContain(false);
      }
    }
  });

  it('E18: three Deployments of many Pods on many equal nodes are answered for every order', async () => {
    const [nodes, each] = sizedFor({ thorough: [10, 10], quick: [4, 2] });
    const cluster = Array.from({ length: nodes }, (_, i) => node(`n${i}`, 8));
    const { code, line } = await explored([...cluster, ...['a', 'b', 'c'].map(it => replicasOf(it, each))]);
    expect([code, findingsIn(line), line.alwaysPlaced]).toEqual([0, [], true]);
    expect(line.questions?.map(it => it.holds)).not.toContain(null);
  });

  it.each(Object.keys(FINDINGS))('%s, cured, has none of them', async name => {
    const cure = objectsOf(`${name}.cured.yaml`);
    const { objects } = withChanges(objectsOf(`${name}.yaml`), [{ do: 'apply', objects: cure }]);
    const { code, line } = await explored(objects);
    const left = LEFT[name] ?? [];
    expect(findingsIn(line)).toEqual(left);
    const followed = line.questions?.filter(it => it.why === undefined) ?? [];
    expect(followed.map(it => it.holds)).not.toContain(null);
    expect(code).toBe(left.length > 0 ? 1 : 0);
  });
});

describe('PodGroups of Kubernetes whose gate is off', () => {
  const grouped = objectsOf('P1.yaml').map(it => {
    const { metadata, spec } = it as { metadata: { name: string }; spec: UnknownObject };
    if (it.kind === 'PodGroup')
      return { ...it, apiVersion: 'scheduling.k8s.io/v1beta1', spec: { schedulingPolicy: { gang: { minCount: 3 } } } };
    return it.kind === 'Pod' ? { ...it, spec: { ...spec, schedulingGroup: { podGroupName: metadata.name[0] } } } : it;
  });

  it('deadlock, until the gate is on', async () => {
    const { line } = await explored(grouped);
    expect(line.deadlock?.between).toEqual(['PodGroup a', 'PodGroup b']);
    expect(line.suggestions?.map(it => it.title)).toEqual(['turn on the gate GenericWorkload']);
  });
});

describe('where the Pods of a Deployment are labelled as those of a PodGroup', () => {
  const grouped = objectsOf('E08.yaml').map(it =>
    it.kind === 'Deployment'
      ? withEdits(documentsOf([it]), [
          {
            object: refOf(it),
            path: ['spec', 'template', 'metadata', 'labels', 'scheduling.x-k8s.io/pod-group'],
            action: 'set',
            value: 'web',
          },
        ])[0]!
      : it,
  );
  const group = {
    apiVersion: 'scheduling.x-k8s.io/v1alpha1',
    kind: 'PodGroup',
    metadata: { name: 'web' },
    spec: { minMember: 2 },
  };

  it('a scheduler that does not read PodGroups is followed as ever', async () => {
    const { line } = await explored([...grouped, group]);
    expect(line.questions?.find(it => it.question === 'rollout')).toMatchObject({ holds: false });
  });

  it('Coscheduling is not followed, and one answer says why', async () => {
    const configuration = objectsOf('P1.cured.yaml').find(it => it.kind === 'KubeSchedulerConfiguration')!;
    const { code, line } = await explored([...grouped, group, configuration]);
    expect(line.questions?.filter(it => it.question !== 'parts')).toEqual([
      expect.objectContaining({
        holds: null,
        why: expect.stringMatching(/^Pod default\/web-\S+ is placed together with the other Pods of its group, /),
      }),
    ]);
    expect(code).toBe(0);
  });
});
