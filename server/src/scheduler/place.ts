import type { Scenario, ScenarioOptions } from '../cluster/fromObjects';
import { compareText } from '../cluster/fromObjects';
import type { ClusterModel, PodModel } from '../cluster/model';
import { afterEviction, attemptOf, type Board, PLACING_START, withoutKey, withoutNomination } from './board';
import { EXTENDER, looksAtAllNodes, passExtenders, withExtenderScores } from './extenders/chain';
import {
  type FilterRefusal,
  type FilterRun,
  filterNodes,
  makeCycle,
  type NominatedPods,
  runFilterWithNominated,
  runPreFilter,
  runScore,
  type Scores,
  verdictOf,
} from './framework/cycle';
import type { Decision } from './framework/decision';
import { eventNote, fitErrorMessage } from './framework/fitError';
import { type NodeInfo, nodeInfo, withPod } from './framework/nodeInfo';
import {
  type Cycle,
  failure,
  type PostFilterAnswer,
  type PostFilterContext,
  type Refusal,
  type Reservation,
  unresolvable,
} from './framework/plugin';
import type { Profile } from './framework/profile';
import { sharedWork } from './framework/sharedWork';
import { type Bench, type GroupSnapshot, type GroupStatus, groupSuccess, NOBODY } from './gangs/bench';
import { type Entity, entitiesOf, type Gangs, heldPods } from './gangs/queue';
import { tryGroup } from './gangs/turn';
import { afterPermit, type Permit, sendBack, timeOut } from './gangs/waiting';
import { comparePriority } from './plugins/prioritySort/plugin';
import type { Profiles } from './profiles';
import type { Attempt, NodeVerdict, PlacementResult, Rejection } from './result';

type Snapshot = Cycle & {
  readonly nominated: NominatedPods;
  /** Where in `nodesInTurn` a profile that does not score begins. */
  readonly start: number;
  /** The nodes that come into question; absent: all. */
  readonly among?: readonly NodeInfo[];
};

/** Decides where one Pod goes in the cluster as it is. Pure: nothing is placed, nobody is evicted. */
export function place(pod: PodModel, cluster: ClusterModel, profile: Profile): Attempt {
  const nodes = nodeInfos(cluster);
  const cycle = makeCycle(cluster, nodes, sharedWork(nodes.length));
  return attemptOf(decide(pod, { ...cycle, nominated: () => [], start: 0 }, profile), 1);
}

function nodeInfos(cluster: ClusterModel): readonly NodeInfo[] {
  const byNode = new Map<string, PodModel[]>();
  for (const pod of cluster.running) {
    const found = byNode.get(pod.nodeName ?? '');
    if (found) found.push(pod);
    else byNode.set(pod.nodeName ?? '', [pod]);
  }
  return cluster.nodes.map((it, i) => nodeInfo(it, byNode.get(it.name) ?? [], i));
}

/** Upstream: schedulePod, then PostFilter when no node fits. */
function decide(pod: PodModel, cycle: Snapshot, profile: Profile): Decision {
  const base = { pod: pod.id, priority: pod.priority };
  const nodes = cycle.among ?? cycle.nodes;
  if (nodes.length === 0) {
    return { attempt: { ...base, status: 'unschedulable', message: 'no nodes available to schedule pods' }, looked: 0 };
  }
  const before = runPreFilter(profile, pod, cycle);
  if ('rejection' in before) {
    if (before.rejection.code === 'Error') return { ...broken(base, before.rejection, 0), preFiltered: before.ran };
    const answer = postFilter(profile, pod, {
      cycle,
      preFiltered: before.ran,
      statusOf: () => before.rejection,
      filter: () => undefined,
      hasNominated: () => false,
    });
    const preFilter = before.rejection.reasons.join(', ');
    const preFilterRejection: Rejection = {
      plugin: before.plugin,
      point: 'PreFilter',
      code: before.rejection.code,
      reasons: before.rejection.reasons,
    };
    const message = fitMessage(cycle, { preFilter }, answer);
    const decision = refused(
      { ...base, preFilterRejection, rejectedBy: [before.plugin] },
      undefined,
      message,
      answer,
      0,
    );
    return { ...decision, preFiltered: before.ran };
  }

  const { run, nodeNames, narrowedBy } = before;
  const nominated = pod.nominatedNodeName;
  const nominatedNode = nominated === undefined ? undefined : nodes.find(it => it.name === nominated);
  const atNominated =
    nominatedNode &&
    (runFilterWithNominated(run, pod, nominatedNode, cycle, cycle.nominated) ??
      extenderRefusal(nominatedNode, pod, profile));
  if (nominatedNode && !atNominated) {
    const looks: Looks = { feasible: [nominatedNode], refusals: [], looked: 0 };
    return { ...only(base, nominatedNode, 0), nodes: () => verdictsOf(cycle, looks, nodeNames, undefined), run };
  }

  const filtered = withNominated(lookAtNodes(run, pod, cycle, profile, nodeNames), nominatedNode, atNominated);
  const looks = withExtenders(filtered, pod, profile);
  const verdicts = (scores?: Scores) => () => verdictsOf(cycle, looks, nodeNames, scores);
  const { feasible, looked } = looks;
  if (looks.error) return { ...broken(base, looks.error, looked), nodes: verdicts(), run };
  if (feasible.length === 0) {
    // Upstream keeps one set for the plugins that narrowed and those that have rejected so far.
    const named = new Set([...narrowedBy, ...(atNominated ? [atNominated.plugin] : [])]);
    const excluded = unresolvable(`node(s) didn't satisfy plugin(s) [${[...named].sort(compareText).join(' ')}]`);
    const statusOf = ({ index }: NodeInfo): Refusal => looks.refusals[index]?.status ?? excluded;
    const answer = postFilter(profile, pod, {
      cycle,
      run,
      preFiltered: profile.preFilter.map(it => it.name),
      statusOf,
      filter: (state, node) => runFilterWithNominated(state, pod, node, cycle, cycle.nominated),
      hasNominated: it => cycle.nominated(it.name).length > 0,
    });
    const reasons = nodes.flatMap(it => statusOf(it).reasons);
    const rejected = { ...base, rejectedBy: rejectorsOf(looks, narrowedBy) };
    return { ...refused(rejected, verdicts(), fitMessage(cycle, reasons, answer), answer, looked), run };
  }
  if (feasible.length === 1) return { ...only(base, feasible[0]!, looked), nodes: verdicts(), run };
  if (profile.scoreFailure !== undefined) {
    const failure: Refusal = { code: 'Error', reasons: [profile.scoreFailure] };
    return { ...broken(base, failure, looked), nodes: verdicts(), run };
  }
  const ofPlugins = runScore(profile, pod, cycle, feasible);
  const scores = withExtenderScores(profile.extenders, pod, feasible, ofPlugins);
  const top = scores.totals.reduce((most, it) => Math.max(most, it), Number.NEGATIVE_INFINITY);
  const tiedNodes = feasible.filter((_, i) => scores.totals[i] === top).map(it => it.name);
  const attempt = { ...base, status: 'scheduled' as const, node: tiedNodes[0]!, tiedNodes };
  return { attempt, nodes: verdicts(scores), looked, run, scored: true };
}

/** The one node that fits, or the nominated one; nothing is scored then. */
function only(base: Pick<Attempt, 'pod' | 'priority'>, { name }: NodeInfo, looked: number): Decision {
  const attempt = { ...base, status: 'scheduled' as const, node: name, tiedNodes: [name] };
  return { attempt, nodes: () => [{ node: name, verdict: 'feasible' }], looked };
}

/** A plugin could not answer: nothing is decided, and nobody is evicted. */
function broken(base: Pick<Attempt, 'pod' | 'priority'>, { reasons }: Refusal, looked: number): Decision {
  const message = eventNote(reasons.join(', '));
  return { attempt: { ...base, status: 'error', message }, nomination: 'none', looked };
}

interface Looks {
  readonly feasible: readonly NodeInfo[];
  /** Fits, too, but was found when there were enough. */
  readonly beyond?: NodeInfo;
  /** By `NodeInfo.index`. */
  readonly refusals: readonly (FilterRefusal | undefined)[];
  readonly looked: number;
  /** What a plugin failed with; no node was looked at after that. */
  readonly error?: Refusal;
}

/** What the nominated node said counts even where PreFilter left the node out. */
function withNominated(looks: Looks, node: NodeInfo | undefined, refusal: FilterRefusal | undefined): Looks {
  if (!node || !refusal || looks.refusals[node.index] || looks.feasible.includes(node)) return looks;
  const looked = looks.looked + (refusal.status.code === 'Error' ? 0 : 1);
  return { ...looks, refusals: looks.refusals.with(node.index, refusal), looked };
}

/** Upstream: Diagnosis.UnschedulablePlugins. */
function rejectorsOf({ refusals }: Looks, narrowedBy: readonly string[]): readonly string[] {
  const plugins = new Set(narrowedBy);
  for (const it of refusals) if (it) plugins.add(it.plugin);
  return [...plugins].sort(compareText);
}

/** What the extenders leave of the nodes that fit. */
function withExtenders(looks: Looks, pod: PodModel, { extenders }: Profile): Looks {
  if (!extenders || looks.error || looks.feasible.length === 0) return looks;
  const passed = passExtenders(
    extenders,
    pod,
    looks.feasible.map(it => it.node),
  );
  if (passed.error !== undefined) return { ...looks, error: { code: 'Error', reasons: [passed.error] } };
  const refusals = [...looks.refusals];
  for (const { name, index } of looks.feasible) {
    const status = passed.refusals.get(name);
    if (status) refusals[index] = { plugin: EXTENDER, status };
  }
  return { ...looks, feasible: looks.feasible.filter(it => passed.left.has(it.name)), refusals };
}

function extenderRefusal(node: NodeInfo, pod: PodModel, { extenders }: Profile): FilterRefusal | undefined {
  if (!extenders) return undefined;
  const { left, refusals, error } = passExtenders(extenders, pod, [node.node]);
  if (left.has(node.name)) return undefined;
  const status: Refusal = error === undefined ? unresolvable() : { code: 'Error', reasons: [error] };
  return { plugin: EXTENDER, status: refusals.get(node.name) ?? status };
}

/** Upstream: findNodesThatPassFilters. Without scores the first node will do. */
function lookAtNodes(
  run: FilterRun,
  pod: PodModel,
  cycle: Snapshot,
  profile: Profile,
  nodeNames: ReadonlySet<string> | undefined,
): Looks {
  const isScored = profile.score.length > 0 || looksAtAllNodes(profile.extenders);
  const all = isScored ? (cycle.among ?? cycle.nodes) : nodesInTurn(cycle);
  const asked = nodeNames ? all.filter(it => nodeNames.has(it.name)) : all;
  const refusals = new Array<FilterRefusal | undefined>(cycle.nodes.length);
  if (isScored) {
    const answers = filterNodes(run, pod, asked, cycle, profile, cycle.nominated);
    if (answers.some(it => it?.status.code === 'Error')) {
      const answerOf = new Map(asked.map((it, i) => [it.index, answers[i]]));
      const turn = nodesInTurn(cycle).filter(it => answerOf.has(it.index));
      return lookInTurn(turn, it => answerOf.get(it.index), Number.POSITIVE_INFINITY, refusals);
    }
    const feasible: NodeInfo[] = [];
    for (let i = 0; i < asked.length; i++) {
      const node = asked[i]!;
      refusals[node.index] = answers[i];
      if (answers[i] === undefined) feasible.push(node);
    }
    return { feasible, refusals, looked: asked.length };
  }
  return lookInTurn(asked, it => runFilterWithNominated(run, pod, it, cycle, cycle.nominated), 1, refusals);
}

/** Ends at an error, and when one more than enough nodes fit: upstream learns only then that it has enough. */
function lookInTurn(
  turn: readonly NodeInfo[],
  answerOf: (node: NodeInfo) => FilterRefusal | undefined,
  enough: number,
  refusals: (FilterRefusal | undefined)[],
): Looks {
  const feasible: NodeInfo[] = [];
  let refused = 0;
  for (const node of turn) {
    const refusal = answerOf(node);
    const looked = refused + feasible.length;
    if (!refusal && feasible.length === enough) return { feasible, beyond: node, refusals, looked };
    if (!refusal) {
      feasible.push(node);
      continue;
    }
    refusals[node.index] = refusal;
    if (refusal.status.code === 'Error') return { feasible, refusals, looked, error: refusal.status };
    refused += 1;
  }
  return { feasible, refusals, looked: refused + feasible.length };
}

/** By name; a node that was not looked at has none. */
function verdictsOf(
  { nodes }: Cycle,
  { feasible, beyond, refusals }: Looks,
  nodeNames: ReadonlySet<string> | undefined,
  scores: Scores | undefined,
): readonly NodeVerdict[] {
  const places = new Map(feasible.map((it, i) => [it.index, i]));
  return nodes.flatMap(({ name, index }): readonly NodeVerdict[] => {
    if (nodeNames?.has(name) === false) return [{ node: name, verdict: 'excluded' }];
    const refusal = refusals[index];
    if (refusal) {
      const { code, reasons } = refusal.status;
      return [{ node: name, verdict: 'rejected', plugin: refusal.plugin, code, reasons }];
    }
    if (index === beyond?.index) return [{ node: name, verdict: 'feasible' }];
    const at = places.get(index);
    if (at !== undefined) return [scores ? verdictOf(name, scores, at) : { node: name, verdict: 'feasible' }];
    return [];
  });
}

/** Zone by zone in turn, from the start on. Upstream: nodeTree.list and Scheduler.nextStartNodeIndex. */
function nodesInTurn({ nodes, among = nodes, start }: Snapshot): readonly NodeInfo[] {
  const zones = new Map<string, NodeInfo[]>();
  for (const it of among) {
    const zone = zoneOf(it);
    const found = zones.get(zone);
    if (found) found.push(it);
    else zones.set(zone, [it]);
  }
  const longest = Math.max(...[...zones.values()].map(it => it.length));
  const res: NodeInfo[] = [];
  for (let i = 0; i < longest; i++) for (const zone of zones.values()) res.push(...zone.slice(i, i + 1));
  return [...res.slice(start), ...res.slice(0, start)];
}

function zoneOf({ node: { labels } }: NodeInfo): string {
  const zone = labels['topology.kubernetes.io/zone'] ?? labels['failure-domain.beta.kubernetes.io/zone'] ?? '';
  const region = labels['topology.kubernetes.io/region'] ?? labels['failure-domain.beta.kubernetes.io/region'] ?? '';
  return JSON.stringify([region, zone]);
}

function fitMessage(
  { nodes, among = nodes }: Snapshot,
  reasons: readonly string[] | { readonly preFilter: string },
  answer: PostFilterAnswer | undefined,
): string {
  return eventNote(fitErrorMessage(among.length, reasons, answer?.message ?? ''));
}

function refused(
  base: Pick<Attempt, 'pod' | 'priority' | 'preFilterRejection' | 'rejectedBy'>,
  nodes: (() => readonly NodeVerdict[]) | undefined,
  message: string,
  answer: PostFilterAnswer | undefined,
  looked: number,
): Decision {
  const nomination = answer?.nomination;
  const chosen = nomination === undefined || nomination === 'none' ? undefined : nomination;
  const preemption = answer && {
    ...(chosen && { nominatedNode: chosen.node, victims: chosen.victims.map(it => it.id) }),
    message: answer.message,
  };
  return {
    attempt: { ...base, status: 'unschedulable', ...(preemption && { preemption }), message },
    ...(nodes && { nodes }),
    ...((nomination ?? !answer) && { nomination: nomination ?? 'none' }),
    ...(answer?.cluster && { cluster: answer.cluster }),
    ...(answer?.sendsBack && { sendsBack: answer.sendsBack }),
    looked,
  };
}

/** Upstream: RunPostFilterPlugins. Undefined when the profile has none. */
function postFilter(profile: Profile, pod: PodModel, context: PostFilterContext): PostFilterAnswer | undefined {
  let last: PostFilterAnswer | undefined;
  const messages: string[] = [];
  let cluster: ClusterModel | undefined;
  let sendsBack: PostFilterAnswer['sendsBack'];
  for (const plugin of profile.postFilter) {
    const answer = { ...(cluster && { cluster }), ...plugin.postFilter!(pod, context) };
    cluster = answer.cluster;
    sendsBack = answer.sendsBack ?? sendsBack;
    if (answer.status.code === 'Success' || answer.status.code === 'UnschedulableAndUnresolvable') return answer;
    if (answer.status.code === 'Error') return answer;
    if (answer.message) messages.push(answer.message);
    if (!last || answer.nomination) last = answer;
  }
  return (
    last && { ...last, ...(cluster && { cluster }), ...(sendsBack && { sendsBack }), message: messages.join(', ') }
  );
}

/**
 * Places all pending Pods: by priority, then in the order of the file, each once, and once more after its own
 * preemption as `options.retry` says. The Pods of a group take one turn together.
 */
export function placeAll(scenario: Scenario, profiles: Profiles, gangs: Gangs): PlacementResult {
  const { cluster, options } = scenario;
  const held = heldPods(scenario, profiles, gangs);
  const queued = scenario.pending.filter(it => !held.has(it.id));
  // A Pod that gates hold keeps its nomination; one that no profile knows never comes into the queue.
  const known = scenario.pending.filter(it => it.nominatedNodeName !== undefined && profiles.has(it.schedulerName));
  const nominated = new Map(known.map(it => [it.id, it]));
  const nodes = nodeInfos(cluster);
  const work = sharedWork(nodes.length);
  work.once('pods', () => [...cluster.running, ...scenario.pending]);
  const sort = [...profiles.values()].find(it => it.queueSort.length > 0)?.queueSort[0];
  const sorted = sort ? sort.queueSort!(queued, cluster) : queued;
  let board: Board = { cluster, nodes, work, nominated, attempts: [], groups: [], evicted: [], waiting: [], start: 0 };
  const again: Entity[] = [];
  for (const entity of entitiesOf(sorted, gangs).sort(comparePriority)) {
    let next: Entity | undefined;
    [board, next] = tryEntity(entity, 1, board, profiles, options);
    if (!next || options.retry === 'none') continue;
    if (options.retry === 'end') again.push(next);
    else [board] = tryEntity(next, 2, board, profiles, options);
  }
  for (const entity of again.sort(comparePriority)) {
    // A Pod that came later may have taken the nomination away.
    const pods = entity.pods.map(it => board.nominated.get(it.id) ?? withoutNomination(it));
    [board] = tryEntity({ ...entity, pods }, 2, board, profiles, options);
  }
  board = timeOut(board);
  const rejected = scenario.rejected.map(
    (it): Attempt => ({ pod: it.id, attempt: 1, priority: 0, status: 'rejected', message: it.message }),
  );
  const attempts = [...board.attempts, ...held.values(), ...rejected];
  return {
    attempts,
    ...(board.groups.length > 0 && { groups: board.groups }),
    placements: Object.fromEntries(attempts.flatMap(it => (it.status === 'scheduled' ? [[it.pod, it.node!]] : []))),
    evicted: [...board.evicted].sort(compareText),
    notes: scenario.notes,
  };
}

function tryEntity(
  entity: Entity,
  attempt: number,
  before: Board,
  profiles: Profiles,
  options: ScenarioOptions,
): [Board, Entity | undefined] {
  const { group, pods } = entity;
  const pod = pods[0]!;
  if (group) {
    const bench = benchOf(profiles.get(pod.schedulerName)!, before, pods);
    return tryGroup({ ...entity, group }, before, bench, options);
  }
  const [board, next] = tryPod(pod, attempt, before, profiles, options);
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
function benchOf(profile: Profile, { work }: Board, pods: readonly PodModel[]): Bench {
  // Within a group's cycle no Pod preempts for itself.
  const alone: Profile = { ...profile, postFilter: [] };
  // The queue has given them out and knows no more of them than their names, so that their nominations take nothing.
  const own = new Set(pods.map(it => it.id));
  const cycleOf = (at: GroupSnapshot): Snapshot => ({
    ...makeCycle(at.cluster, at.nodes, work),
    nominated: nominatedPods(new Map([...at.nominated].filter(([id]) => !own.has(id)))),
    start: at.start,
    ...(at.within && { among: at.nodes.filter(it => at.within?.has(it.name)) }),
  });
  return {
    look: (pod, at) => decide(pod, cycleOf(at), alone),
    reserve: (pod, node, at) => reserve(pod, node, cycleOf(at), profile),
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
): [Board, PodModel | undefined] {
  const cycle: Snapshot = {
    ...makeCycle(before.cluster, before.nodes, before.work),
    nominated: nominatedPods(before.nominated),
    start: before.start,
  };
  const decision = decide(pod, cycle, profiles.get(pod.schedulerName)!);
  const start = (before.start + decision.looked) % Math.max(1, before.nodes.length);
  const board: Board = { ...before, start, cluster: decision.cluster ?? before.cluster };
  const { node } = decision.attempt;
  const taken = node === undefined ? undefined : reserve(pod, node, cycle, profiles.get(pod.schedulerName)!);
  if (taken?.failed) {
    const attempts = [...board.attempts, attemptOf(notBound(decision, taken.failed), attempt, taken)];
    const nominated = withoutKey(board.nominated, pod.id);
    return [{ ...board, cluster: taken.cluster, attempts, nominated }, undefined];
  }
  const permit = node === undefined ? undefined : runPermit(profiles.get(pod.schedulerName)!, pod, cycle);
  if (permit?.refusal) {
    const attempts = [...board.attempts, attemptOf(notBound(decision, permit.refusal), attempt)];
    return [{ ...board, attempts, nominated: withoutKey(board.nominated, pod.id) }, undefined];
  }
  const attempts = [...board.attempts, attemptOf(decision, attempt, taken)];
  if (node !== undefined) {
    const placed = { ...withoutNomination(pod), nodeName: node, startTime: PLACING_START + attempts.length * 1000 };
    const nodes = board.nodes.map(it => (it.name === node ? withPod(it, placed) : it));
    const after = { ...board, cluster: taken?.cluster ?? board.cluster, nodes, attempts };
    const permitted = afterPermit({ ...after, nominated: withoutKey(board.nominated, pod.id) }, placed, permit);
    return [permitted, undefined];
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
  const nodes = afterEviction(board.nodes, going, options);
  return [{ ...board, nodes, nominated, attempts, evicted: [...board.evicted, ...going.map(it => it.id)] }, again];
}

/** A node was found, and then binding went wrong. What was changed for it stays. Upstream: handleBindingCycleError. */
function notBound({ attempt, nodes, looked, scored }: Decision, failed: Refusal): Decision {
  const { node: _, tiedNodes, ...base } = attempt;
  const isBroken = failed.code === 'Error';
  const message = eventNote(isBroken ? failed.reasons.join(', ') : fitErrorMessage(1, failed.reasons, ''));
  return {
    attempt: {
      ...base,
      status: isBroken ? 'error' : 'unschedulable',
      ...(scored && tiedNodes && { tiedNodes }),
      message,
    },
    ...(nodes && { nodes }),
    looked,
  };
}

function nominatedPods(nominated: ReadonlyMap<string, PodModel>): NominatedPods {
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
    const more = plugin.reserve!(pod, cycle.nodeNamed(node)!, taken ? { ...cycle, cluster: taken.cluster } : cycle);
    taken = more ? { ...taken, ...more } : taken;
    if (!more?.failed) continue;
    const text = `running PreBind plugin "${plugin.name}": ${more.failed.reasons.join(', ')}`;
    return { ...more, failed: failure(text) };
  }
  return taken;
}
