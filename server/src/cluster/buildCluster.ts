import { bare } from '../base/bare';
import { compareText } from '../base/compareText';
import type { UnknownObject } from '../base/json';
import type { Memo } from '../base/memo';
import { mapInSteps, type Steps } from '../base/steps';
import { labelMatcher } from '../kube/labelSelector';
import type { Namespace, Node, PersistentVolumeClaim, PodDisruptionBudget, StringMap } from '../kube/types';
import type { BudgetModel, ClusterModel, NodeModel } from './clusterModel';
import { CLUSTER_START } from './clusterStart';
import { afterVolumeController } from './controllers/persistentVolumes';
import { isForeign } from './decode/documents';
import { deviceInventory } from './devices/inventory';
import type { PodAdmission } from './podModels';
import type { Note } from './pods/note';
import type { PodModel } from './pods/podModel';
import { amountsOf, resourcesOf } from './resources/resources';
import type { ScenarioOptions } from './scenarioOptions';
import { storageOf } from './storage/volumes';

interface BuildInput {
  readonly scenarioOptions: ScenarioOptions;
  /** Everything except what controllers make. */
  readonly written: readonly UnknownObject[];
  readonly isOn: (gate: string) => boolean;
  readonly memory: Memo;
  readonly onNote: (note: Note) => void;
}

/** The cluster after admission. `byKind` then lacks Pods and Nodes, and includes the claims that Pods own. */
export function* buildCluster(
  byKind: Map<string, readonly UnknownObject[]>,
  { running, pending, claims }: PodAdmission,
  { scenarioOptions, written, isOn, memory, onNote }: BuildInput,
): Steps<ClusterModel> {
  const nodes = yield* mapInSteps((byKind.get('Node') ?? []) as readonly Node[], it => {
    const { model, bad } = memory.of('node', it, [], () => nodeModel(it));
    bad.forEach(onNote);
    return model;
  });
  byKind.set('PersistentVolumeClaim', withOwnClaims(claims, pending, memory));
  for (const kind of ['Pod', 'Node']) byKind.delete(kind);
  yield;
  const storage = storageOf(byKind, onNote);
  yield;
  return {
    nodes: nodes.toSorted((a, b) => compareText(a.name, b.name)),
    running,
    budgets: ((byKind.get('PodDisruptionBudget') ?? []) as readonly PodDisruptionBudget[]).map(budgetModel),
    namespaces: namespacesOf(written),
    storage: scenarioOptions.expandWorkloads ? afterVolumeController(storage) : storage,
    devices: deviceInventory(byKind, pending, isOn, CLUSTER_START, onNote),
    objects: byKind,
  };
}

function nodeModel(node: Node): { readonly model: NodeModel; readonly bad: readonly Note[] } {
  const bad: Note[] = [];
  const onBad = (message: string): void => {
    bad.push({ message: `Node ${node.metadata?.name ?? 'without a name'}: ${message}` });
  };
  // The API server's default: all capacity is allocatable.
  const amounts = amountsOf(node.status?.allocatable ?? node.status?.capacity, onBad);
  const images = new Map<string, number>();
  for (const image of node.status?.images ?? []) {
    for (const name of image.names ?? []) images.set(name, image.sizeBytes ?? 0);
  }
  const model: NodeModel = {
    name: node.metadata?.name ?? '',
    labels: bare(node.metadata?.labels ?? {}),
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

function namespacesOf(objects: readonly UnknownObject[]): ReadonlyMap<string, StringMap> {
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

/** What the ephemeral volume controller does for a new Pod: creates a claim named POD-VOLUME. */
function withOwnClaims(
  claims: readonly PersistentVolumeClaim[],
  pending: readonly PodModel[],
  memory: Memo,
): readonly UnknownObject[] {
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
  return res as readonly unknown[] as readonly UnknownObject[];
}
