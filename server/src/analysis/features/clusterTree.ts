import { asText, type UnknownObject } from '../../base/json';
import { push } from '../../base/multiMap';
import type { NodeModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import { NO_RESOURCES, plus } from '../../cluster/resources/resources';
import { type ClusterIndex, clusterIndex } from '../../cluster/sources/clusterIndex';
import { EMPTY_CONTENT, type KindListing } from '../../cluster/sources/content';
import { defaultClusterObjects } from '../../cluster/sources/defaultCluster';
import { identityOf } from '../../cluster/sources/snapshot';
import { systemPriorityClasses } from '../../kube/podTemplates';
import { quantityOf, quantityValue } from '../../kube/quantity';
import type { CSIStorageCapacity, PriorityClass, StorageClass, StringMap } from '../../kube/types';
import { amountIn } from '../../scheduler/framework/allocation';
import { isDeployed } from '../../workspace/rendered/overlays';
import { shortName } from '../clusters/externalCluster';
import type { EnvironmentState } from '../state/environmentState';

/** A cluster for the tree: plain data, amounts in millicores and bytes. */
export interface ClusterView {
  /** The source as in the settings, with only the name of a file; of `auto` what it means here. */
  readonly source: string;
  /** The names of its environments in berth.yaml; empty: one cluster for everything. */
  readonly environments: readonly string[];
  readonly state: 'loading' | 'ready' | 'unreachable';
  readonly reason?: string;
  readonly kubernetesVersion?: string;
  readonly notes: readonly string[];
  /** Kinds that could not be listed completely. */
  readonly lacking: readonly LackingKind[];
  readonly nodes: readonly ViewedNode[];
  readonly storageClasses: readonly ViewedStorageClass[];
  readonly priorityClasses: readonly ViewedPriorityClass[];
}

export interface LackingKind {
  readonly kind: string;
  readonly state: KindListing['state'];
  readonly reason?: string;
  readonly namespaces?: readonly string[];
}

export interface ViewedNode {
  readonly name: string;
  readonly isReady: boolean;
  readonly isCordoned: boolean;
  /** In the order cpu, memory, pods, other resources. */
  readonly use: readonly ViewedUse[];
  readonly taints: readonly string[];
  readonly labels: StringMap;
  readonly pods: readonly ViewedPod[];
}

export interface ViewedUse {
  readonly resource: string;
  readonly requested: number;
  readonly allocatable: number;
}

export interface ViewedPod {
  readonly namespace: string;
  readonly name: string;
  readonly cpuMilli: number;
  readonly memoryBytes: number;
  readonly priority: number;
}

export interface ViewedStorageClass {
  readonly name: string;
  readonly provisioner: string;
  readonly bindingMode: string;
  readonly isDefault: boolean;
  readonly capacities: readonly { readonly where: string; readonly bytes: number }[];
}

export interface ViewedPriorityClass {
  readonly name: string;
  readonly value: number;
  readonly isDefault: boolean;
  readonly preempts: boolean;
}

/** The distinct clusters of all environments, including the embedded one and those of the workspace. */
export function clusterViews(environments: readonly EnvironmentState[]): readonly ClusterView[] {
  const byKey = new Map<string, EnvironmentState[]>();
  for (const state of environments) {
    const { cluster, settings } = state.environment;
    const key = cluster?.key ?? settings.cluster;
    byKey.set(key, [...(byKey.get(key) ?? []), state]);
  }
  return [...byKey.values()].flatMap(([first, ...others]) => (first ? [viewOf(first, [first, ...others])] : []));
}

function viewOf(
  { cluster: index, environment }: EnvironmentState,
  environments: readonly EnvironmentState[],
): ClusterView {
  const { known, source } = index ? { known: index, source: undefined } : knownWithin(environments);
  const { state, reason, kubernetesVersion, notes, listings } = known.content;
  const cluster = known.model();
  const running = new Map<string, PodModel[]>();
  for (const pod of cluster.running) push(running, pod.nodeName ?? '', pod);
  return {
    source: environment.cluster ? shortName(environment.cluster) : (source ?? environment.settings.cluster),
    environments: environments.flatMap(it => it.environment.name ?? []),
    state,
    ...(reason !== undefined && { reason }),
    ...(kubernetesVersion !== undefined && { kubernetesVersion }),
    notes,
    lacking: listings.filter(it => it.state !== 'unserved' && (it.state !== 'listed' || it.namespaces)).map(lackingOf),
    nodes: cluster.nodes.map(it => nodeOf(it, running.get(it.name) ?? [])),
    storageClasses: known
      .objectsOf('storage.k8s.io', 'StorageClass')
      .map(it => storageClassOf(it, known))
      .sort(byName),
    priorityClasses: priorityClassesOf(known),
  };
}

/** The cluster of the workspace's objects, or the embedded one if there are no Nodes. */
function knownWithin(environments: readonly EnvironmentState[]): {
  readonly known: ClusterIndex;
  readonly source: 'default' | 'workspace';
} {
  const written = environments.flatMap(({ snapshot }) =>
    [...snapshot.files.keys()]
      .sort()
      .filter(uri => isDeployed(uri, snapshot))
      .flatMap(uri => snapshot.objectsIn(uri))
      .map(it => it.manifest.value as UnknownObject),
  );
  const distinct = [...new Set(written)];
  const choice = environments[0]?.environment.settings.cluster;
  const hasNodes = distinct.some(it => it.kind === 'Node');
  const isDefault = choice === 'default' || (choice === 'auto' && !hasNodes);
  const known = clusterIndex({ ...EMPTY_CONTENT, objects: isDefault ? defaultClusterObjects() : distinct });
  return { known, source: isDefault ? 'default' : 'workspace' };
}

function lackingOf({ group, kind, state, reason, namespaces }: KindListing): LackingKind {
  return {
    kind: group === '' ? kind : `${kind}.${group}`,
    state,
    ...(reason !== undefined && { reason }),
    ...(namespaces && { namespaces }),
  };
}

function nodeOf(node: NodeModel, here: readonly PodModel[]): ViewedNode {
  const requested = here.reduce((sum, it) => plus(sum, it.requests), NO_RESOURCES);
  const extended = [...node.allocatable.scalar.keys()].sort();
  return {
    name: node.name,
    isReady: !(node.source.status?.conditions ?? []).some(it => it.type === 'Ready' && it.status !== 'True'),
    isCordoned: node.unschedulable,
    use: [
      ...['cpu', 'memory'].map(it => useOf(it, requested, node)),
      { resource: 'pods', requested: here.length, allocatable: node.maxPods },
      ...extended.map(it => useOf(it, requested, node)),
    ],
    taints: node.taints.map(({ key = '', value, effect = '' }) => `${key}${value ? `=${value}` : ''}:${effect}`),
    labels: node.labels,
    pods: here.map(podOf).sort((a, b) => compare(`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`)),
  };
}

const useOf = (resource: string, requested: NodeModel['allocatable'], { allocatable }: NodeModel): ViewedUse => ({
  resource,
  requested: amountIn(requested, resource),
  allocatable: amountIn(allocatable, resource),
});

function podOf({ namespace, name, requests, priority }: PodModel): ViewedPod {
  return { namespace, name, cpuMilli: requests.milliCpu, memoryBytes: requests.memory, priority };
}

function storageClassOf(object: UnknownObject, known: ClusterIndex): ViewedStorageClass {
  const { metadata, provisioner, volumeBindingMode } = object as StorageClass;
  const { name } = identityOf(object);
  const capacities = known.objectsOf('storage.k8s.io', 'CSIStorageCapacity') as readonly CSIStorageCapacity[];
  return {
    name,
    provisioner: asText(provisioner) ?? '',
    bindingMode: asText(volumeBindingMode) ?? 'Immediate',
    isDefault: metadata?.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true',
    capacities: capacities
      .filter(it => it.storageClassName === name)
      .map(({ nodeTopology, capacity }) => {
        const labels = Object.entries(nodeTopology?.matchLabels ?? {});
        const where = labels.flatMap(([key, value]) => (asText(value) === undefined ? [] : `${key}=${value}`));
        const quantity = quantityOf(capacity);
        return { where: where.sort().join(', '), bytes: quantity ? quantityValue(quantity) : 0 };
      }),
  };
}

/** Adds the two priority classes of the system. */
function priorityClassesOf(known: ClusterIndex): readonly ViewedPriorityClass[] {
  const written = known.objectsOf('scheduling.k8s.io', 'PriorityClass').map((object): ViewedPriorityClass => {
    const { value: given, globalDefault, preemptionPolicy } = object as PriorityClass;
    const { name } = identityOf(object);
    // A value that is no number is reported as a problem of the file.
    const value = typeof given === 'number' ? given : 0;
    return { name, value, isDefault: globalDefault === true, preempts: preemptionPolicy !== 'Never' };
  });
  const names = new Set(written.map(it => it.name));
  const system = Object.entries(systemPriorityClasses)
    .filter(([name]) => !names.has(name))
    .map(([name, value]): ViewedPriorityClass => ({ name, value, isDefault: false, preempts: true }));
  return [...written, ...system].sort((a, b) => b.value - a.value || compare(a.name, b.name));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byName = (a: { readonly name: string }, b: { readonly name: string }): number => compare(a.name, b.name);
