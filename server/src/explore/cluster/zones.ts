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
import { type ExploredPod, type ExploredState, isAvailable, keyOf, startState } from './state';
import { TEMPLATE_SPEC } from './template';
import { clusterWithin, followed } from './trail';
import type { ExploredWorld } from './world';

const ZONE = 'topology.kubernetes.io/zone';
/** More zones are not taken one after the other. */
const MOST_ZONES = 6;

interface ZoneState {
  readonly cluster: ExploredState;
  readonly zone: string;
  readonly phase: 'before' | 'lost' | 'back';
}

/** Whether Pods have nodes while a zone does not answer, and whether they are spread once it is back. */
export function* askZones(
  world: ExploredWorld,
  scheduler: SchedulerMoves,
  limits: SpaceLimits,
): Steps<readonly ScenarioAnswer[]> {
  const { nodes } = world.scenario.cluster;
  const zones = [...new Set(nodes.flatMap(it => it.labels[ZONE] ?? []))].slice(0, MOST_ZONES);
  const start = startState(world);
  const isRunning = start.pods.some(it => it.node >= 0 && world.kinds[it.kind]!.set !== undefined);
  if (zones.length < 2 || !isRunning) return [];
  const policies = policiesOf(world);
  const searched = yield* searchSpace<ZoneState>(
    {
      starts: zones.map(zone => ({ cluster: start, zone, phase: 'before' })),
      keyOf: it => `${it.zone}|${it.phase}|${keyOf(it.cluster, world)}`,
      movesFrom: it => movesFrom(it, policies, world, scheduler),
    },
    limits,
  );
  return [whileLost(searched, world), ...onceBack(searched, world)];
}

/** The zone comes back once evictions and placements have come to rest. */
function movesFrom(
  state: ZoneState,
  policies: readonly DeschedulerPolicy[],
  world: ExploredWorld,
  scheduler: SchedulerMoves,
): readonly Move<ZoneState>[] {
  const { cluster, zone, phase } = state;
  const isIn = (node: number): boolean => world.scenario.cluster.nodes[node]!.labels[ZONE] === zone;
  const withNodes = (node: ExploredState['nodes'][number]): ExploredState => ({
    ...cluster,
    nodes: cluster.nodes.map((it, i) => (isIn(i) ? node : it)),
  });
  if (phase === 'before') {
    return [
      {
        by: { actor: `zone ${zone}`, step: 'does not answer' },
        to: { cluster: withNodes('lost'), zone, phase: 'lost' },
      },
    ];
  }
  const urgent = controllerMoves(cluster, world);
  if (urgent.length > 0) return movesWithin(state, urgent);
  const evicted = taintMoves(cluster, world).slice(0, 1);
  if (evicted.length > 0) return movesWithin(state, evicted);
  const scheduled = scheduler.from(cluster);
  if (scheduled.length > 0) return movesWithin(state, scheduled);
  const moved = policies.flatMap(it => descheduled(cluster, it, world));
  if (phase === 'back') return movesWithin(state, moved);
  return [{ by: { actor: `zone ${zone}`, step: 'is back' }, to: { cluster: withNodes('up'), zone, phase: 'back' } }];
}

function whileLost(searched: SearchedSpace<ZoneState>, world: ExploredWorld): ScenarioAnswer {
  const { states, edges, isComplete } = searched;
  const waitingIn = ({ cluster }: ZoneState): readonly ExploredPod[] => cluster.pods.filter(it => it.phase === 'waits');
  const before = waitingIn(states[0]!).length;
  const isAtRest = (state: number): boolean => edges[state]?.some(it => states[it.to]!.phase === 'back') === true;
  const found = states.findIndex((it, i) => it.phase === 'lost' && isAtRest(i) && waitingIn(it).length > before);
  const claim = 'every Pod has a node while a zone does not answer';
  const asked = { question: 'zoneLoss', claim, states: states.length } as const;
  if (found < 0) return { ...asked, holds: isComplete ? true : undefined };
  const waiting = waitingIn(states[found]!);
  const names = [...new Set(waiting.map(it => world.kinds[it.kind]!.name))].join(', ');
  const says = `while zone ${states[found]!.zone} does not answer, ${waiting.length} ${waiting.length === 1 ? 'Pod waits' : 'Pods wait'}: ${names}`;
  const blamed = waiting.flatMap(it => blamedMaker(it, world));
  return { ...asked, holds: false, trouble: { says, ...followed(searched, found, world, clusterWithin), blamed } };
}

/** The workload that makes the Pod. */
function blamedMaker({ kind }: ExploredPod, { kinds, sets, workloads }: ExploredWorld): readonly Blame[] {
  const maker = workloads[sets[kinds[kind]!.set ?? -1]?.workload ?? -1];
  return maker === undefined ? [] : [blaming(maker.source, 'metadata', 'name')];
}

/** For each workload that is to be spread over zones. */
function onceBack(searched: SearchedSpace<ZoneState>, world: ExploredWorld): readonly ScenarioAnswer[] {
  const { states, edges, isComplete } = searched;
  return world.workloads.flatMap(({ title, source }, workload): readonly ScenarioAnswer[] => {
    const sets = [...world.sets.keys()].filter(it => world.sets[it]!.workload === workload);
    const { model } = world.kinds[world.sets[sets[0] ?? -1]?.made ?? -1] ?? {};
    const constraint = model?.spec.topologySpreadConstraints?.find(it => it.topologyKey === ZONE);
    if (constraint === undefined) return [];
    const isOwn = (it: ExploredPod): boolean => sets.includes(world.kinds[it.kind]!.set ?? -1);
    const skews = states.map(it => skewOf(it.cluster, isOwn, world));
    const most = maxSkewOf(constraint);
    const claim = `${title} is spread over the zones once a lost one is back`;
    const asked = { question: 'zoneReturn', about: title, claim, states: states.length } as const;
    if (skews[0]! > most) return [];
    const found = states.findIndex((it, i) => it.phase === 'back' && edges[i]?.length === 0 && skews[i]! > most);
    if (found < 0) return [{ ...asked, holds: isComplete ? true : undefined }];
    const says = `once zone ${states[found]!.zone} is back, the zones differ by ${skews[found]} Pods of ${title} with maxSkew ${most}, and nothing moves them`;
    const at = model?.spec.topologySpreadConstraints?.indexOf(constraint) ?? 0;
    const blamed = [blaming(source, ...TEMPLATE_SPEC, 'topologySpreadConstraints', at)];
    return [{ ...asked, holds: false, trouble: { says, ...followed(searched, found, world, clusterWithin), blamed } }];
  });
}

const maxSkewOf = ({ maxSkew }: TopologySpreadConstraint): number => (typeof maxSkew === 'number' ? maxSkew : 1);

/** The difference between the zones with most and with fewest of some Pods. */
function skewOf(cluster: ExploredState, isOwn: (pod: ExploredPod) => boolean, { scenario }: ExploredWorld): number {
  const { nodes } = scenario.cluster;
  const counts = new Map<string, number>(
    nodes.flatMap(it => (it.labels[ZONE] === undefined ? [] : [[it.labels[ZONE], 0] as const])),
  );
  for (const pod of cluster.pods) {
    const zone = nodes[pod.node]?.labels[ZONE];
    if (zone !== undefined && isOwn(pod) && isAvailable(pod, cluster)) counts.set(zone, counts.get(zone)! + 1);
  }
  return Math.max(...counts.values()) - Math.min(...counts.values());
}
