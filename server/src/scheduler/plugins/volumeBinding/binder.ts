import type { NodeModel } from '../../../cluster/clusterModel';
import type { PodModel } from '../../../cluster/pods/podModel';
import { matchingVolume } from '../../../cluster/storage/matchingVolume';
import { isMigratedOn, type NotTranslated } from '../../../cluster/storage/migration';
import {
  type CapacityModel,
  claimNameOf,
  type StorageModel,
  type VolumeClaimModel,
  type VolumeModel,
  volumeModel,
  withBindings,
} from '../../../cluster/storage/volumes';
import { compareQuantities, quantityValue, zeroQuantity } from '../../../kube/quantity';
import type { StorageClass, Volume } from '../../../kube/types';
import type { VolumeChoice } from '../../result';

/** The Pod's claims by what is left to do for them. Upstream: PodVolumeClaims. */
export interface PodClaims {
  readonly bound: readonly VolumeClaimModel[];
  /** Their volume is chosen together with the node. */
  readonly delayed: readonly VolumeClaimModel[];
  /** They should have been bound without the scheduler. */
  readonly immediate: readonly VolumeClaimModel[];
}

/** Upstream: BindingInfo and DynamicProvision. */
export interface NodeVolumes {
  readonly bindings: readonly { readonly claim: VolumeClaimModel; readonly volume: VolumeModel }[];
  readonly provisions: readonly { readonly claim: VolumeClaimModel; readonly capacity?: CapacityModel }[];
}

const NO_VOLUMES: NodeVolumes = { bindings: [], provisions: [] };

/** Upstream: podHasPVCs. A sentence when a claim cannot be used; undefined when the Pod has no claims. */
export function claimsOf(pod: PodModel, storage: StorageModel): PodClaims | { readonly unfit: string } | undefined {
  const found: VolumeClaimModel[] = [];
  for (const volume of pod.spec.volumes ?? []) {
    const name = claimNameOf(pod.name, volume);
    if (name === undefined) continue;
    const claim = storage.claims.get(`${pod.namespace}/${name}`);
    const unfit = claim ? whyUnfit(claim, pod, volume) : whyMissing(volume, name);
    if (unfit !== undefined) return { unfit };
    found.push(claim!);
  }
  if (found.length === 0) return undefined;
  const isDelayed = (it: VolumeClaimModel): boolean =>
    it.volumeName === '' && storage.classes.get(it.className)?.volumeBindingMode === 'WaitForFirstConsumer';
  const unbound = found.filter(it => !it.bound);
  return {
    bound: found.filter(it => it.bound),
    delayed: unbound.filter(isDelayed),
    immediate: unbound.filter(it => !isDelayed(it)),
  };
}

function whyMissing(volume: { readonly persistentVolumeClaim?: unknown }, name: string): string {
  return volume.persistentVolumeClaim
    ? `persistentvolumeclaim "${name}" not found`
    : `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`;
}

function whyUnfit(claim: VolumeClaimModel, pod: PodModel, { ephemeral }: Volume): string | undefined {
  const { metadata, status } = claim.source;
  if (status?.phase === 'Lost') {
    return `persistentvolumeclaim "${claim.name}" bound to non-existent persistentvolume "${claim.volumeName}"`;
  }
  if (metadata?.deletionTimestamp) return `persistentvolumeclaim "${claim.name}" is being deleted`;
  return ephemeral === undefined ? undefined : whyNotOwn(claim, pod);
}

/** Upstream: ephemeral.VolumeIsForPod. */
export function whyNotOwn(claim: VolumeClaimModel, pod: PodModel): string | undefined {
  const { metadata } = claim.source;
  const owner = (metadata?.ownerReferences ?? []).find(it => it.controller === true);
  const uid = pod.source.metadata?.uid;
  const isOwn = owner !== undefined && (owner.uid && uid ? owner.uid === uid : owner.name === pod.name);
  return isOwn ? undefined : `PVC ${claim.id} was not created for pod ${pod.id} (pod is not owner)`;
}

/** Upstream: FindPodVolumes. The volumes that the Pod would get on the node, or why it gets none. */
export function volumesOn(
  node: NodeModel,
  claims: PodClaims,
  storage: StorageModel,
): NodeVolumes | { readonly reasons: readonly string[] } | NotTranslated {
  const reasons: string[] = [];
  const lost = lostOrFar(node, claims.bound, storage);
  if (typeof lost === 'object') return lost;
  if (lost === 'far') reasons.push("node(s) didn't match PersistentVolume's node affinity");
  const found = volumesForDelayed(node, claims.delayed, storage);
  if (found === 'nothing to bind') reasons.push("node(s) didn't find available persistent volumes to bind");
  if (found === 'no space') reasons.push('node(s) did not have enough free storage');
  if (lost === 'lost') reasons.push('node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)');
  return reasons.length > 0 || typeof found === 'string' ? { reasons } : found;
}

/** Upstream: checkBoundClaims; the first claim in trouble decides. */
function lostOrFar(
  node: NodeModel,
  bound: readonly VolumeClaimModel[],
  storage: StorageModel,
): 'lost' | 'far' | NotTranslated | undefined {
  for (const { volumeName } of bound) {
    const volume = storage.volumes.get(volumeName);
    if (!volume) return 'lost';
    const reached = reachesAsServed(volume, node, storage);
    if (typeof reached === 'object') return reached;
    if (!reached) return 'far';
  }
  return undefined;
}

/** The same as `reaches`, for the volume as its CSI driver serves it on the node. Upstream: tryTranslatePVToCSI. */
function reachesAsServed(volume: VolumeModel, node: NodeModel, { csiNodes }: StorageModel): boolean | NotTranslated {
  const { migrated } = volume;
  if (!migrated || !isMigratedOn(csiNodes.get(node.name), migrated.plugin)) return reaches(volume, node);
  if (migrated.error !== undefined) return { error: `could not translate pv: ${migrated.error}` };
  return reaches(migrated, node);
}

/** Why binding fails after the volumes were chosen. Upstream: checkBindings. */
export function whyNotBound(node: NodeModel, { bindings }: NodeVolumes, storage: StorageModel): string | undefined {
  for (const { volume } of bindings) {
    const reached = reachesAsServed(volume, node, storage);
    if (typeof reached === 'object') return `binding volumes: failed to translate pv to csi: ${reached.error}`;
    if (reached) continue;
    const mismatch = `pv "${volume.name}" node affinity doesn't match node "${node.name}"`;
    return `binding volumes: ${mismatch}: no matching NodeSelectorTerms`;
  }
  return undefined;
}

function reaches({ affinity }: Pick<VolumeModel, 'affinity'>, { labels }: NodeModel): boolean {
  // Upstream compares labels only; the name of a node is ignored.
  return affinity?.matches({ name: '', labels }) ?? true;
}

function volumesForDelayed(
  node: NodeModel,
  delayed: readonly VolumeClaimModel[],
  storage: StorageModel,
): NodeVolumes | 'nothing to bind' | 'no space' {
  if (delayed.length === 0) return NO_VOLUMES;
  if (delayed.some(it => it.selectedNode !== '' && it.selectedNode !== node.name)) return 'nothing to bind';
  const toProvision = delayed.filter(it => it.selectedNode !== '');
  const toMatch = delayed.filter(it => it.selectedNode === '').sort(bySize);
  const bindings: { claim: VolumeClaimModel; volume: VolumeModel }[] = [];
  const taken = new Set<string>();
  for (const claim of toMatch) {
    const volume = volumeFor(claim, node, taken, storage);
    if (!volume) {
      toProvision.push(claim);
      continue;
    }
    taken.add(volume.name);
    bindings.push({ claim, volume });
  }
  const provisions: { claim: VolumeClaimModel; capacity?: CapacityModel }[] = [];
  for (const claim of toProvision) {
    const found = storage.classes.get(claim.className);
    if (!found || !canProvision(found, node)) return 'nothing to bind';
    const capacity = capacityFor(claim, found, node, storage);
    if (capacity === 'no space') return 'no space';
    provisions.push({ claim, ...(capacity !== 'not tracked' && { capacity }) });
  }
  return { bindings, provisions };
}

function bySize(a: VolumeClaimModel, b: VolumeClaimModel): number {
  return compareQuantities(a.request ?? zeroQuantity, b.request ?? zeroQuantity);
}

/** Among the volumes of the claim's class, without those that other claims of the Pod take. */
function volumeFor(
  claim: VolumeClaimModel,
  node: NodeModel,
  taken: ReadonlySet<string>,
  { volumesOfClass, volumes }: StorageModel,
): VolumeModel | undefined {
  const free = (volumesOfClass.get(claim.className) ?? []).flatMap(it => (taken.has(it) ? [] : volumes.get(it)!));
  return matchingVolume(claim, free, it => reaches(it, node));
}

const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

function canProvision({ provisioner, allowedTopologies }: StorageClass, { labels }: NodeModel): boolean {
  if (!provisioner || provisioner === NO_PROVISIONER) return false;
  if (!allowedTopologies || allowedTopologies.length === 0) return true;
  return allowedTopologies.some(({ matchLabelExpressions: wanted }) => {
    if (!wanted || wanted.length === 0) return false;
    return wanted.every(({ key, values }) => {
      const value = labels[key ?? ''];
      return value !== undefined && (values ?? []).includes(value);
    });
  });
}

/** Upstream: hasEnoughCapacity. Only a driver that opts in tracks its capacity. */
function capacityFor(
  claim: VolumeClaimModel,
  { metadata, provisioner }: StorageClass,
  { labels }: NodeModel,
  { csiDrivers, capacities }: StorageModel,
): CapacityModel | 'not tracked' | 'no space' {
  const { request } = claim;
  if (!request || csiDrivers.get(provisioner ?? '')?.spec?.storageCapacity !== true) return 'not tracked';
  const size = quantityValue(request);
  const found = capacities.find(it => {
    const limit = it.maximumVolumeSize ?? it.capacity;
    if (it.className !== metadata?.name || !limit || quantityValue(limit) < size) return false;
    return it.topology?.matches(labels) ?? false;
  });
  return found ?? 'no space';
}

/**
 * The storage with volumes reserved for claims, and nodes selected for claims to provision. Upstream: AssumePodVolumes.
 */
export function assumeVolumes(
  node: NodeModel,
  { bindings, provisions }: NodeVolumes,
  storage: StorageModel,
): StorageModel {
  const kept = bindings.map(({ claim, volume }) => ({ ...volume, claimRef: referenceTo(claim) }));
  const chosen = provisions.map(({ claim }) => ({ ...claim, selectedNode: node.name }));
  return withBindings(storage, chosen, kept);
}

function referenceTo({ namespace, name, uid }: VolumeClaimModel): NonNullable<VolumeModel['claimRef']> {
  return { namespace, name, uid };
}

/**
 * The storage once the Pod's volumes on the node are bound or provisioned, as the volume controller and a CSI
 * provisioner do it. Upstream: AssumePodVolumes and BindPodVolumes.
 */
export function bindVolumes(
  pod: PodModel,
  node: NodeModel,
  { bindings, provisions }: NodeVolumes,
  storage: StorageModel,
): { readonly storage: StorageModel; readonly choices: readonly VolumeChoice[] } {
  const choices = new Map<string, VolumeChoice>();
  const claims: VolumeClaimModel[] = [];
  const volumes: VolumeModel[] = [];
  for (const { claim, volume } of bindings) {
    volumes.push({ ...volume, claimRef: referenceTo(claim) });
    claims.push({ ...claim, volumeName: volume.name, bound: true });
    choices.set(claim.id, { claim: claim.id, mode: 'static', pv: volume.name });
  }
  for (const { claim } of provisions) {
    if (choices.has(claim.id)) continue;
    const driver = storage.classes.get(claim.className)?.provisioner ?? '';
    const topology = topologyOf(driver, node, storage);
    const made = provisioned(claim, driver, topology);
    volumes.push(made);
    claims.push({ ...claim, volumeName: made.name, bound: true, selectedNode: node.name });
    const isBoundToPlace = Object.keys(topology).length > 0;
    choices.set(claim.id, { claim: claim.id, mode: 'provisioned', ...(isBoundToPlace && { topology }) });
  }
  const inOrder = new Set((pod.spec.volumes ?? []).map(it => `${pod.namespace}/${claimNameOf(pod.name, it) ?? ''}`));
  return {
    storage: withBindings(storage, claims, volumes),
    choices: [...inOrder].flatMap(it => choices.get(it) ?? []),
  };
}

/** The node's values of the driver's topology keys. */
function topologyOf(driver: string, node: NodeModel, { csiNodes }: StorageModel): Readonly<Record<string, string>> {
  const drivers = csiNodes.get(node.name)?.spec?.drivers ?? [];
  const keys = drivers.filter(it => it.name === driver).flatMap(it => it.topologyKeys ?? []);
  const pairs = keys.flatMap(key => {
    const value = node.labels[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

function provisioned(claim: VolumeClaimModel, driver: string, topology: Readonly<Record<string, string>>): VolumeModel {
  const name = `pvc-${claim.namespace}-${claim.name}`;
  const matchExpressions = Object.entries(topology).map(([key, value]) => ({ key, operator: 'In', values: [value] }));
  const { storage } = claim.source.spec?.resources?.requests ?? {};
  return volumeModel({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      ...(storage !== undefined && { capacity: { storage } }),
      accessModes: claim.accessModes,
      storageClassName: claim.className,
      claimRef: { kind: 'PersistentVolumeClaim', namespace: claim.namespace, name: claim.name, uid: claim.uid },
      csi: { driver, volumeHandle: name },
      ...(matchExpressions.length > 0 && {
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } },
      }),
    },
    status: { phase: 'Bound' },
  });
}
