import { lazy } from '../../base/lazy';
import { grouped } from '../../base/multiMap';
import { appended } from '../../base/prefixList';
import type { PodModel } from '../../cluster/pods/podModel';
import type { ScenarioOptions } from '../../cluster/scenario';
import type { Profiles } from '../configuration/profiles';
import { makeCycle, type NominatedPods, noNominatedPods } from '../framework/cycle';
import { countReasons, eventNote, fitErrorMessage } from '../framework/fitError';
import type { Cycle, Decision, Permit, Profile, Refusal, Reservation } from '../framework/interface';
import { withoutKey } from '../framework/nodeInfo';
import { signatureOf } from '../framework/podSignature';
import {
  afterEviction,
  attemptOf,
  historyOf,
  type NodeHistory,
  nodesAtEnd,
  placedPod,
  type SchedulingState,
  stateWith,
  withPlacement,
} from '../framework/schedulingState';
import { failure } from '../framework/status';
import { readsClassAlone } from '../framework/tracking';
import { afterPermit, rejectWaiting } from '../gangs/waiting';
import type { NodeSnapshot } from './findNodes';
import { schedulePod } from './schedulePod';

/** Called for each decision with the Pod, the cluster it was tried in, the profile, and the outcome. */
export type DecisionObserver = (observed: {
  readonly pod: PodModel;
  readonly cycle: NodeSnapshot;
  readonly profile: Profile;
  readonly decision: Decision;
}) => void;

/** Upstream: RunPermitPlugins, as far as one plugin at a time makes Pods wait. */
export function runPermit(profile: Profile, pod: PodModel, cycle: Cycle): Permit {
  let permit: Permit = {};
  for (const plugin of profile.permit) {
    const answer = plugin.permit!(pod, cycle);
    if ('reasons' in answer) return { refusal: answer };
    if (answer.code === 'Wait') permit = { ...permit, waits: { ...answer, plugin: plugin.name } };
    else if (answer.group !== undefined) permit = { ...permit, admits: answer.group };
  }
  return permit;
}

/** One scheduling cycle and its effects on the state; returns the Pod when it must be tried again. */
export function schedulingCycle(
  pod: PodModel,
  attempt: number,
  before: SchedulingState,
  profiles: Profiles,
  options: ScenarioOptions,
  onDecision: DecisionObserver | undefined,
): [SchedulingState, PodModel | undefined] {
  const cycle = snapshotOf(before, nominatedPods(before.nominated));
  const profile = profiles.get(pod.schedulerName)!;
  const decision = decided(pod, cycle, profile, historyOf(before));
  onDecision?.({ pod, cycle, profile, decision });
  const start = (before.start + decision.evaluatedNodes) % Math.max(1, before.nodes.length);
  const cluster = decision.cluster ?? before.cluster;
  const { node } = decision.attempt;
  const taken = node === undefined ? undefined : reserve(pod, node, cycle, profile);
  const cleared = withoutKey(before.nominated, pod.id);
  if (taken?.failed) {
    const attempts = appended(before.attempts, attemptOf(notBound(decision, taken.failed), attempt, taken));
    return [stateWith(before, { start, cluster: taken.cluster, attempts, nominated: cleared }), undefined];
  }
  const permit = node === undefined ? undefined : runPermit(profile, pod, cycle);
  if (permit?.refusal) {
    const attempts = appended(before.attempts, attemptOf(notBound(decision, permit.refusal), attempt));
    return [stateWith(before, { start, cluster, attempts, nominated: cleared }), undefined];
  }
  const attempts = appended(before.attempts, attemptOf(decision, attempt, taken));
  if (node !== undefined) {
    const at = cycle.nodeNamed(node)!;
    const placed = placedPod(pod, at, attempts.length, options, before.work);
    const { nodes, history } = withPlacement(before, at, placed);
    const now = taken?.cluster ?? cluster;
    const after = stateWith(before, { start, nodes, history, cluster: now, attempts, nominated: cleared });
    return [afterPermit(after, placed, permit), undefined];
  }
  const { nomination, rejectsWaiting } = decision;
  const afterAttempt = stateWith(before, { start, cluster, attempts });
  const after = rejectsWaiting
    ? rejectWaiting(afterAttempt, rejectsWaiting.group, () => rejectsWaiting.reason)
    : afterAttempt;
  if (nomination === undefined) return [after, undefined];
  if (nomination === 'none') return [stateWith(after, { nominated: cleared }), undefined];
  const again: PodModel = { ...pod, nominatedNodeName: nomination.node };
  const nominated = new Map(
    [...before.nominated].filter(([, it]) => it.nominatedNodeName !== nomination.node || it.priority >= pod.priority),
  ).set(pod.id, again);
  const victims = nomination.victims.filter(it => !it.terminating);
  const nodes = afterEviction(after.nodes, victims, options);
  const evicted = [...before.evicted, ...victims.map(it => it.id)];
  return [stateWith(after, { nodes, nominated, evicted }), again];
}

/** A decision about a Pod that found no node, and where it was made. */
interface Stuck {
  readonly nodes: NodeSnapshot['nodes'];
  readonly cluster: NodeSnapshot['cluster'];
  readonly decision: Decision;
}

/** What is decided about a Pod; of a Pod that found no node the same holds for each further one of its class, until anything changes. */
function decided(pod: PodModel, cycle: NodeSnapshot, profile: Profile, history: NodeHistory): Decision {
  const { nodes, cluster } = cycle;
  const kept = cycle.work.forClass(pod)(profile, (): { stuck?: Stuck | undefined } => ({}));
  const { stuck } = kept;
  // Nominations reserve room on nodes, and end without a change of any.
  const hasNominated = cycle.nominated !== noNominatedPods;
  if (stuck?.nodes === nodes && stuck.cluster === cluster && !hasNominated)
    return { ...stuck.decision, attempt: { ...stuck.decision.attempt, pod: pod.id } };
  const decision = withVerdictsLater(schedulePod(pod, cycle, profile), pod, cycle, profile, history);
  kept.stuck = !hasNominated && isForClass(decision, pod, cycle, profile) ? { nodes, cluster, decision } : undefined;
  return decision;
}

/** Whether a Pod that differs in its name only finds no node either, and changes nothing by trying. */
function isForClass(
  { attempt, nomination, cluster, rejectsWaiting }: Decision,
  pod: PodModel,
  cycle: NodeSnapshot,
  profile: Profile,
): boolean {
  const isStuck = attempt.status === 'unschedulable' && (nomination ?? 'none') === 'none';
  const changesNothing = cluster === undefined && rejectsWaiting === undefined && pod.nominatedNodeName === undefined;
  return isStuck && changesNothing && profile.extenders === undefined && readsClassAlone(pod, cycle, profile);
}

function withVerdictsLater(
  decision: Decision,
  pod: PodModel,
  cycle: NodeSnapshot,
  profile: Profile,
  history: NodeHistory,
): Decision {
  if (profile.extenders) return decision;
  const nodes = shortVerdicts(decision, cycle) ?? lazyVerdicts(decision, pod, cycle, history, profile);
  return nodes ? { ...decision, nodes } : decision;
}

/** Verdicts of so few nodes take less room than what it takes to compute them again. */
const FEW_NODES = 16;

/** The verdicts where no node of few took the Pod: somebody will ask why. They are reasons without scores. */
function shortVerdicts({ attempt, nodes }: Decision, cycle: NodeSnapshot): Decision['nodes'] {
  const isShort = attempt.status === 'unschedulable' && cycle.nodes.length <= FEW_NODES && cycle.among === undefined;
  if (!isShort || nodes === undefined) return undefined;
  const verdicts = nodes();
  return () => verdicts;
}

/**
 * The verdicts of the nodes, computed again on demand. Few Pods' verdicts are ever read, and keeping nodes, refusals
 * and scores of thousands of Pods took more time and memory than deciding.
 */
function lazyVerdicts(
  { nodes }: Decision,
  pod: PodModel,
  { cluster, work, nominated, start }: NodeSnapshot,
  { before, changed }: NodeHistory,
  profile: Profile,
): Decision['nodes'] {
  if (nodes === undefined) return undefined;
  return lazy(() => {
    const nodes = nodesAtEnd({ before, changed });
    const cycle = snapshotOf({ cluster, nodes, work: work.aside(), start }, nominated);
    return schedulePod(pod, cycle, { ...profile, postFilter: [] }).nodes?.() ?? [];
  });
}

/** A node was found and then binding failed. What was changed for the Pod stays. Upstream: handleBindingCycleError. */
function notBound({ attempt, nodes, evaluatedNodes }: Decision, failed: Refusal): Decision {
  const { node: _, tiedNodes, ...base } = attempt;
  const isBroken = failed.code === 'Error';
  const counts = countReasons([failed], it => it.reasons);
  const message = eventNote(isBroken ? failed.reasons.join(', ') : fitErrorMessage(1, counts, ''));
  return {
    attempt: {
      ...base,
      status: isBroken ? 'error' : 'unschedulable',
      ...(base.fits && tiedNodes && { tiedNodes }),
      message,
    },
    ...(nodes && { nodes }),
    evaluatedNodes,
  };
}

function snapshotOf(
  { cluster, nodes, work, start }: Pick<SchedulingState, 'cluster' | 'nodes' | 'work' | 'start'>,
  nominated: NominatedPods,
): NodeSnapshot {
  return { cluster, nodes, work, nodeNamed: makeCycle(cluster, nodes, work).nodeNamed, nominated, start };
}

export function nominatedPods(nominated: ReadonlyMap<string, PodModel>): NominatedPods {
  if (nominated.size === 0) return noNominatedPods;
  const noNominated: readonly PodModel[] = [];
  const byNode = grouped(nominated.values(), it => it.nominatedNodeName ?? '');
  return node => byNode.get(node) ?? noNominated;
}

/** What the Pod takes besides its node, plugin by plugin. Upstream: RunReservePluginsReserve. */
export function reserve(pod: PodModel, node: string, cycle: Cycle, profile: Profile): Reservation | undefined {
  let taken: Reservation | undefined;
  for (const plugin of profile.reserve) {
    if (signatureOf(plugin, pod, cycle.work) !== undefined) continue;
    const more = plugin.reserve!(pod, cycle.nodeNamed(node)!, taken ? { ...cycle, cluster: taken.cluster } : cycle);
    taken = more ? { ...taken, ...more } : taken;
    if (!more?.failed) continue;
    const text = `running PreBind plugin "${plugin.name}": ${more.failed.reasons.join(', ')}`;
    return { ...more, failed: failure(text) };
  }
  return taken;
}
