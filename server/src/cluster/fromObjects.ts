import { t } from '@vscode/l10n';
import { labelMatcher } from '../kube/labelSelector';
import { isPolicy } from '../kube/scheduler/policy';
import type {
  Namespace,
  Node,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  StorageClass,
  StringMap,
} from '../kube/types';
import { ADMISSION_KINDS, admissionFacts } from './admission/admission';
import { type MutatedObject, mutationSentences, type PolicyDesk, policyDesk } from './admission/policies';
import { afterVolumeController } from './controllers/persistentVolumes';
import { deviceInventory } from './deviceInventory';
import { isForeign, readingObjects } from './documents';
import { type Memory, noMemory } from './memory';
import type { BudgetModel, ClusterModel, JsonObject, NodeModel, Note, PodModel } from './model';
import { mutatedPods } from './mutatedPods';
import { compareText } from './order';
import { isControlled } from './owners';
import { admitting, CLUSTER_START, isOldClaim, type RejectedPod } from './pods';
import { amountsOf, resourcesOf } from './resources';
import { type ClusterOptions, isGateOn, isScenarioOptions, readOptions, type ScenarioOptions } from './scenarioOptions';
import { atOnce, mapInTurns, type Turns } from './turns';
import { storageOf } from './volumes';
import { expanding, isWorkload, NO_EXPANSION } from './workloads';

export { compareText } from './order';
export { CLUSTER_START, type RejectedPod } from './pods';
export type { ClusterOptions, ScenarioOptions } from './scenarioOptions';

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
  /** What mutating policies changed of objects before they came into the cluster. */
  readonly mutated: readonly MutatedObject[];
}

/**
 * Builds the cluster and the Pods to place from plain JSON objects, and does to them first what a cluster does: API
 * defaults, the Pod's create step, and the admission plugins that change placement. Never throws: what cannot be read
 * is left out and said in `notes`.
 */
export function scenarioFromObjects(documents: readonly JsonObject[], options: ClusterOptions = {}): Scenario {
  return atOnce(readingScenario(documents, options));
}

/** The same turn by turn. */
export function* readingScenario(documents: readonly JsonObject[], options: ClusterOptions = {}): Turns<Scenario> {
  const notes: Note[] = [];
  const onNote = (note: Note): void => {
    notes.push(note);
  };
  const memory = options.memory ?? noMemory();
  memory.startRun();
  const all = yield* readingObjects(documents, memory, onNote);
  const [optionsObject, ...otherOptions] = all.filter(isScenarioOptions);
  if (otherOptions.length > 0) onNote({ message: t('There are several ScenarioOptions; the first counts.') });
  const scenarioOptions = readOptions(optionsObject, options, onNote);
  const [configuration, ...others] = all.filter(
    it => isSchedulerConfiguration(it) && !String(it.kind).endsWith('Args'),
  );
  if (others.length > 0) onNote({ message: t('There are several scheduler configurations; the first counts.') });
  const first = firstOfEachName(
    all.filter(it => !isScenarioOptions(it) && !isSchedulerConfiguration(it)),
    onNote,
  );
  yield;
  const namespaced = yield* mapInTurns(first, it => memory.of('namespaced', it, [], () => withNamespace(it)));
  const isOn = (gate: string): boolean => isGateOn(gate, scenarioOptions.featureGates, options);
  const { expandWorkloads } = scenarioOptions;
  const { admitted: letIn, mutated } = policyDesk(options.askPolicies, memory, onNote);
  const written =
    options.askPolicies && expandWorkloads
      ? namespaced.flatMap((it): readonly JsonObject[] => (isWorkload(it) && !isControlled(it) ? letIn(it) : [it]))
      : namespaced;
  const expanded = expandWorkloads
    ? yield* expanding(written, memory, { isOn, admitted: it => letIn(it)[0] }, onNote)
    : NO_EXPANSION;

  const byKind = groupByKind([...written, ...expanded.between]);
  const plugins = scenarioOptions.admissionPlugins;
  const read = ADMISSION_KINDS.flatMap(it => byKind.get(it) ?? []);
  const facts = memory.last('facts', [...plugins, options.askPolicies, ...read], () =>
    admissionFacts(byKind, it => plugins.has(it), options.askPolicies),
  );
  const withClass = plugins.has('DefaultStorageClass') ? defaultClassOf(byKind) : (it: PersistentVolumeClaim) => it;
  const claimed = (claims: readonly PersistentVolumeClaim[]): readonly PersistentVolumeClaim[] =>
    options.askPolicies ? claims.flatMap(it => admittedClaim(it, withClass, letIn)) : claims.map(withClass);
  const admitted = yield* admitting(
    {
      pods: (byKind.get('Pod') ?? []) as readonly Pod[],
      claims: claimed((byKind.get('PersistentVolumeClaim') ?? []) as readonly PersistentVolumeClaim[]),
      made: expanded.pods.map(it => ({ ...it, claims: claimed(it.claims) })),
      topology: plugins.has('PodTopologyLabels') ? labelsOfNodes(byKind) : () => undefined,
    },
    facts,
    memory,
    notes,
  );
  notes.push(...homeless(admitted.running, (byKind.get('Node') ?? []) as readonly Node[]));
  const nodes = yield* mapInTurns((byKind.get('Node') ?? []) as readonly Node[], it => {
    const { model, bad } = memory.of('node', it, [], () => nodeModel(it));
    bad.forEach(onNote);
    return model;
  });
  byKind.set('PersistentVolumeClaim', withOwnClaims(admitted.claims, admitted.pending, memory));
  for (const kind of ['Pod', 'Node']) byKind.delete(kind);
  yield;
  const storage = storageOf(byKind, onNote);
  yield;
  const scenario = {
    cluster: {
      nodes: nodes.toSorted((a, b) => compareText(a.name, b.name)),
      running: admitted.running,
      budgets: ((byKind.get('PodDisruptionBudget') ?? []) as readonly PodDisruptionBudget[]).map(budgetModel),
      namespaces: namespacesOf(written),
      storage: scenarioOptions.expandWorkloads ? afterVolumeController(storage) : storage,
      devices: deviceInventory(byKind, admitted.pending, isOn, CLUSTER_START, onNote),
      objects: byKind,
    },
    pending: admitted.pending,
    rejected: admitted.rejected,
    options: scenarioOptions,
    ...(configuration && { schedulerConfiguration: configuration }),
    notes,
  };
  const changed = [...mutated, ...mutatedPods(scenario.pending, scenario.cluster)];
  notes.push(...changed.flatMap(mutationSentences).map(message => ({ message })));
  return { ...scenario, mutated: changed };
}

/** A claim with its class, and with what policies make of that. One that is bound or has been seen was let in before. */
function admittedClaim(
  claim: PersistentVolumeClaim,
  withClass: (claim: PersistentVolumeClaim) => PersistentVolumeClaim,
  letIn: PolicyDesk['admitted'],
): readonly PersistentVolumeClaim[] {
  const asked = withClass(claim);
  if (isOldClaim(claim)) return [asked];
  return letIn(asked).map(withClass);
}

/** A cluster holds one Pod and one Node of a name; the server refuses to create another, and a Node without one. */
function firstOfEachName(objects: readonly JsonObject[], onNote: (note: Note) => void): readonly JsonObject[] {
  const names = new Set<string>();
  return objects.filter(object => {
    if (object.kind !== 'Pod' && object.kind !== 'Node') return true;
    const { name, namespace = 'default' } = (object as Pod).metadata ?? {};
    if (object.kind === 'Node' && !name) onNote({ message: t('A Node without a name is left out.') });
    if (!name) return object.kind === 'Pod';
    const id = object.kind === 'Pod' ? `Pod ${namespace}/${name}` : `Node ${name}`;
    if (names.has(id)) onNote({ message: t`There are several objects ${id}; the first counts.` });
    return names.size < names.add(id).size;
  });
}

function labelsOfNodes(byKind: ReadonlyMap<string, readonly JsonObject[]>): (node: string) => StringMap | undefined {
  const nodes = (byKind.get('Node') ?? []) as readonly Node[];
  const labels = new Map(nodes.map(it => [it.metadata?.name, it.metadata?.labels]));
  return node => labels.get(node);
}

/** Pods whose node is not there; they count where selectors look at all Pods, and nowhere else. */
function homeless(running: readonly PodModel[], nodes: readonly Node[]): readonly Note[] {
  const names = new Set(nodes.map(it => it.metadata?.name));
  const counts = new Map<string, number>();
  for (const { nodeName = '' } of running) {
    if (!names.has(nodeName)) counts.set(nodeName, (counts.get(nodeName) ?? 0) + 1);
  }
  return [...counts].map(([node, count]) => ({
    message:
      count === 1
        ? t`A Pod names the node ${node}, which is not there.`
        : t`${count} Pods name the node ${node}, which is not there.`,
  }));
}

function isSchedulerConfiguration(object: JsonObject): boolean {
  return String(object.apiVersion).startsWith('kubescheduler.config.k8s.io/') || isPolicy(object);
}

/** Cluster-scoped objects get one too: nobody looks at it. Pods do without, as there are many. */
function withNamespace(object: JsonObject): JsonObject {
  const { metadata, kind } = object;
  if (kind === 'Pod' || kind === 'Node' || (metadata as { readonly namespace?: string } | undefined)?.namespace) {
    return object;
  }
  return { ...object, metadata: { ...(metadata as JsonObject | undefined), namespace: 'default' } };
}

function groupByKind(objects: readonly JsonObject[]): Map<string, readonly JsonObject[]> {
  const res = new Map<string, JsonObject[]>();
  for (const object of objects) {
    const name = String(object.kind ?? '');
    const kind = isForeign(name, object.apiVersion) ? `${name} of ${String(object.apiVersion)}` : name;
    const found = res.get(kind);
    if (found) found.push(object);
    else res.set(kind, [object]);
  }
  return res;
}

function nodeModel(node: Node): { readonly model: NodeModel; readonly bad: readonly Note[] } {
  const bad: Note[] = [];
  const onBad = (message: string): void => {
    bad.push({ message: `Node ${node.metadata?.name ?? 'without a name'}: ${message}` });
  };
  // The API server's default: what may be given out is the whole capacity.
  const amounts = amountsOf(node.status?.allocatable ?? node.status?.capacity, onBad);
  const images = new Map<string, number>();
  for (const image of node.status?.images ?? []) {
    for (const name of image.names ?? []) images.set(name, image.sizeBytes ?? 0);
  }
  const model: NodeModel = {
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
  return { model, bad };
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
    const isNamespace = kind === 'Namespace' && !isForeign(kind, object.apiVersion);
    const name = isNamespace ? metadata?.name : (metadata?.namespace ?? 'default');
    if (typeof name !== 'string' || (!isNamespace && res.has(name))) continue;
    res.set(name, { ...(isNamespace && metadata?.labels), 'kubernetes.io/metadata.name': name });
  }
  return res;
}

/** The DefaultStorageClass admission plugin: the newest default class, or the one with the lower name. */
function defaultClassOf(
  byKind: ReadonlyMap<string, readonly JsonObject[]>,
): (claim: PersistentVolumeClaim) => PersistentVolumeClaim {
  const classes = (byKind.get('StorageClass') ?? []) as readonly StorageClass[];
  const created = (it: StorageClass): number => Date.parse(it.metadata?.creationTimestamp ?? '') || CLUSTER_START;
  const [newest] = classes
    .filter(it => it.metadata?.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true')
    .sort((a, b) => created(b) - created(a) || compareText(a.metadata?.name ?? '', b.metadata?.name ?? ''));
  const name = newest?.metadata?.name;
  return claim => {
    const { metadata, spec } = claim;
    const isNamed = spec?.storageClassName !== undefined || spec?.volumeName;
    const isAnnotated = metadata?.annotations?.['volume.beta.kubernetes.io/storage-class'] !== undefined;
    return name === undefined || isNamed || isAnnotated
      ? claim
      : { ...claim, spec: { ...spec, storageClassName: name } };
  };
}

/** What the ephemeral volume controller does for a new Pod: a claim named POD-VOLUME. */
function withOwnClaims(
  claims: readonly PersistentVolumeClaim[],
  pending: readonly PodModel[],
  memory: Memory,
): readonly JsonObject[] {
  const res = [...claims];
  const names = new Set(claims.map(it => `${it.metadata?.namespace}/${it.metadata?.name}`));
  for (const pod of pending) {
    for (const volume of pod.spec.volumes ?? []) {
      const template = volume.ephemeral?.volumeClaimTemplate;
      const name = `${pod.name}-${volume.name ?? ''}`;
      if (!template || names.has(`${pod.namespace}/${name}`)) continue;
      names.add(`${pod.namespace}/${name}`);
      const claim: PersistentVolumeClaim = {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: {
          name,
          namespace: pod.namespace,
          ...(template.metadata?.labels && { labels: template.metadata.labels }),
          ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: pod.name, controller: true }],
        },
        ...(template.spec && { spec: template.spec }),
      };
      res.push(memory.same(pod.source, name, claim));
    }
  }
  return res as readonly unknown[] as readonly JsonObject[];
}
