import type { PersistentVolume } from '../../kube/types';
import { matchingVolume, satisfies } from '../storage/matchingVolume';
import { isReservedFor, type StorageModel, type VolumeClaimModel, type VolumeModel } from '../storage/volumes';

const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';

/**
 * The storage after the PersistentVolume controller has processed it: new volumes (a manifest has no `status.phase`)
 * get their phase, and claims with immediate binding get a matching volume. Nothing is provisioned. Upstream:
 * PersistentVolumeController.syncVolume, syncUnboundClaim.
 */
export function afterVolumeController(storage: StorageModel): StorageModel {
  const volumes = new Map([...storage.volumes.values()].map(it => [it.name, synced(it, storage)]));
  const claims = new Map(storage.claims);
  for (const claim of storage.claims.values()) {
    if (claim.bound || claim.source.status?.phase === 'Lost') continue;
    const volume = volumeFor(claim, volumes, storage);
    if (volume === undefined) continue;
    const { id, namespace, name, uid } = claim;
    volumes.set(volume.name, inPhase({ ...volume, claimRef: { namespace, name, uid } }, 'Bound'));
    claims.set(id, { ...claim, volumeName: volume.name, bound: true });
  }
  return { ...storage, volumes, claims };
}

/** Upstream: syncVolume. The API server creates every volume as Pending. */
function synced(volume: VolumeModel, { claims }: StorageModel): VolumeModel {
  const { claimRef } = volume;
  if (volume.source.status?.phase !== undefined) return volume;
  if (!claimRef || claimRef.uid === '') return inPhase(volume, 'Available');
  const found = claims.get(`${claimRef.namespace}/${claimRef.name}`);
  // The claim of the binding no longer exists; one of the same name is a different object.
  if (!found || found.uid !== claimRef.uid) return inPhase(volume, 'Released');
  if (found.volumeName === '') return inPhase(volume, 'Pending');
  if (found.volumeName === volume.name) return inPhase(volume, 'Bound');
  const { metadata, spec } = volume.source;
  const isMade = metadata?.annotations?.[PROVISIONED_BY] !== undefined;
  if (isMade && spec?.persistentVolumeReclaimPolicy === 'Delete') return inPhase(volume, 'Released');
  const { claimRef: _, ...unbound } = volume;
  const isOurs = metadata?.annotations?.[BOUND_BY_CONTROLLER] !== undefined;
  return inPhase(isOurs ? unbound : { ...unbound, claimRef: { ...claimRef, uid: '' } }, 'Available');
}

function inPhase<T extends { readonly source: PersistentVolume }>(volume: T, phase: string): T {
  return { ...volume, source: { ...volume.source, status: { ...volume.source.status, phase } } };
}

/** Upstream: syncUnboundClaim. */
function volumeFor(
  claim: VolumeClaimModel,
  volumes: ReadonlyMap<string, VolumeModel>,
  { classes }: StorageModel,
): VolumeModel | undefined {
  if (claim.volumeName !== '') {
    const named = volumes.get(claim.volumeName);
    const isFree = named !== undefined && named.claimRef === undefined && satisfies(named, claim);
    return isFree || (named && isReservedFor(named, claim)) ? named : undefined;
  }
  // The scheduler binds a claim that waits for its first Pod, unless a volume is reserved for it.
  const isDelayed = classes.get(claim.className)?.volumeBindingMode === 'WaitForFirstConsumer';
  const isMeant = (it: VolumeModel): boolean =>
    it.claimRef ? isReservedFor(it, claim) : !isDelayed && it.className === claim.className;
  return byModes([...volumes.values()].filter(isMeant), claim)
    .map(it => matchingVolume(claim, it, () => true))
    .find(it => it !== undefined);
}

/** Volumes that have all the claim's access modes, grouped by equal modes, the fewest modes first. */
function byModes(
  volumes: readonly VolumeModel[],
  { accessModes }: VolumeClaimModel,
): readonly (readonly VolumeModel[])[] {
  const sets = new Map<string, { readonly count: number; readonly volumes: VolumeModel[] }>();
  for (const volume of volumes) {
    const modes = [...new Set(volume.source.spec?.accessModes ?? [])].sort();
    if (!accessModes.every(it => modes.includes(it))) continue;
    const set = sets.get(modes.join()) ?? { count: modes.length, volumes: [] };
    set.volumes.push(volume);
    sets.set(modes.join(), set);
  }
  return [...sets.values()].sort((a, b) => a.count - b.count).map(it => it.volumes);
}
