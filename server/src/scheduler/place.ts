import type { Scenario, ScenarioOptions } from '../cluster/fromObjects';
import { compareText } from '../cluster/fromObjects';
import type { ClusterModel, PodModel } from '../cluster/model';
import { atOnce, type Turns } from '../cluster/turns';
import {
  afterEviction,
  attemptOf,
  type Board,
  nodesOf,
  type Past,
  pastOf,
  placedOn,
  placedPod,
  startingWith,
  withoutKey,
  withoutNomination,
} from './board';
import { decide } from './decide';
import { makeCycle, type NominatedPods, nobodyNominated, runFilterWithNominated } from './framework/cycle';
import type { Decision } from './framework/decision';
import { eventNote, fitErrorMessage } from './framework/fitError';
import { nodeInfos } from './framework/nodeInfo';
import { type Cycle, failure, type Refusal, type Reservation } from './framework/plugin';
import type { Profile } from './framework/profile';
import { sharedWork } from './framework/sharedWork';
import { signBy } from './framework/sharing';
import { type Bench, type GroupSnapshot, type GroupStatus, groupSuccess, NOBODY } from './gangs/bench';
import { type Entity, entitiesOf, type Gangs, heldPods } from './gangs/queue';
import { tryGroup } from './gangs/turn';
import { afterPermit, type Permit, sendBack, timeOut } from './gangs/waiting';
import type { Snapshot } from './looks';
import { keeps, type RunMemory, resuming, type Start, startOf } from './memory';
import { comparePriority } from './plugins/prioritySort/plugin';
import type { Profiles } from './profiles';
import type { Attempt, PlacementResult } from './result';
import { followedBy, itemsOf, trailOf } from './trail';

/** Hears of each look at a Pod: as the Pod was, the cluster that it was tried in, by which profile, and what came of it. */
export type Watch = (look: {
  readonly pod: PodModel;
  readonly cycle: Snapshot;
  readonly profile: Profile;
  readonly decision: Decision;
}) => void;

/** Decides where one Pod goes in the cluster as it is. Pure: nothing is placed, nobody is evicted. */
export function place(pod: PodModel, cluster: ClusterModel, profile: Profile): Attempt {
  const nodes = nodeInfos(cluster);
  const cycle = makeCycle(cluster, nodes, sharedWork(nodes.length));
  return attemptOf(decide(pod, { ...cycle, nominated: nobodyNominated, start: 0 }, profile), 1);
}

/** What a run is given beside what it decides about. */
export interface Around {
  /** Told of each look at a single Pod, with all that it was decided on. */
  readonly watch?: Watch | undefined;
  /** Left by the last run over nearly the same; absent: everything is decided anew. */
  readonly memory?: Pick<RunMemory, 'run'> | undefined;
}

/**
 * Places all pending Pods: by priority, then in the order of the file, each once, and once more after its own
 * preemption as `options.retry` says. The Pods of a group take one turn together.
 */
export function placeAll(...given: Parameters<typeof placingAll>): PlacementResult {
  return atOnce(placingAll(...given));
}

/** The same turn by turn. */
export function* placingAll(
  scenario: Scenario,
  profiles: Profiles,
  gangs: Gangs,
  { watch, memory }: Around = {},
): Turns<PlacementResult> {
  const { cluster, options } = scenario;
  const held = yield* heldPods(scenario, profiles, gangs);
  yield;
  const queued = scenario.pending.filter(it => !held.has(it.id));
  const sort = [...profiles.values()].find(it => it.queueSort.length > 0)?.queueSort[0];
  const sorted = sort ? sort.queueSort!(queued, cluster) : queued;
  const entities = entitiesOf(sorted, gangs).sort(comparePriority);
  yield;
  const start = startOf(scenario, profiles, gangs, memory?.run?.start);
  start.work.once('pods', () => [...cluster.running, ...scenario.pending]);
  yield;
  const first = firstBoard(start);
  // Who watches wants to see all looks, also those that are known.
  const known = watch ? undefined : yield* resuming(start, first.nominated, entities, memory?.run);
  yield;
  const { from, progress } = known ?? { from: 0, progress: { cluster, board: first, again: [] } };
  const kept = new Map([...(memory?.run?.progress ?? [])].filter(([turn]) => turn < from));
  // Who stops in between leaves the turns that are over to the next run.
  if (memory) memory.run = { start, entities, progress: kept };
  let { board, again } = progress;
  for (let turn = from; turn < entities.length; turn++) {
    yield;
    if (memory && keeps(turn, entities.length, start.nodes.length)) kept.set(turn, { cluster, board, again });
    let next: Entity | undefined;
    [board, next] = tryEntity(entities[turn]!, 1, board, profiles, options, watch);
    if (!next || options.retry === 'none') continue;
    if (options.retry === 'end') again = [...again, next];
    else [board] = tryEntity(next, 2, board, profiles, options, watch);
  }
  if (memory) kept.set(entities.length, { cluster, board, again });
  for (const entity of [...again].sort(comparePriority)) {
    yield;
    // A Pod that came later may have taken the nomination away.
    const pods = entity.pods.map(it => board.nominated.get(it.id) ?? withoutNomination(it));
    [board] = tryEntity({ ...entity, pods }, 2, board, profiles, options, watch);
  }
  board = timeOut(board);
  const rejected = scenario.rejected.map(
    (it): Attempt => ({ pod: it.id, attempt: 1, priority: 0, status: 'rejected', message: it.message }),
  );
  const attempts = [...itemsOf(board.attempts), ...held.values(), ...rejected];
  return {
    attempts,
    ...(board.groups.length > 0 && { groups: board.groups }),
    placements: placementsOf(attempts),
    evicted: [...board.evicted].sort(compareText),
    notes: scenario.notes,
  };
}

function placementsOf(attempts: readonly Attempt[]): PlacementResult['placements'] {
  const placements: Record<string, string> = {};
  for (const { status, pod, node } of attempts) if (status === 'scheduled') placements[pod] = node!;
  return placements;
}

function firstBoard({ scenario: { cluster, pending }, profiles, nodes, work }: Start): Board {
  // A Pod that gates hold keeps its nomination; one that no profile knows never comes into the queue.
  const known = pending.filter(it => it.nominatedNodeName !== undefined && profiles.has(it.schedulerName));
  const nominated = new Map(known.map(it => [it.id, it]));
  return {
    cluster,
    nodes,
    past: startingWith(nodes),
    work,
    nominated,
    attempts: trailOf<Attempt>([]),
    groups: [],
    evicted: [],
    waiting: [],
    start: 0,
  };
}

function tryEntity(
  entity: Entity,
  attempt: number,
  before: Board,
  profiles: Profiles,
  options: ScenarioOptions,
  watch: Watch | undefined,
): [Board, Entity | undefined] {
  const { group, pods } = entity;
  const pod = pods[0]!;
  if (group) {
    const bench = benchOf(profiles.get(pod.schedulerName)!, before, pods, watch);
    return tryGroup({ ...entity, group }, before, bench, options);
  }
  const [board, next] = tryPod(pod, attempt, before, profiles, options, watch);
  return [board, next && { priority: next.priority, pods: [next] }];
}

/** Upstream: RunPermitPlugins, as far as one plugin at a time makes Pods wait. */
function runPermit(profile: Profile, pod: PodModel, cycle: Cycle): Permit {
  let permit: Permit = {};
  for (const plugin of profile.permit) {
    const answer = plugin.permit!(pod, cycle);
    if ('reasons' in answer) return { refusal: answer };
    if (answer.code === 'Wait') permit = { ...permit, waits: { ...answer, plugin: plugin.name } };
    else if (answer.group !== undefined) permit = { ...permit, lets: answer.group };
  }
  return permit;
}

/** The scheduling of single Pods, as a group's cycle borrows it. */
function benchOf(profile: Profile, { work }: Board, pods: readonly PodModel[], watch: Watch | undefined): Bench {
  // Within a group's cycle no Pod preempts for itself.
  const alone: Profile = { ...profile, postFilter: [] };
  // The queue has given them out and knows no more of them than their names, so that their nominations take nothing.
  const own = new Set(pods.map(it => it.id));
  const cycleOf = (at: GroupSnapshot): Snapshot => ({
    ...makeCycle(at.cluster, at.nodes, work),
    nominated: nominatedPods(new Map([...at.nominated].filter(([id]) => !own.has(id)))),
    start: at.start,
    bindsLater: true,
    ...(at.within && { among: at.nodes.filter(it => at.within?.has(it.name)) }),
  });
  return {
    look(pod, at) {
      const cycle = cycleOf(at);
      const decision = decide(pod, cycle, alone);
      watch?.({ pod, cycle, profile: alone, decision });
      return decision;
    },
    reserve: (pod, node, at) => reserve(pod, node, cycleOf(at), profile),
    bind: (pod, node, at) =>
      profile.reserve.reduce((cluster, plugin) => {
        const cycle = cycleOf({ ...at, cluster });
        return plugin.bind?.(pod, cycle.nodeNamed(node)!, cycle)?.cluster ?? cluster;
      }, at.cluster),
    fits(run, pod, node, at) {
      const cycle = cycleOf(at);
      return runFilterWithNominated(run, pod, node, cycle, cycle.nominated) === undefined;
    },
    feasible(group, progress) {
      let status: GroupStatus = groupSuccess;
      for (const plugin of profile.placementFeasible) {
        const answer = plugin.placementFeasible!(group, progress);
        if (answer.code === 'Wait') status = answer;
        else if (answer.code !== 'Success') return answer;
      }
      return status;
    },
    postFilter(context) {
      const messages: string[] = [];
      let freed: ClusterModel | undefined;
      for (const plugin of profile.podGroupPostFilter) {
        const answer = plugin.podGroupPostFilter!(context);
        const { cluster = freed } = answer;
        if (answer.code === 'Error') {
          return { ...answer, message: `error in "${plugin.name}" PodGroupPostFilter plugins: ${answer.message}` };
        }
        if (answer.code !== 'Unschedulable') return { ...answer, ...(cluster && { cluster }) };
        if (answer.message) messages.push(answer.message);
        freed = cluster;
      }
      return { code: 'Unschedulable', message: messages.join(', '), ...NOBODY, ...(freed && { cluster: freed }) };
    },
  };
}

/** One cycle and what follows from it; the Pod comes back when it is to be tried again. */
function tryPod(
  pod: PodModel,
  attempt: number,
  before: Board,
  profiles: Profiles,
  options: ScenarioOptions,
  watch: Watch | undefined,
): [Board, PodModel | undefined] {
  const cycle = snapshotOf(before, nominatedPods(before.nominated));
  const profile = profiles.get(pod.schedulerName)!;
  const decided = decide(pod, cycle, profile);
  watch?.({ pod, cycle, profile, decision: decided });
  const later = profile.extenders ? undefined : toldLater(decided, pod, cycle, pastOf(before), profile);
  const decision = later ? { ...decided, nodes: later } : decided;
  const start = (before.start + decision.looked) % Math.max(1, before.nodes.length);
  const board: Board = { ...before, start, cluster: decision.cluster ?? before.cluster };
  const { node } = decision.attempt;
  const taken = node === undefined ? undefined : reserve(pod, node, cycle, profile);
  if (taken?.failed) {
    const attempts = followedBy(board.attempts, attemptOf(notBound(decision, taken.failed), attempt, taken));
    const nominated = withoutKey(board.nominated, pod.id);
    return [{ ...board, cluster: taken.cluster, attempts, nominated }, undefined];
  }
  const permit = node === undefined ? undefined : runPermit(profile, pod, cycle);
  if (permit?.refusal) {
    const attempts = followedBy(board.attempts, attemptOf(notBound(decision, permit.refusal), attempt));
    return [{ ...board, attempts, nominated: withoutKey(board.nominated, pod.id) }, undefined];
  }
  const attempts = followedBy(board.attempts, attemptOf(decision, attempt, taken));
  if (node !== undefined) {
    const at = cycle.nodeNamed(node)!;
    const placed = placedPod(pod, at, attempts.length, options, before.work);
    const { nodes, past } = placedOn(board, at, placed);
    const nominated = withoutKey(board.nominated, pod.id);
    const after = { ...board, nodes, past, cluster: taken?.cluster ?? board.cluster, attempts, nominated };
    return [afterPermit(after, placed, permit), undefined];
  }
  const { nomination, sendsBack } = decision;
  const told: Board = { ...board, attempts };
  const after = sendsBack ? sendBack(told, sendsBack.group, () => sendsBack.reason) : told;
  if (nomination === undefined) return [after, undefined];
  if (nomination === 'none') return [{ ...after, nominated: withoutKey(after.nominated, pod.id) }, undefined];
  const again: PodModel = { ...pod, nominatedNodeName: nomination.node };
  const nominated = new Map(
    [...board.nominated].filter(([, it]) => it.nominatedNodeName !== nomination.node || it.priority >= pod.priority),
  ).set(pod.id, again);
  const going = nomination.victims.filter(it => !it.terminating);
  const nodes = afterEviction(after.nodes, going, options);
  return [{ ...after, nodes, nominated, evicted: [...board.evicted, ...going.map(it => it.id)] }, again];
}

/**
 * What each node said, worked out again when somebody asks: of thousands of Pods hardly anybody asks for one, and keeping
 * the nodes, the refusals and the scores of all took more time and memory than deciding.
 */
function toldLater(
  { nodes }: Decision,
  pod: PodModel,
  { cluster, work, nominated, start }: Snapshot,
  { before, changed }: Past,
  profile: Profile,
): Decision['nodes'] {
  if (nodes === undefined) return undefined;
  return () => {
    const cycle = snapshotOf({ cluster, nodes: nodesOf({ before, changed }), work, start }, nominated);
    return decide(pod, cycle, { ...profile, postFilter: [] }).nodes?.() ?? [];
  };
}

/** A node was found, and then binding went wrong. What was changed for it stays. Upstream: handleBindingCycleError. */
function notBound({ attempt, nodes, looked }: Decision, failed: Refusal): Decision {
  const { node: _, tiedNodes, ...base } = attempt;
  const isBroken = failed.code === 'Error';
  const message = eventNote(isBroken ? failed.reasons.join(', ') : fitErrorMessage(1, failed.reasons, ''));
  return {
    attempt: {
      ...base,
      status: isBroken ? 'error' : 'unschedulable',
      ...(base.fits && tiedNodes && { tiedNodes }),
      message,
    },
    ...(nodes && { nodes }),
    looked,
  };
}

function snapshotOf(
  { cluster, nodes, work, start }: Pick<Board, 'cluster' | 'nodes' | 'work' | 'start'>,
  nominated: NominatedPods,
): Snapshot {
  return { cluster, nodes, work, nodeNamed: makeCycle(cluster, nodes, work).nodeNamed, nominated, start };
}

function nominatedPods(nominated: ReadonlyMap<string, PodModel>): NominatedPods {
  if (nominated.size === 0) return nobodyNominated;
  const nobody: readonly PodModel[] = [];
  const byNode = new Map<string, PodModel[]>();
  for (const it of nominated.values()) {
    const node = it.nominatedNodeName ?? '';
    const found = byNode.get(node);
    if (found) found.push(it);
    else byNode.set(node, [it]);
  }
  return node => byNode.get(node) ?? nobody;
}

/** What the Pod takes beside its node, plugin after plugin. Upstream: RunReservePluginsReserve. */
function reserve(pod: PodModel, node: string, cycle: Cycle, profile: Profile): Reservation | undefined {
  let taken: Reservation | undefined;
  for (const plugin of profile.reserve) {
    if (signBy(plugin, pod, cycle.work) !== undefined) continue;
    const more = plugin.reserve!(pod, cycle.nodeNamed(node)!, taken ? { ...cycle, cluster: taken.cluster } : cycle);
    taken = more ? { ...taken, ...more } : taken;
    if (!more?.failed) continue;
    const text = `running PreBind plugin "${plugin.name}": ${more.failed.reasons.join(', ')}`;
    return { ...more, failed: failure(text) };
  }
  return taken;
}
