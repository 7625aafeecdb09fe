import type { ClusterModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import { schedulePod } from '../../scheduler/cycle/schedulePod';
import { reserve, runPermit } from '../../scheduler/cycle/schedulingCycle';
import { makeCycle, noNominatedPods } from '../../scheduler/framework/cycle';
import type { Decision, PreemptionCandidate, Profile } from '../../scheduler/framework/interface';
import { withoutNomination, withoutPods, withPod } from '../../scheduler/framework/nodeInfo';
import { placedPod } from '../../scheduler/framework/schedulingState';
import type { SharedWork } from '../../scheduler/framework/sharedWork';
import type { Attempt } from '../../scheduler/result';
import type { OrdersProblem } from './problem';
import { queued } from './queue';
import { mostStates, type OrdersState } from './state';

/** One way in which an attempt may end. */
export interface AttemptEnd {
  /** `waiting` is as before. */
  readonly state: OrdersState;
  readonly isPlaced: boolean;
  /** The group whose Pods lost their nodes, since this one found none. */
  readonly rejected?: string;
}

/**
 * All ways in which one attempt may end, at least one; each tie is a way of its own. `first`: the Pod has just arrived, and the
 * node that its status nominates is tried first.
 */
export function attempt(
  pod: number,
  turn: 'first' | 'again',
  state: OrdersState,
  problem: OrdersProblem,
  runWork: SharedWork,
): readonly AttemptEnd[] {
  const work = problem.hasPermit ? withArrived(runWork, pod, state, problem) : runWork;
  const profile = problem.profiles.get(problem.pods[pod]!.model.schedulerName)!;
  const decisions = decisionsOn(pod, turn, state, problem, work);
  const cluster = decisions[0]?.cluster ?? state.cluster;
  const before: OrdersState =
    cluster === state.cluster ? state : { ...state, cluster, taken: `${state.taken}-${pod};` };
  const chosen = new Map(decisions.flatMap(candidatesOf).map(it => [it.node, it]));
  const rejected = decisions[0]?.rejectsWaiting?.group;
  if (chosen.size === 0 && rejected !== undefined) {
    return [{ state: withoutGroup(before, rejected, problem), isPlaced: false, rejected }];
  }
  if (chosen.size === 0) return [{ state: before, isPlaced: false }];
  const choices = withoutEqual([...chosen.values()], before, problem, work);
  const followed = choices.slice(0, mostStates(MOST_NODES_OF_TIES, problem));
  const from = followed.length < choices.length ? { ...before, tiesLeft: true } : before;
  return followed.map(it => placedOn(it, pod, from, problem, profile, work));
}

/** Of the states after one attempt, each of which has a list of all nodes. Two thousand nodes may all be tied. */
const MOST_NODES_OF_TIES = 5_000_000;

/**
 * Of equal nodes without placed Pods the first one: the states after the others have the same key. Thousands of tied nodes would
 * make as many states, each with a list of all nodes.
 */
function withoutEqual(
  choices: readonly PreemptionCandidate[],
  { cluster, nodes, placed }: OrdersState,
  { equalNodes }: OrdersProblem,
  work: SharedWork,
): readonly PreemptionCandidate[] {
  if (choices.length < 2) return choices;
  const { nodeNamed } = makeCycle(cluster, nodes, work);
  const taken = new Set(placed.map(it => it.node));
  const known = new Set<number>();
  return choices.filter(({ node, victims }) => {
    const { index } = nodeNamed(node)!;
    const list = taken.has(index) || victims.length > 0 ? undefined : equalNodes.listOf.get(index);
    return list === undefined || known.size < known.add(list).size;
  });
}

/** One decision for each node at which the scheduler may begin; it never begins at another than the first where nodes are scored. */
function decisionsOn(
  pod: number,
  turn: 'first' | 'again',
  state: OrdersState,
  { pods, profiles }: OrdersProblem,
  work: SharedWork,
): readonly Decision[] {
  const written = pods[pod]!.model;
  const model = turn === 'first' ? written : withoutNomination(written);
  const profile = profiles.get(model.schedulerName)!;
  const cycle = makeCycle(state.cluster, state.nodes, work);
  // A profile without scores takes the first node that fits, beginning anywhere.
  const starts = profile.score.length === 0 ? state.nodes.keys() : [0];
  return [...starts].map(start => schedulePod(model, { ...cycle, nominated: noNominatedPods, start }, profile));
}

/** The verdicts about a Pod that arrives in a state, with the first choice where there is one. */
export function verdictsOn(pod: number, state: OrdersState, problem: OrdersProblem, runWork: SharedWork): Attempt {
  const work = problem.hasPermit ? withArrived(runWork, pod, state, problem) : runWork;
  const { attempt, nodes } = decisionsOn(pod, 'first', state, problem, work)[0]!;
  const isTooMany = state.nodes.length * problem.pods.length > MOST_VERDICTS;
  return nodes === undefined || isTooMany ? attempt : { ...attempt, nodes: nodes() };
}

/** Of an order of all Pods on all nodes. */
const MOST_VERDICTS = 40_000;

/** The running Pods, and those to place that have arrived, without evicted ones. */
export function arrivedPods(
  { placed, waiting, evictedRunning }: OrdersState,
  { pods, scenario }: OrdersProblem,
  more: readonly number[] = [],
): readonly PodModel[] {
  const gone = new Set(evictedRunning);
  const running = scenario.cluster.running.filter(it => !gone.has(it.id));
  const arrived = new Set([...placed.map(it => it.pod), ...waiting, ...more]);
  return [...running, ...[...arrived].map(it => pods[it]!.model)];
}

/** The Pods that plugins may count are those that have arrived. */
function withArrived(work: SharedWork, pod: number, state: OrdersState, problem: OrdersProblem): SharedWork {
  const all: unknown = arrivedPods(state, problem, [pod]);
  return { ...work, once: (key, make) => (key === 'pods' ? (all as ReturnType<typeof make>) : work.once(key, make)) };
}

function candidatesOf({ attempt: { node, tiedNodes }, nomination }: Decision): readonly PreemptionCandidate[] {
  if (node !== undefined) return (tiedNodes ?? [node]).map(it => ({ node: it, victims: [] }));
  if (nomination === undefined || nomination === 'none') return [];
  return nomination.tied ?? [nomination];
}

/** Deletes the victims and places the Pod. */
function placedOn(
  { node: name, victims }: PreemptionCandidate,
  pod: number,
  before: OrdersState,
  problem: OrdersProblem,
  profile: Profile,
  work: SharedWork,
): AttemptEnd {
  const { model } = problem.pods[pod]!;
  const state = victims.length > 0 ? withoutVictims(before, new Set(victims.map(it => it.id)), problem) : before;
  const cycle = makeCycle(state.cluster, state.nodes, work);
  const node = cycle.nodeNamed(name)!;
  const taken = reserve(model, name, cycle, profile);
  const cluster: ClusterModel = taken?.cluster ?? state.cluster;
  const sign = cluster === state.cluster ? state.taken : `${state.taken}${pod}@${node.index};`;
  if (taken?.failed) return { state: { ...state, cluster, taken: sign }, isPlaced: false };
  const permit = problem.hasPermit ? runPermit(profile, model, cycle) : {};
  if (permit.refusal) return { state, isPlaced: false };
  const placings = state.placings + 1;
  const now = placedPod(withoutNomination(model), node, placings, problem.scenario.options, work);
  return {
    state: {
      ...state,
      cluster,
      nodes: state.nodes.with(node.index, withPod(node, now)),
      placed: [...state.placed, { pod, node: node.index }],
      atPermit: [
        ...state.atPermit.filter(it => it.group !== permit.admits),
        ...(permit.waits ? [{ pod, group: permit.waits.group }] : []),
      ],
      placings,
      taken: sign,
    },
    isPlaced: true,
  };
}

export function withoutVictims(state: OrdersState, gone: ReadonlySet<string>, { pods }: OrdersProblem): OrdersState {
  const isGone = (pod: number): boolean => gone.has(pods[pod]!.model.id);
  const own = state.placed.filter(it => isGone(it.pod)).map(it => it.pod);
  const ownIds = new Set(own.map(it => pods[it]!.model.id));
  const running = [...gone].filter(it => !ownIds.has(it));
  return {
    ...state,
    nodes: state.nodes.map(node => {
      const leaving = node.pods.filter(it => gone.has(it.id));
      return leaving.length === 0 ? node : withoutPods(node, leaving);
    }),
    placed: state.placed.filter(it => !isGone(it.pod)),
    atPermit: state.atPermit.filter(it => !isGone(it.pod)),
    evicted: [...state.evicted, ...own],
    evictedRunning: [...state.evictedRunning, ...running].sort(),
  };
}

/** The Pods of the group that wait at Permit lose their nodes and return to the queue. */
function withoutGroup(state: OrdersState, group: string, problem: OrdersProblem): OrdersState {
  const leaving = state.atPermit.filter(it => it.group === group).map(it => it.pod);
  const ids = new Set(leaving.map(it => problem.pods[it]!.model.id));
  const left: OrdersState = {
    ...state,
    nodes: state.nodes.map(node => {
      const gone = node.pods.filter(it => ids.has(it.id));
      return gone.length === 0 ? node : withoutPods(node, gone);
    }),
    placed: state.placed.filter(it => !leaving.includes(it.pod)),
    atPermit: state.atPermit.filter(it => it.group !== group),
  };
  const waiting = leaving.reduce((all, it) => queued(it, { waiting: all }, problem), state.waiting);
  return { ...left, waiting };
}
