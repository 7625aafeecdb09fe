import { labelMatcher } from '../kube/labelSelector';
import { isPolicy } from '../kube/scheduler/policy';
import type {
  Namespace,
  Node,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  PodSpec,
  PriorityClass,
  RuntimeClass,
  StorageClass,
  StringMap,
} from '../kube/types';
import {
  type AdmissionFacts,
  admitPriority,
  admitRuntimeClass,
  admitTolerations,
  hostPortsOf,
  prepareForCreate,
  SYSTEM_PRIORITY_CLASSES,
  withDefaults,
} from './admission';
import { podTerms } from './affinityTerms';
import { deviceInventory } from './deviceInventory';
import type { BudgetModel, ClusterModel, JsonObject, NodeModel, Note, PodModel } from './model';
import { amountsOf, podRequests, resourcesOf } from './resources';
import { storageOf } from './volumes';
import { expandWorkloads } from './workloads';

export interface ScenarioOptions {
  /** Over the defaults of the chosen minor. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** What happens to a victim: it goes at once, or it stays with a deletionTimestamp. */
  readonly victims: 'delete' | 'terminate';
  /** When a Pod that preempted is tried again: at once, after all others, or not. */
  readonly retry: 'immediate' | 'end' | 'none';
  /** Make the Pods of workloads that the scenario does not already hold. */
  readonly expandWorkloads: boolean;
}

export interface ClusterOptions {
  /** Over what the scenario's own ScenarioOptions say; left out, those or the contract's defaults hold. */
  readonly expandWorkloads?: boolean;
}

export interface RejectedPod {
  readonly id: string;
  readonly message: string;
}

export interface Scenario {
  readonly cluster: ClusterModel;
  /** Pods to place, in the order of the file. */
  readonly pending: readonly PodModel[];
  /** Refused by admission. */
  readonly rejected: readonly RejectedPod[];
  readonly options: ScenarioOptions;
  /** KubeSchedulerConfiguration as written, or a Policy of old. */
  readonly schedulerConfiguration?: JsonObject;
  readonly notes: readonly Note[];
}

/** When the first running Pod without a startTime started; the next one second later. Any fixed moment does. */
export const CLUSTER_START = Date.UTC(2026, 0, 1);

const CLUSTER_SCOPED = new Set([
  'Node',
  'Namespace',
  'PriorityClass',
  'PersistentVolume',
  'StorageClass',
  'CSINode',
  'CSIDriver',
  'DeviceClass',
  'ResourceSlice',
  'RuntimeClass',
  'VolumeAttachment',
  'DeviceTaintRule',
  'VolumeAttributesClass',
]);

/**
 * Builds the cluster and the Pods to place from plain JSON objects, and does to them first what a cluster does: API
 * defaults, the Pod's create step, and the admission plugins that change placement. Never throws: what cannot be read
 * is left out and said in `notes`.
 */
export function scenarioFromObjects(objects: readonly JsonObject[], options: ClusterOptions = {}): Scenario {
  const notes: Note[] = [];
  const all = objects.flatMap(it => opened(it, notes));
  const optionsObject = all.find(isScenarioOptions);
  const scenarioOptions = readOptions(optionsObject, options);
  const configuration = all.find(it => isSchedulerConfiguration(it) && !String(it.kind).endsWith('Args'));
  const written = all.filter(it => !isScenarioOptions(it) && !isSchedulerConfiguration(it)).map(withNamespace);
  const expanded = scenarioOptions.expandWorkloads ? expandWorkloads(written) : { pods: [], claims: [] };
  const everything = [...written, ...expanded.claims, ...expanded.pods];

  const byKind = groupByKind(everything);
  const facts = admissionFacts(byKind);
  const pods = podModels((byKind.get('Pod') ?? []) as readonly Pod[], facts, notes);
  const nodes = ((byKind.get('Node') ?? []) as readonly Node[]).flatMap(it => guarded(it, notes, nodeModel));
  const claims = withOwnClaims(claimsWithClass(byKind), pods.pending);
  byKind.set('PersistentVolumeClaim', claims);
  for (const kind of ['Pod', 'Node']) byKind.delete(kind);
  return {
    cluster: {
      nodes: nodes.sort((a, b) => compareText(a.name, b.name)),
      running: pods.running,
      budgets: ((byKind.get('PodDisruptionBudget') ?? []) as readonly PodDisruptionBudget[]).map(budgetModel),
      namespaces: namespacesOf(everything),
      storage: storageOf(byKind, it => notes.push(it)),
      devices: deviceInventory(byKind, pods.pending, CLUSTER_START, it => notes.push(it)),
      objects: byKind,
    },
    pending: pods.pending,
    rejected: pods.rejected,
    options: scenarioOptions,
    ...(configuration && { schedulerConfiguration: configuration }),
    notes,
  };
}

/** Code unit order, the order of Go's string comparison for ASCII names. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function opened(object: JsonObject, notes: Note[]): readonly JsonObject[] {
  if (object === null || typeof object !== 'object' || Array.isArray(object)) {
    notes.push({ message: 'A document is not an object, so it is left out.' });
    return [];
  }
  const kind = object.kind;
  const items = object.items;
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) {
    return items.flatMap((it: JsonObject) => opened(it, notes));
  }
  return [object];
}

function isScenarioOptions(object: JsonObject): boolean {
  return object.kind === 'ScenarioOptions' && String(object.apiVersion).startsWith('berth.dev/');
}

function isSchedulerConfiguration(object: JsonObject): boolean {
  return String(object.apiVersion).startsWith('kubescheduler.config.k8s.io/') || isPolicy(object);
}

function readOptions(object: JsonObject | undefined, over: ClusterOptions): ScenarioOptions {
  const retry = object?.retry;
  return {
    featureGates: (object?.featureGates ?? {}) as Readonly<Record<string, boolean>>,
    victims: object?.victims === 'terminate' ? 'terminate' : 'delete',
    retry: retry === 'end' || retry === 'none' ? retry : 'immediate',
    expandWorkloads: over.expandWorkloads ?? object?.expandWorkloads !== false,
  };
}

function withNamespace(object: JsonObject): JsonObject {
  const metadata = (object.metadata ?? {}) as JsonObject;
  if (CLUSTER_SCOPED.has(String(object.kind)) || metadata.namespace) return object;
  return { ...object, metadata: { ...metadata, namespace: 'default' } };
}

function groupByKind(objects: readonly JsonObject[]): Map<string, readonly JsonObject[]> {
  const res = new Map<string, JsonObject[]>();
  for (const object of objects) {
    const kind = String(object.kind ?? '');
    const found = res.get(kind);
    if (found) found.push(object);
    else res.set(kind, [object]);
  }
  return res;
}

function admissionFacts(byKind: ReadonlyMap<string, readonly JsonObject[]>): AdmissionFacts {
  const named = <T extends { readonly metadata?: { readonly name?: string } }>(list: readonly T[]): Map<string, T> =>
    new Map(list.map(it => [it.metadata?.name ?? '', it]));
  return {
    priorityClasses: named([
      ...SYSTEM_PRIORITY_CLASSES,
      ...((byKind.get('PriorityClass') ?? []) as readonly PriorityClass[]),
    ]),
    runtimeClasses: named((byKind.get('RuntimeClass') ?? []) as readonly RuntimeClass[]),
  };
}

interface PodModels {
  readonly running: readonly PodModel[];
  readonly pending: readonly PodModel[];
  readonly rejected: readonly RejectedPod[];
}

function podModels(pods: readonly Pod[], facts: AdmissionFacts, notes: Note[]): PodModels {
  const running: PodModel[] = [];
  const pending: PodModel[] = [];
  const rejected: RejectedPod[] = [];
  for (const pod of pods) {
    const phase = pod.status?.phase;
    if (phase === 'Succeeded' || phase === 'Failed') continue;
    guarded(pod, notes, (it, onBad) => {
      const containers = it.spec?.containers ?? [];
      if (!Array.isArray(containers)) throw new TypeError('containers is not a list');
      if (containers.length === 0) {
        notes.push({
          pod: idOf(it),
          message: 'The Pod has no containers, so it is taken as one that asks for nothing.',
        });
      }
      const startTime = CLUSTER_START + running.length * 1000;
      const model = podModel(it, facts, startTime, onBad);
      if ('message' in model) rejected.push(model);
      else if (model.nodeName) running.push(model);
      else pending.push(model);
    });
  }
  return { running, pending, rejected };
}

/** A broken object must not keep the others from being placed. */
function guarded<T extends Pod | Node, R>(
  object: T,
  notes: Note[],
  make: (it: T, onBad: (m: string) => void) => R,
): R[] {
  const pod = object.kind === 'Pod' ? { pod: idOf(object) } : {};
  const what = `${object.kind ?? 'Object'} ${object.metadata?.name ?? 'without a name'}`;
  try {
    return [make(object, message => notes.push({ ...pod, message: `${what}: ${message}` }))];
  } catch {
    notes.push({ ...pod, message: `${what} does not have the shape of its kind, so it is left out.` });
    return [];
  }
}

function idOf(object: { readonly metadata?: { readonly namespace?: string; readonly name?: string } }): string {
  return `${object.metadata?.namespace ?? 'default'}/${object.metadata?.name ?? ''}`;
}

function podModel(
  pod: Pod,
  facts: AdmissionFacts,
  startTime: number,
  onBad: (message: string) => void,
): PodModel | RejectedPod {
  const labels = pod.metadata?.labels ?? {};
  const isRunning = Boolean(pod.spec?.nodeName);
  const written = withDefaults(pod.spec ?? {});
  const created = isRunning ? written : prepareForCreate(written, labels);
  const admitted = admitPriority(pod, created, facts);
  if ('rejected' in admitted) return { id: idOf(pod), message: admitted.rejected };
  const withClass = isRunning ? admitted : admitRuntimeClass(pod, admitTolerations(admitted.spec), facts);
  if ('rejected' in withClass) return { id: idOf(pod), message: withClass.rejected };
  return modelOf(pod, withClass.spec, startTime, onBad);
}

function modelOf(pod: Pod, spec: PodSpec, startTime: number, onBad: (message: string) => void): PodModel {
  const requests = podRequests(spec, onBad, pod.status);
  const started = Date.parse(pod.status?.startTime ?? '');
  const nominated = pod.status?.nominatedNodeName;
  return {
    id: idOf(pod),
    name: pod.metadata?.name ?? '',
    namespace: pod.metadata?.namespace ?? 'default',
    labels: pod.metadata?.labels ?? {},
    spec,
    priority: spec.priority ?? 0,
    schedulerName: spec.schedulerName || 'default-scheduler',
    requests: requests.requests,
    nonZeroRequests: requests.nonZero,
    nonZeroOfContainers: requests.nonZeroOfContainers,
    terms: podTerms(spec, pod.metadata?.namespace ?? 'default'),
    hostPorts: hostPortsOf(spec),
    ...(spec.nodeName && { nodeName: spec.nodeName }),
    ...(nominated && { nominatedNodeName: nominated }),
    startTime: Number.isNaN(started) ? startTime : started,
    terminating: pod.metadata?.deletionTimestamp !== undefined,
    conditions: pod.status?.conditions ?? [],
    source: pod,
  };
}

function nodeModel(node: Node, onBad: (message: string) => void): NodeModel {
  // The API server's default: what may be given out is the whole capacity.
  const amounts = amountsOf(node.status?.allocatable ?? node.status?.capacity, onBad);
  const images = new Map<string, number>();
  for (const image of node.status?.images ?? []) {
    for (const name of image.names ?? []) images.set(name, image.sizeBytes ?? 0);
  }
  return {
    name: node.metadata?.name ?? '',
    labels: node.metadata?.labels ?? {},
    taints: node.spec?.taints ?? [],
    unschedulable: node.spec?.unschedulable === true,
    allocatable: resourcesOf(amounts),
    maxPods: amounts.get('pods') ?? 0,
    images,
    declaredFeatures: new Set(node.status?.declaredFeatures ?? []),
    source: node,
  };
}

function budgetModel(budget: PodDisruptionBudget): BudgetModel {
  return {
    namespace: budget.metadata?.namespace ?? 'default',
    selector: labelMatcher(budget.spec?.selector),
    disruptionsAllowed: budget.status?.disruptionsAllowed ?? 0,
    disruptedPods: new Set(Object.keys(budget.status?.disruptedPods ?? {})),
    source: budget,
  };
}

function namespacesOf(objects: readonly JsonObject[]): ReadonlyMap<string, StringMap> {
  const res = new Map<string, StringMap>();
  for (const object of objects) {
    const { kind, metadata } = object as Namespace;
    const name = kind === 'Namespace' ? metadata?.name : metadata?.namespace;
    if (!name || (kind !== 'Namespace' && res.has(name))) continue;
    const labels = kind === 'Namespace' ? metadata?.labels : undefined;
    res.set(name, { ...labels, 'kubernetes.io/metadata.name': name });
  }
  return res;
}

/** The DefaultStorageClass admission plugin: the newest default class, or the one with the lower name. */
function claimsWithClass(byKind: ReadonlyMap<string, readonly JsonObject[]>): readonly PersistentVolumeClaim[] {
  const classes = (byKind.get('StorageClass') ?? []) as readonly StorageClass[];
  const claims = (byKind.get('PersistentVolumeClaim') ?? []) as readonly PersistentVolumeClaim[];
  const created = (it: StorageClass): number => Date.parse(it.metadata?.creationTimestamp ?? '') || CLUSTER_START;
  const defaults = classes
    .filter(it => it.metadata?.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true')
    .sort((a, b) => created(b) - created(a) || compareText(a.metadata?.name ?? '', b.metadata?.name ?? ''));
  const name = defaults[0]?.metadata?.name;
  if (name === undefined) return claims;
  return claims.map(it => {
    const named = it.spec?.storageClassName !== undefined || it.spec?.volumeName;
    const annotated = it.metadata?.annotations?.['volume.beta.kubernetes.io/storage-class'] !== undefined;
    return named || annotated ? it : { ...it, spec: { ...it.spec, storageClassName: name } };
  });
}

/** What the ephemeral volume controller does for a new Pod: a claim named POD-VOLUME. */
function withOwnClaims(claims: readonly PersistentVolumeClaim[], pending: readonly PodModel[]): readonly JsonObject[] {
  const res = [...claims];
  const has = (namespace: string, name: string): boolean =>
    res.some(it => it.metadata?.namespace === namespace && it.metadata?.name === name);
  for (const pod of pending) {
    for (const volume of pod.spec.volumes ?? []) {
      const template = volume.ephemeral?.volumeClaimTemplate;
      const name = `${pod.name}-${volume.name ?? ''}`;
      if (!template || has(pod.namespace, name)) continue;
      res.push({
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: {
          name,
          namespace: pod.namespace,
          ...(template.metadata?.labels && { labels: template.metadata.labels }),
          ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: pod.name, controller: true }],
        },
        ...(template.spec && { spec: template.spec }),
      });
    }
  }
  return res as readonly unknown[] as readonly JsonObject[];
}
