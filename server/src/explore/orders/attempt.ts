import type { ClusterModel } from '../../cluster/clusterModel';
import { schedulePod } from '../../scheduler/cycle/schedulePod';
import { reserve } from '../../scheduler/cycle/schedulingCycle';
import { makeCycle, noNominatedPods } from '../../scheduler/framework/cycle';
import type { Decision, PreemptionCandidate, Profile } from '../../scheduler/framework/interface';
import { withoutNomination, withoutPods, withPod } from '../../scheduler/framework/nodeInfo';
import { placedPod } from '../../scheduler/framework/schedulingState';
import type { SharedWork } from '../../scheduler/framework/sharedWork';
import type { OrdersProblem } from './problem';
import type { OrdersState } from './state';

/** One way in which an attempt may end. */
export interface AttemptEnd {
  /** `waiting` is as before. */
  readonly state: OrdersState;
  readonly isPlaced: boolean;
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
  work: SharedWork,
): readonly AttemptEnd[] {
  const written = problem.pods[pod]!.model;
  const model = turn === 'first' ? written : withoutNomination(written);
  const profile = problem.profiles.get(model.schedulerName)!;
  const cycle = makeCycle(state.cluster, state.nodes, work);
  // A profile without scores takes the first node that fits, beginning anywhere.
  const starts = profile.score.length === 0 ? state.nodes.keys() : [0];
  const decisions = [...starts].map(start =>
    schedulePod(model, { ...cycle, nominated: noNominatedPods, start }, profile),
  );
  const cluster = decisions[0]?.cluster ?? state.cluster;
  const before: OrdersState =
    cluster === state.cluster ? state : { ...state, cluster, taken: `${state.taken}-${pod};` };
  const chosen = new Map(decisions.flatMap(candidatesOf).map(it => [it.node, it]));
  if (chosen.size === 0) return [{ state: before, isPlaced: false }];
  return [...chosen.values()].map(it => placedOn(it, pod, before, problem, profile, work));
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
  const placings = state.placings + 1;
  const now = placedPod(withoutNomination(model), node, placings, problem.scenario.options, work);
  return {
    state: {
      ...state,
      cluster,
      nodes: state.nodes.with(node.index, withPod(node, now)),
      placed: [...state.placed, { pod, node: node.index }],
      placings,
      taken: sign,
    },
    isPlaced: true,
  };
}

function withoutVictims(state: OrdersState, gone: ReadonlySet<string>, { pods }: OrdersProblem): OrdersState {
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
    evicted: [...state.evicted, ...own],
    evictedRunning: [...state.evictedRunning, ...running].sort(),
  };
}
