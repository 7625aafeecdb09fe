import type { UnknownObject } from '../../base/json';
import type { Memo } from '../../base/memo';
import { push } from '../../base/multiMap';
import { printed } from '../../base/printed';
import { isSameValue } from '../../base/sameValue';
import { mapInSteps, type Steps } from '../../base/steps';
import { groupOf } from '../../kube/apiVersion';
import { holdsPods, podTemplatePath } from '../../kube/podTemplates';
import type {
  HorizontalPodAutoscaler,
  Node,
  OwnerReference,
  PersistentVolumeClaim,
  Pod,
  PodTemplateSpec,
} from '../../kube/types';
import type { Note } from '../pods/note';
import {
  MAX_PODS,
  MAX_PODS_IN_ALL,
  type Plan,
  type Plans,
  templateHashes,
  type WorkloadObject,
  type World,
} from './controller';
import { daemonPods } from './daemonSet';
import { cronJobPods, jobPods } from './job';
import { deploymentPods, replicaPods } from './replicas';
import { ordinalPods } from './statefulSet';

/** A missing Pod that a workload's controller makes. */
export interface MadePod {
  readonly pod: Pod;
  /** Missing claims of a StatefulSet's volumeClaimTemplates, created before the Pod. */
  readonly claims: readonly PersistentVolumeClaim[];
  readonly workload: WorkloadObject;
}

export interface Expansion {
  /** In the order of the workloads. */
  readonly pods: readonly MadePod[];
  /** ReplicaSets of Deployments and Jobs of CronJobs. */
  readonly between: readonly UnknownObject[];
}

export const NO_EXPANSION: Expansion = { pods: [], between: [] };

const CONTROLLERS: Readonly<Record<string, (workload: WorkloadObject, world: World) => Plans>> = {
  Deployment: deploymentPods,
  ReplicaSet: replicaPods,
  ReplicationController: replicaPods,
  StatefulSet: ordinalPods,
  DaemonSet: daemonPods,
  Job: jobPods,
  CronJob: cronJobPods,
};

/** Kinds whose Pods have names that the API defines; these names are assigned first. */
const NAMED_FIRST: ReadonlySet<string> = new Set(['StatefulSet']);

/**
 * Makes the missing Pods of Deployments, ReplicaSets, ReplicationControllers, StatefulSets, DaemonSets, Jobs and
 * CronJobs among the objects. Names repeat from run to run: `web-0` with ordinals for StatefulSets, the index for
 * Indexed Jobs, `web-1`, `web-2`, … for the others (real ones end in random letters). Pods that the scenario already
 * holds, by ownerReference, are not made again.
 */
export function* expandWorkloadSteps(
  objects: readonly UnknownObject[],
  memory: Memo,
  { isOn, admitted }: Pick<World, 'isOn' | 'admitted'>,
  onNote: (note: Note) => void,
): Steps<Expansion> {
  const workloads = objects.flatMap(it => workloadOf(it) ?? []);
  if (workloads.length === 0) return NO_EXPANSION;
  const world = { ...worldOf(objects, isOn), admitted };
  yield;
  const plans = yield* mapInSteps(workloads, workload => ({
    workload,
    plans: CONTROLLERS[workload.kind]!(workload, world),
  }));
  const names = new Set(
    objects.flatMap(it => (it.kind === 'Pod' || it.kind === 'PersistentVolumeClaim' ? idOf(it) : [])),
  );
  const most = numbersOf(plans.map(it => it.plans.count));
  for (const [at, { workload, plans: lists }] of plans.entries()) {
    if (!NAMED_FIRST.has(workload.kind)) continue;
    for (let i = 0; i < most[at]!; i += 1) reserve(names, lists.plan(i).pod);
  }
  const pods: MadePod[] = [];
  const taken: TakenNumbers = new Map();
  for (const [at, { workload, plans: lists }] of plans.entries()) {
    if (lists.count > most[at]!) {
      const { kind, name } = workload;
      onNote({ message: `${kind} ${name} lacks ${lists.count} Pods; only the first ${most[at]} are placed.` });
    }
    const kept = NUMBERED.has(workload.kind) ? keptPlans(workload, lists, memory) : undefined;
    const numbers = Array.from({ length: most[at]! }).keys();
    const made = yield* mapInSteps(numbers, (i): MadePod => {
      const known = kept?.(i);
      if (known && reserveId(names, known.id)) return { pod: known.pod, claims: NO_CLAIMS, workload };
      const { pod, claims = NO_CLAIMS } = known ?? lists.plan(i);
      const named = NAMED_FIRST.has(workload.kind) ? pod : withFreeName(names, taken, pod);
      const same = <T extends Named>(made: T): T =>
        memory.same(workload.source, `${made.kind}/${made.metadata?.name}`, made);
      return { pod: same(named), claims: claims.filter(it => reserve(names, it)).map(same), workload };
    });
    for (const it of made) pods.push(it);
    yield;
  }
  const between = plans.flatMap(({ workload: { source }, plans: { between = [] } }) =>
    between.map(it => memory.same(source, `${printed(it.kind)}/${printed((it as Named).metadata?.name)}`, it)),
  );
  return { pods, between };
}

/** How many Pods are made for each workload, given the numbers that they lack. */
function numbersOf(counts: readonly number[]): readonly number[] {
  let left = MAX_PODS_IN_ALL;
  return counts.map(count => {
    const number = Math.min(count, MAX_PODS, left);
    left -= number;
    return number;
  });
}

/** Kinds without claims whose Pods differ in their numbers only, so that the first Pod tells whether all are unchanged. */
const NUMBERED: ReadonlySet<string> = new Set(['Deployment', 'ReplicaSet', 'ReplicationController']);

const NO_CLAIMS: readonly PersistentVolumeClaim[] = [];

/** A planned Pod, whose name may be taken, and its id. */
interface KeptPlan extends Plan {
  readonly id: string;
}

/** The planned Pods of a workload, each the same object as in the last run if all are unchanged. */
function keptPlans({ source }: WorkloadObject, { count, plan }: Plans, memory: Memo): (index: number) => KeptPlan {
  const planned = (i: number): KeptPlan => {
    const made = plan(i);
    return { ...made, id: idOf(made.pod) };
  };
  if (count === 0) return planned;
  const first = planned(0);
  const kept = memory.of('planned', source, [], () => ({ made: [first] }));
  if (!isSameValue(kept.made[0]!.pod, first.pod)) kept.made = [first];
  return i => {
    kept.made[i] ??= planned(i);
    return kept.made[i];
  };
}

/**
 * The message of the controller's event FailedCreate. Upstream: RealPodControl.createPods,
 * StatefulPodControl.recordPodEvent.
 */
export function failedCreate(
  { kind, name }: WorkloadObject,
  pod: Pod,
  message: string,
  claim: PersistentVolumeClaim | undefined,
): string {
  const made = pod.metadata?.name;
  if (claim)
    return `Create Claim ${claim.metadata?.name} for Pod ${made} in StatefulSet ${name} failed error: ${message}`;
  if (kind === 'StatefulSet') return `Create Pod ${made} in StatefulSet ${name} failed error: ${message}`;
  return `Error creating: ${message}`;
}

type Named = Pick<Pod, 'kind' | 'metadata'>;

const reserve = (names: Set<string>, object: Pod | PersistentVolumeClaim): boolean => reserveId(names, idOf(object));

function reserveId(names: Set<string>, id: string): boolean {
  if (names.has(id)) return false;
  names.add(id);
  return true;
}

/** By a name without its number: numbers that are taken, all from the first to the one before the last. */
type TakenNumbers = Map<string, { readonly from: number; readonly to: number }>;

/**
 * Two workloads may have the same name: the numbers of the second continue those of the first. Numbers that were found
 * taken are not tried again: of many workloads with one name each Pod would try those of all before it.
 */
function withFreeName(names: Set<string>, taken: TakenNumbers, pod: Pod): Pod {
  if (reserve(names, pod)) return pod;
  const named = (name: string): Pod => ({ ...pod, metadata: { ...pod.metadata, name } });
  // Digits that are no exact number are a part of the name.
  const [, stem = '', digits = ''] = /^(.*?)(\d{0,15})$/.exec(pod.metadata?.name ?? '') ?? [];
  const number = Number(digits);
  const series = idOf(named(stem));
  const known = taken.get(series);
  const { from, to } = known && known.from <= number && number < known.to ? known : { from: number, to: number + 1 };
  for (let i = to; ; i += 1) {
    const other = named(`${stem}${i}`);
    if (!reserve(names, other)) continue;
    taken.set(series, { from, to: i + 1 });
    return other;
  }
}

function idOf(object: UnknownObject | Pod | PersistentVolumeClaim): string {
  const { kind, metadata } = object as Pod;
  return `${kind}/${metadata?.namespace ?? 'default'}/${metadata?.name}`;
}

/** Whether Pods are made for an object. */
export const isWorkload = (object: UnknownObject): boolean => workloadOf(object) !== undefined;

function workloadOf(source: UnknownObject): WorkloadObject | undefined {
  const { kind = '', apiVersion = '', metadata } = source as Pod;
  if (!Object.hasOwn(CONTROLLERS, kind) || !metadata?.name) return undefined;
  const group = groupOf(apiVersion);
  if (!holdsPods(group, kind)) return undefined;
  const template = (podTemplatePath(kind) ?? []).reduce<unknown>(
    (it, key) => (it as UnknownObject | undefined)?.[key],
    source,
  ) as PodTemplateSpec | undefined;
  if (!template?.spec) return undefined;
  return {
    kind,
    apiVersion,
    name: metadata.name,
    namespace: metadata.namespace ?? 'default',
    metadata,
    template,
    source,
  };
}

function worldOf(objects: readonly UnknownObject[], isOn: World['isOn']): Omit<World, 'admitted'> {
  const pods = byOwner(objects.filter(it => it.kind === 'Pod'));
  const others = byOwner(
    objects.filter(it => it.kind === 'ReplicaSet' || it.kind === 'Job' || isNative(it, 'PodGroup')),
  );
  const workloads = objects.filter(it => isNative(it, 'Workload')) as readonly Pod[];
  const scalers = objects.filter(it => it.kind === 'HorizontalPodAutoscaler') as readonly HorizontalPodAutoscaler[];
  const keyOf = ({ namespace, kind, name }: WorkloadObject): string => `${namespace}/${kind}/${name}`;
  return {
    nodes: objects.filter(it => it.kind === 'Node') as readonly Node[],
    podsOf: it => (pods.get(keyOf(it)) ?? []) as readonly Pod[],
    controlled: (it, kind) => (others.get(keyOf(it)) ?? []).filter(other => other.kind === kind),
    workloads: namespace =>
      workloads.filter(
        it => (it.metadata?.namespace ?? 'default') === namespace,
      ) as readonly unknown[] as UnknownObject[],
    isOn,
    replicasOf: it => replicasOf(it, scalers),
    hashOf: templateHashes(),
  };
}

function isNative(object: UnknownObject, kind: string): boolean {
  return object.kind === kind && printed(object.apiVersion).startsWith('scheduling.k8s.io/');
}

/** NAMESPACE/KIND/OWNER → the owned objects. */
function byOwner(objects: readonly UnknownObject[]): ReadonlyMap<string, readonly UnknownObject[]> {
  const res = new Map<string, UnknownObject[]>();
  for (const object of objects) {
    const { metadata } = object as Pod;
    for (const owner of metadata?.ownerReferences ?? []) {
      for (const key of ownerKeys(metadata?.namespace ?? 'default', owner)) {
        push(res, key, object);
      }
    }
  }
  return res;
}

/**
 * A ReplicaSet named after a Deployment and a template hash also counts for the Deployment, and a Job for its CronJob.
 */
export function ownerKeys(namespace: string, { kind, name }: OwnerReference): readonly string[] {
  const base = name?.replace(/-[^-]+$/, '');
  const own = `${namespace}/${kind}/${name}`;
  if (kind === 'ReplicaSet') return [own, `${namespace}/Deployment/${base}`];
  if (kind === 'Job') return [own, `${namespace}/CronJob/${base}`];
  return [own];
}

/**
 * The effect of an autoscaler without metrics: replicas outside its bounds are moved inside; zero disables it. Missing
 * replicas default to one in the API server, so minReplicas then counts. Upstream:
 * HorizontalController.reconcileAutoscaler.
 */
function replicasOf(
  { kind, name, namespace, source }: WorkloadObject,
  scalers: readonly HorizontalPodAutoscaler[],
): number {
  const written = Math.max(0, (source.spec as { readonly replicas?: number } | undefined)?.replicas ?? 1);
  const scaler = scalers.find(
    ({ metadata, spec }) =>
      (metadata?.namespace ?? 'default') === namespace &&
      spec?.scaleTargetRef?.kind === kind &&
      spec.scaleTargetRef.name === name,
  );
  const { minReplicas = 1, maxReplicas } = scaler?.spec ?? {};
  if (maxReplicas === undefined || written === 0) return written;
  if (written > maxReplicas) return maxReplicas;
  return Math.max(written, minReplicas);
}
