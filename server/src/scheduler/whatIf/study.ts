import type { UnknownObject } from '../../base/json';
import { OutOfTime, type Steps } from '../../base/steps';
import { ownersIn } from '../../cluster/owners';
import type { PodModel } from '../../cluster/pods/podModel';
import type { RejectedPod, Scenario } from '../../cluster/scenario';
import type { NodeSnapshot } from '../cycle/findNodes';
import type { DecisionObserver } from '../cycle/schedulingCycle';
import type { Profile } from '../framework/interface';
import type { PlacementResult } from '../result';
import { type RunOptions, simulateSteps } from '../scenario';
import type { FilterResult, Holder, Situation } from './candidate';
import { type Documents, documentsOf, keyOfRef } from './edits';
import { runFilters } from './filterResult';
import { holderOf } from './holders';
import { lastAttempts } from './outcome';

/** The last scheduling cycle of a Pod. */
interface LastCycle {
  readonly pod: PodModel;
  readonly cycle: NodeSnapshot;
  readonly profile: Profile;
}

/** One run over some documents, with what follow-up questions need. */
export interface StudyRun {
  readonly documents: Documents;
  readonly scenario: Scenario;
  readonly result: PlacementResult;
  /** By Pod id: the Pods without a node, and `wanted`. */
  readonly lastCycles: ReadonlyMap<string, LastCycle>;
}

/**
 * A complete run. `recorded`: record the last cycles of Pods without a node, and of the Pod `wanted`; an observed run decides
 * everything anew. Throws OutOfTime.
 */
export function* runStudySteps(...given: Parameters<typeof runRecordingSteps>): Steps<StudyRun> {
  return completeRun(yield* runRecordingSteps(...given));
}

/** The same run. Throws OutOfTime where it was cut, as a cancelled run says nothing about a change. */
export function completeRun(run: StudyRun): StudyRun {
  if (run.result.cut) throw new OutOfTime();
  return run;
}

/** Like `runStudySteps`, but the result may be cut. */
export function* runRecordingSteps(
  all: readonly UnknownObject[],
  options: RunOptions,
  recorded?: { readonly wanted: string | undefined },
): Steps<StudyRun> {
  const lastCycles = new Map<string, LastCycle>();
  const onDecision: DecisionObserver = ({ pod, cycle, profile, decision }) => {
    if (decision.attempt.status === 'scheduled' && pod.id !== recorded?.wanted) lastCycles.delete(pod.id);
    else lastCycles.set(pod.id, { pod, cycle, profile });
  };
  const { scenario, result } = yield* simulateSteps(all, { ...options, ...(recorded && { onDecision }) });
  return { documents: documentsOf(all), scenario, result, lastCycles };
}

const NOTHING_FILTERED: FilterResult = { feasible: [], rejections: new Map() };

/**
 * A Pod's situation in a run; undefined where the Pod is written in no document. `node`: only that node's result
 * counts.
 */
export function situationIn(run: StudyRun, pod: string, node?: string): Situation | undefined {
  const { documents, scenario, result } = run;
  const lastCycles = run.lastCycles.get(pod);
  const refused = scenario.rejected.find(it => it.id === pod);
  const model = lastCycles?.pod ?? scenario.pending.find(it => it.id === pod) ?? (refused && unadmitted(refused));
  const holder = model && holderOf(model, scenario.cluster, documents);
  if (model === undefined || holder === undefined) return undefined;
  const attempt = lastAttempts(result).get(pod);
  const heldBack = attempt && holdReason(attempt.status, attempt.preFilterRejection?.plugin, attempt.message);
  const filterResult =
    lastCycles && !heldBack ? runFilters(model, lastCycles.cycle, lastCycles.profile) : NOTHING_FILTERED;
  const { cluster } = scenario;
  const profiles = schedulersOf(scenario);
  return {
    pod: model,
    holder,
    documents,
    cluster,
    filterResult: node === undefined ? filterResult : onlyAt(filterResult, node),
    ...(lastCycles && { tried: lastCycles }),
    ...(heldBack && { heldBack: { ...heldBack, ...(refused?.more !== undefined && { more: refused.more }) } }),
    ...(attempt?.group !== undefined && { gang: gangOf(attempt.group, result) }),
    profiles,
  };
}

function gangOf(group: string, { groups = [] }: PlacementResult): NonNullable<Situation['gang']> {
  const message = groups.findLast(it => it.group === group)?.message ?? '';
  const [, placed] = /(\d+) (?:scheduled|of \d+ can be placed)/.exec(message) ?? [];
  return { name: group.slice(group.indexOf('/') + 1), ...(placed !== undefined && { placed: Number(placed) }) };
}

function holdReason(status: string, plugin: string | undefined, message = ''): Situation['heldBack'] {
  if (status === 'gated') return { plugin: plugin ?? 'SchedulingGates', message };
  if (status === 'ignored') return { plugin: 'Profile', message };
  return status === 'rejected' ? { plugin: 'Admission', message } : undefined;
}

function onlyAt({ feasible, rejections }: FilterResult, node: string): FilterResult {
  const narrowed = [...rejections].flatMap(([plugin, { nodes, each }]) => {
    const at = nodes.findIndex(it => it.name === node);
    const reasons = each[at];
    return reasons === undefined
      ? []
      : [[plugin, { nodes: [nodes[at]!], reasons: new Set(reasons), each: [reasons] }] as const];
  });
  return { feasible: feasible.filter(it => it.name === node), rejections: new Map(narrowed) };
}

function schedulersOf({ schedulerConfiguration }: Scenario): readonly string[] {
  const profiles = (schedulerConfiguration?.profiles ?? []) as readonly { readonly schedulerName?: string }[];
  const names = Array.isArray(profiles) ? profiles.map(it => it?.schedulerName ?? 'default-scheduler') : [];
  return names.length === 0 ? ['default-scheduler'] : names;
}

/** A Pod that admission refused, as far as it can be read. */
function unadmitted({ id, source }: RejectedPod): PodModel {
  const nothing = { milliCpu: 0, memory: 0, ephemeralStorage: 0, scalar: new Map<string, number>() };
  return {
    id,
    name: source.metadata?.name ?? '',
    namespace: source.metadata?.namespace ?? 'default',
    labels: source.metadata?.labels ?? {},
    spec: source.spec ?? {},
    priority: 0,
    schedulerName: source.spec?.schedulerName ?? 'default-scheduler',
    requests: nothing,
    nonZeroRequests: nothing,
    nonZeroOfContainers: nothing,
    terms: { required: [], requiredAnti: [], preferred: [], preferredAnti: [] },
    hostPorts: [],
    startTime: 0,
    terminating: false,
    conditions: [],
    source,
  };
}

/** The Pods that a holder is or makes, including those that admission refused. */
export function podsOfHolder({ ref }: Holder, { cluster, pending, rejected }: Scenario): readonly string[] {
  const { kind, name, namespace } = ref;
  const owners = ownersIn(cluster);
  const isOf = (pod: Pick<PodModel, 'source' | 'id'>): boolean =>
    kind === 'Pod'
      ? pod.id === `${namespace}/${name}`
      : (pod.source.metadata?.namespace ?? 'default') === namespace &&
        owners(pod).some(it => it.kind === kind && it.name === name);
  return [...pending, ...rejected].filter(isOf).map(it => it.id);
}

/** The Pods without a node at the end; of several from the same holder only the first. */
export function unscheduledPods({ documents, scenario, result }: StudyRun): readonly string[] {
  const models = new Map([...scenario.pending, ...scenario.rejected].map(it => [it.id, it]));
  const holderKeys = new Set<string>();
  return [...lastAttempts(result)].flatMap(([id, { status }]) => {
    const model = models.get(id);
    if (status === 'scheduled' || model === undefined) return [];
    const holder = holderOf(model, scenario.cluster, documents);
    const holderKey = holder ? keyOfRef(holder.ref) : id;
    return holderKeys.size < holderKeys.add(holderKey).size ? [id] : [];
  });
}
