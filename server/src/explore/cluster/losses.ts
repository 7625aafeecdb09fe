import { t } from '../../base/l10n';
import { largest, smallest } from '../../base/manyItems';
import { grouped } from '../../base/multiMap';
import type { Steps } from '../../base/steps';
import type { DeschedulerPolicy } from '../../descheduler/policy';
import type { TopologySpreadConstraint } from '../../kube/types';
import type { ScenarioAnswer } from './answer';
import { type Blame, blaming } from './blame';
import { controllerMoves, taintMoves } from './controllers';
import { descheduled, policiesOf } from './descheduling';
import { movesWithin } from './moves';
import type { SchedulerMoves } from './scheduling';
import { type Move, type SearchedSpace, type SpaceLimits, searchSpace } from './search';
import { type ExploredPod, type ExploredState, isAvailable, isEnding, keyOf, startState } from './state';
import { TEMPLATE_SPEC } from './template';
import { clusterWithin, followed } from './trail';
import type { ExploredWorld } from './world';

const ZONE = 'topology.kubernetes.io/zone';
const HOSTNAME = 'kubernetes.io/hostname';
/** More zones are not lost one after the other, and more nodes. */
const MOST_ZONES = 6;
const MOST_NODES = 50;

/** What does not answer all at once. */
interface Place {
  /** `zone a`. */
  readonly title: string;
  /** Indexes. */
  readonly nodes: ReadonlySet<number>;
}

interface LossState {
  readonly cluster: ExploredState;
  readonly place: Place;
  readonly phase: 'before' | 'lost' | 'back';
}

/** How places of one sort are asked about. */
interface Losses {
  readonly one: 'zone' | 'node';
  readonly topologyKey: string;
  readonly questions: readonly ['zoneLoss' | 'nodeLoss', 'zoneReturn' | 'nodeReturn'];
}

const ZONES: Losses = { one: 'zone', topologyKey: ZONE, questions: ['zoneLoss', 'zoneReturn'] };
const NODES: Losses = { one: 'node', topologyKey: HOSTNAME, questions: ['nodeLoss', 'nodeReturn'] };

/** Whether Pods have nodes while a zone does not answer, and whether they are spread once it is back. */
export function askZones(
  world: ExploredWorld,
  scheduler: SchedulerMoves,
  limits: SpaceLimits,
): Steps<readonly ScenarioAnswer[]> {
  const { nodes } = world.scenario.cluster;
  const zones = grouped(nodes.keys(), it => nodes[it]!.labels[ZONE]);
  const places = [...zones].flatMap(([zone, its]): readonly Place[] =>
    zone === undefined ? [] : [{ title: t`zone ${zone}`, nodes: new Set(its) }],
  );
  return askLosses(ZONES, places.slice(0, MOST_ZONES), world, scheduler, limits);
}

/** The same of a single node. */
export function askNodes(
  world: ExploredWorld,
  scheduler: SchedulerMoves,
  limits: SpaceLimits,
): Steps<readonly ScenarioAnswer[]> {
  const { nodes } = world.scenario.cluster;
  const places = nodes.slice(0, MOST_NODES).map((it, i): Place => ({ title: t`node ${it.name}`, nodes: new Set([i]) }));
  return askLosses(NODES, places, world, scheduler, limits);
}

function* askLosses(
  losses: Losses,
  places: readonly Place[],
  world: ExploredWorld,
  scheduler: SchedulerMoves,
  limits: SpaceLimits,
): Steps<readonly ScenarioAnswer[]> {
  const start = startState(world);
  const isRunning = start.pods.some(it => it.node >= 0 && world.kinds[it.kind]!.set !== undefined);
  if (places.length < 2 || !isRunning) return [];
  const policies = policiesOf(world);
  const searched = yield* searchSpace<LossState>(
    {
      starts: places.map(place => ({ cluster: start, place, phase: 'before' })),
      keyOf: ({ cluster, place, phase }) => {
        const marks = cluster.nodes.map((_, i) => (phase !== 'back' && place.nodes.has(i) ? 'gone' : ''));
        return `${phase}|${keyOf(cluster, world, marks)}`;
      },
      movesFrom: it => movesFrom(it, policies, world, scheduler),
    },
    limits,
  );
  return [whileLost(searched, losses, world), ...onceBack(searched, losses, world)];
}

/** The place comes back once evictions and placements have come to rest. */
function movesFrom(
  state: LossState,
  policies: readonly DeschedulerPolicy[],
  world: ExploredWorld,
  scheduler: SchedulerMoves,
): readonly Move<LossState>[] {
  const { cluster, place, phase } = state;
  const { title: actor } = place;
  const withNodes = (node: ExploredState['nodes'][number]): ExploredState => ({
    ...cluster,
    nodes: cluster.nodes.map((it, i) => (place.nodes.has(i) ? node : it)),
  });
  if (phase === 'before') {
    return [{ by: { actor, step: t('does not answer') }, to: { cluster: withNodes('lost'), place, phase: 'lost' } }];
  }
  const urgent = controllerMoves(cluster, world);
  if (urgent.length > 0) return movesWithin(state, urgent);
  const evicted = taintMoves(cluster, world).slice(0, 1);
  if (evicted.length > 0) return movesWithin(state, evicted);
  const scheduled = scheduler.from(cluster);
  if (scheduled.length > 0) return movesWithin(state, scheduled);
  const moved = policies.flatMap(it => descheduled(cluster, it, world));
  if (phase === 'back') return movesWithin(state, moved);
  return [{ by: { actor, step: t('is back') }, to: { cluster: withNodes('up'), place, phase: 'back' } }];
}

function whileLost(
  searched: SearchedSpace<LossState>,
  { one, questions: [question] }: Losses,
  world: ExploredWorld,
): ScenarioAnswer {
  const { states, edges, isComplete } = searched;
  const waitingIn = ({ cluster }: LossState): readonly ExploredPod[] =>
    cluster.pods.filter(it => it.phase === 'waits' || it.phase === 'starts' || isMissed(it, cluster, world));
  const before = waitingIn(states[0]!).length;
  const isAtRest = (state: number): boolean => edges[state]?.some(it => states[it.to]!.phase === 'back') === true;
  const found = states.findIndex((it, i) => it.phase === 'lost' && isAtRest(i) && waitingIn(it).length > before);
  const claim =
    one === 'zone'
      ? t('every Pod has a node while a zone does not answer')
      : t('every Pod has a node while a node does not answer');
  const asked = { question, claim, states: states.length } as const;
  if (found < 0) return { ...asked, holds: isComplete ? true : undefined };
  const waiting = waitingIn(states[found]!);
  const namesOf = (pods: readonly ExploredPod[]): string =>
    [...new Set(pods.map(it => world.kinds[it.kind]!.name))].join(', ');
  const missed = waiting.filter(isEnding);
  const others = waiting.filter(it => !isEnding(it));
  const parts = [
    ...(others.length > 0
      ? [others.length === 1 ? t`1 Pod waits: ${namesOf(others)}` : t`${others.length} Pods wait: ${namesOf(others)}`]
      : []),
    ...(missed.length > 0
      ? [
          missed.length === 1
            ? t`${namesOf(missed)} is not made again until it does`
            : t`${namesOf(missed)} are not made again until it does`,
        ]
      : []),
  ];
  const says = t`while ${states[found]!.place.title} does not answer, ${parts.join('; ')}`;
  const blamed = waiting.flatMap(it => blamedMaker(it, world));
  return { ...asked, holds: false, trouble: { says, ...followed(searched, found, world, clusterWithin), blamed } };
}

/** Whether a Pod ends on a node that does not answer, so that its controller does not make the next one. */
function isMissed(pod: ExploredPod, { nodes, wanted }: ExploredState, { kinds, sets }: ExploredWorld): boolean {
  const { set = -1 } = kinds[pod.kind]!;
  return isEnding(pod) && nodes[pod.node] === 'lost' && sets[set]?.place !== undefined && wanted[set]! > 0;
}

/** The workload that makes the Pod. */
function blamedMaker({ kind }: ExploredPod, { kinds, sets, workloads }: ExploredWorld): readonly Blame[] {
  const maker = workloads[sets[kinds[kind]!.set ?? -1]?.workload ?? -1];
  return maker === undefined ? [] : [blaming(maker.source, 'metadata', 'name')];
}

/** For each workload that is to be spread over such places. */
function onceBack(
  searched: SearchedSpace<LossState>,
  { one, topologyKey, questions: [, question] }: Losses,
  world: ExploredWorld,
): readonly ScenarioAnswer[] {
  const { states, edges, isComplete } = searched;
  return world.workloads.flatMap(({ title, source }, workload): readonly ScenarioAnswer[] => {
    const sets = [...world.sets.keys()].filter(it => world.sets[it]!.workload === workload);
    const { model } = world.kinds[world.sets[sets[0] ?? -1]?.made ?? -1] ?? {};
    const constraint = model?.spec.topologySpreadConstraints?.find(it => it.topologyKey === topologyKey);
    if (constraint === undefined) return [];
    const isOwn = (it: ExploredPod): boolean => sets.includes(world.kinds[it.kind]!.set ?? -1);
    const skews = states.map(it => skewOf(it.cluster, topologyKey, isOwn, world));
    const most = maxSkewOf(constraint);
    const claim =
      one === 'zone'
        ? t`${title} is spread over the zones once a lost one is back`
        : t`${title} is spread over the nodes once a lost one is back`;
    const asked = { question, about: title, claim, states: states.length } as const;
    if (skews[0]! > most) return [];
    const found = states.findIndex((it, i) => it.phase === 'back' && edges[i]?.length === 0 && skews[i]! > most);
    if (found < 0) return [{ ...asked, holds: isComplete ? true : undefined }];
    const back = states[found]!.place.title;
    const says =
      one === 'zone'
        ? t`once ${back} is back, the zones differ by ${skews[found]} Pods of ${title} with maxSkew ${most}, and nothing moves them`
        : t`once ${back} is back, the nodes differ by ${skews[found]} Pods of ${title} with maxSkew ${most}, and nothing moves them`;
    const at = model?.spec.topologySpreadConstraints?.indexOf(constraint) ?? 0;
    const blamed = [blaming(source, ...TEMPLATE_SPEC, 'topologySpreadConstraints', at)];
    return [{ ...asked, holds: false, trouble: { says, ...followed(searched, found, world, clusterWithin), blamed } }];
  });
}

const maxSkewOf = ({ maxSkew }: TopologySpreadConstraint): number => (typeof maxSkew === 'number' ? maxSkew : 1);

/** The difference between the domains with most and with fewest of some Pods. */
function skewOf(
  cluster: ExploredState,
  topologyKey: string,
  isOwn: (pod: ExploredPod) => boolean,
  { scenario }: ExploredWorld,
): number {
  const { nodes } = scenario.cluster;
  const counts = new Map<string, number>(
    nodes.flatMap(it => (it.labels[topologyKey] === undefined ? [] : [[it.labels[topologyKey], 0] as const])),
  );
  for (const pod of cluster.pods) {
    const domain = nodes[pod.node]?.labels[topologyKey];
    if (domain !== undefined && isOwn(pod) && isAvailable(pod, cluster)) counts.set(domain, counts.get(domain)! + 1);
  }
  return largest(counts.values()) - smallest(counts.values());
}
