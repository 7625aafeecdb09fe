import type { UnknownObject } from '../../base/json';
import { printed } from '../../base/printed';
import { mapInSteps, runToEnd, type Steps, untilCancelled } from '../../base/steps';
import { withoutPods } from '../../cluster/changes';
import type { ClusterModel } from '../../cluster/clusterModel';
import { ownersIn } from '../../cluster/owners';
import type { PodModel } from '../../cluster/pods/podModel';
import { podRequests } from '../../cluster/resources/resources';
import type { Pod, PodSpec } from '../../kube/types';
import { type RunOptions, readScenarioSteps } from '../../scheduler/scenario';
import { budgetsOf } from '../evictor';
import type { RoundOptions } from '../rounds';
import { type ClusterState, placePending, type Replacement } from '../state';
import { modeOf, UPDATE_MODES, type UpdateMode, type VerticalPodAutoscaler } from './autoscaler';
import { groupsOf } from './groups';
import { containerLimits, recommendedFor, withRecommended } from './recommended';
import { resizeOf } from './resize';
import { type WantedUpdate, wantedUpdateOf } from './updatePriority';

/** The updater's action on one running Pod in one round. */
export interface PodUpdate {
  /** NAMESPACE/NAME */
  readonly pod: string;
  readonly node: string;
  /** waits: an update is wanted and not possible in this round; kept: no update is wanted. */
  readonly action: 'resized' | 'evicted' | 'waits' | 'kept';
  /** A clause. */
  readonly because: string;
}

export interface UpdateRound {
  readonly updates: readonly PodUpdate[];
  /** The replacements of evicted Pods, with the recommended requests. */
  readonly landings: readonly Replacement[];
}

export interface ModeOutcome {
  readonly mode: UpdateMode;
  /** Whether it is the VPA's current mode. */
  readonly isOwn: boolean;
  /** The rounds that changed something, and the one after which nothing changes. */
  readonly rounds: readonly UpdateRound[];
  /** The time was over: further rounds and modes are missing. */
  readonly stopped?: boolean;
}

export interface VpaOutcome {
  /** NAMESPACE/NAME */
  readonly vpa: string;
  readonly pods: readonly string[];
  /** The current and the recommended resources of each container of a Pod. */
  readonly containers: readonly { readonly name: string; readonly now: object; readonly wanted: object }[];
  readonly modes: readonly ModeOutcome[];
  readonly hasRecommendation: boolean;
  readonly notes: readonly string[];
}

export interface VpaOptions extends RoundOptions {
  readonly run: RunOptions;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Modes to simulate; absent: all. */
  readonly only?: (mode: UpdateMode) => boolean;
}

/** Enough for every updater, as each round changes at least one Pod for good. */
const MAX_ROUNDS = 50;

/**
 * What happens to a VPA's Pods under each update mode, with a constant recommendation. undefined: the time was over
 * before the first result.
 */
export function vpaWhatIf(
  objects: readonly UnknownObject[],
  vpa: VerticalPodAutoscaler,
  options: VpaOptions,
): VpaOutcome | undefined {
  const { isCancelled, ...run } = options.run;
  return runToEnd(vpaSteps(objects, vpa, { ...options, run, isCancelled }));
}

/**
 * The same in steps, mode by mode; a cancelled simulation says what is missing. undefined: it was cancelled before the
 * first result.
 */
export function* vpaSteps(
  objects: readonly UnknownObject[],
  vpa: VerticalPodAutoscaler,
  options: VpaOptions,
): Steps<VpaOutcome | undefined> {
  const run: RunOptions = { ...options.run, expandWorkloads: true };
  const first = yield* untilCancelled(placePending(objects, run), options.isCancelled);
  if (first === 'cancelled') return undefined;
  const { state: start } = first;
  const pods = podsOf(start, vpa);
  const limits = containerLimits(start.scenario.cluster, namespaceOf(vpa));
  const [model] = pods;
  const wanted = model && withRecommended(model.spec, vpa, limits);
  const modes: ModeOutcome[] = [];
  for (const mode of UPDATE_MODES) {
    const isStill = mode === 'Off' || mode === 'Initial' || options.only?.(mode) === false;
    const { rounds, isStopped } = isStill
      ? { rounds: [], isStopped: false }
      : yield* roundsOf(start, mode, vpa, { ...options, run });
    modes.push({ mode, isOwn: mode === modeOf(vpa), rounds, ...(isStopped && { stopped: true }) });
    if (isStopped) break;
  }
  return {
    vpa: objectId(vpa),
    pods: pods.map(it => it.id),
    containers: (model?.spec.containers ?? []).map((it, i) => ({
      name: it.name ?? '',
      now: it.resources ?? {},
      wanted: wanted?.containers?.[i]?.resources ?? {},
    })),
    modes,
    hasRecommendation: vpa.status?.recommendation !== undefined,
    notes: notesOn(vpa, pods),
  };
}

function notesOn(vpa: VerticalPodAutoscaler, pods: readonly PodModel[]): readonly string[] {
  const { targetRef } = vpa.spec ?? {};
  return [
    ...(vpa.status?.recommendation === undefined
      ? ['It has no status.recommendation: only a recommender that watched the Pods can write one.']
      : []),
    ...(pods.length === 0
      ? [`No running Pod belongs to ${printed(targetRef?.kind)} ${printed(targetRef?.name)}.`]
      : []),
    ...(modeOf(vpa) === 'InPlace'
      ? ['Without its gate InPlace the updater of VPA 1.8 does nothing in this mode.']
      : []),
  ];
}

function* roundsOf(
  start: ClusterState,
  mode: UpdateMode,
  vpa: VerticalPodAutoscaler,
  options: VpaOptions,
): Steps<{ readonly rounds: readonly UpdateRound[]; readonly isStopped: boolean }> {
  const { isCancelled, onRound } = options;
  const rounds: UpdateRound[] = [];
  let state = start;
  for (let i = 0; i < MAX_ROUNDS; i++) {
    const updated = yield* untilCancelled(updateOnce(state, mode, vpa, options), isCancelled);
    if (updated === 'cancelled') return { rounds, isStopped: true };
    const { round, objects, after } = updated;
    rounds.push(round);
    if (!round.updates.some(it => it.action === 'resized' || it.action === 'evicted')) break;
    onRound?.({ objects, lost: [] });
    yield;
    if (isCancelled?.() === true) return { rounds, isStopped: true };
    state = after;
  }
  return { rounds, isStopped: false };
}

/** Upstream: updater.RunOnce. */
function* updateOnce(
  state: ClusterState,
  mode: UpdateMode,
  vpa: VerticalPodAutoscaler,
  { run, now }: VpaOptions,
): Steps<{ readonly round: UpdateRound; readonly objects: readonly UnknownObject[]; readonly after: ClusterState }> {
  const { cluster } = state.scenario;
  const limits = containerLimits(cluster, namespaceOf(vpa));
  const pods = podsOf(state, vpa);
  const evaluated = yield* mapInSteps(pods, pod => ({
    pod,
    wanted: wantedUpdateOf(pod, recommendedFor(pod.spec, vpa, limits), vpa, now),
  }));
  const kept = evaluated.flatMap(({ pod, wanted }) =>
    typeof wanted === 'string' ? [update(pod, 'kept', wanted)] : [],
  );
  const queue = evaluated.flatMap(it => (typeof it.wanted === 'string' ? [] : it.wanted));
  const groups = groupsOf(pods, cluster, vpa);
  const budgets = budgetsOf({ cluster });
  const specs = new Map<string, PodSpec>();
  const one = ({ pod, reason }: WantedUpdate): PodUpdate => {
    const isHeld = groups.refusalOf(pod);
    if (isHeld !== undefined) return update(pod, 'waits', isHeld);
    const spec = withRecommended(pod.spec, vpa, limits);
    const there = { ...cluster, running: cluster.running.map(it => resizedIn(it, specs)) };
    const resize = mode === 'Recreate' ? undefined : resizeOf(pod, spec, there, run.kubernetesVersion);
    if (resize?.answer === 'done') {
      specs.set(pod.id, spec);
      return update(pod, 'resized', reason);
    }
    if (resize && mode === 'InPlace') return update(pod, 'waits', resize.because);
    const refusal = budgets.refusalOf(pod);
    if (refusal !== undefined) return update(pod, 'waits', refusal);
    return update(pod, 'evicted', resize === undefined ? reason : `${FALLBACKS[resize.answer]}: ${resize.because}`);
  };
  const updates: PodUpdate[] = [];
  for (const it of queue.toSorted((a, b) => b.difference - a.difference)) {
    updates.push(one(it));
    yield;
  }
  const gone = new Set(updates.flatMap(it => (it.action === 'evicted' ? it.pod : [])));
  const { objects, after, landings } = yield* recreated(state, specs, gone, vpa, run);
  return { round: { updates: [...updates, ...kept], landings }, objects, after };
}

const FALLBACKS = {
  refused: 'it cannot be resized in place',
  infeasible: 'it cannot be resized in place',
  deferred: 'a resize in place is deferred for more than 5 min',
} as const;

/** A Pod that was resized earlier in the round, with its new requests. */
function resizedIn(pod: PodModel, specs: ReadonlyMap<string, PodSpec>): PodModel {
  const spec = specs.get(pod.id);
  return spec ? { ...pod, spec, requests: podRequests(spec, () => undefined).requests } : pod;
}

/** The Pod after the kubelet has resized it, without the old resources in its status. */
function withSpec(pod: Pod, spec: PodSpec): UnknownObject {
  const { containerStatuses: _, ...status } = pod.status ?? {};
  return { ...pod, status, spec: { ...spec, nodeName: pod.spec?.nodeName } } as UnknownObject;
}

/**
 * The cluster after a round: controllers make evicted Pods again, and the admission webhook sets the recommended
 * requests.
 */
function* recreated(
  state: ClusterState,
  specs: ReadonlyMap<string, PodSpec>,
  gone: ReadonlySet<string>,
  vpa: VerticalPodAutoscaler,
  run: RunOptions,
): Steps<{
  readonly objects: readonly UnknownObject[];
  readonly after: ClusterState;
  readonly landings: readonly Replacement[];
}> {
  const resized = state.objects.map(it => {
    const spec = it.kind === 'Pod' ? specs.get(objectId(it)) : undefined;
    return spec ? withSpec(it as Pod, spec) : it;
  });
  const left = withoutPods(resized, gone).objects;
  yield;
  const made = yield* readScenarioSteps(left, run);
  const limits = containerLimits(made.cluster, namespaceOf(vpa));
  const existing = new Set(left.filter(it => it.kind === 'Pod').map(objectId));
  const isOwn = belongingTo(vpa, state.scenario.cluster);
  const fresh = made.pending.filter(it => !existing.has(it.id));
  const written = yield* mapInSteps(fresh, it => {
    const spec = it.source.spec ?? {};
    return { ...it.source, spec: isOwn(it) ? withRecommended(spec, vpa, limits) : spec } as UnknownObject;
  });
  const objects = [...left, ...written];
  const { state: after, landings } = yield* placePending(objects, run);
  return { objects, after, landings };
}

function podsOf({ scenario: { cluster } }: ClusterState, vpa: VerticalPodAutoscaler): readonly PodModel[] {
  const isOwn = belongingTo(vpa, cluster);
  return cluster.running.filter(it => !it.terminating && isOwn(it));
}

function belongingTo(vpa: VerticalPodAutoscaler, cluster: ClusterModel): (pod: PodModel) => boolean {
  const { kind, name } = vpa.spec?.targetRef ?? {};
  const namespace = namespaceOf(vpa);
  const ownersOf = ownersIn(cluster);
  return pod => pod.namespace === namespace && ownersOf(pod).some(it => it.kind === kind && it.name === name);
}

function update({ id, nodeName = '' }: PodModel, action: PodUpdate['action'], because: string): PodUpdate {
  return { pod: id, node: nodeName, action, because };
}

const namespaceOf = ({ metadata }: VerticalPodAutoscaler): string => metadata?.namespace ?? 'default';

/** NAMESPACE/NAME of an object that is not decoded: a name may be any value. */
export const objectId = (object: object): string => {
  const { metadata } = object as Pod;
  return `${printed(metadata?.namespace ?? 'default')}/${printed(metadata?.name ?? '')}`;
};
