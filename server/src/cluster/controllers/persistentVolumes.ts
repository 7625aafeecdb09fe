import { grouped } from '../../base/multiMap';
import { compareQuantities } from '../../kube/quantity';
import type { PersistentVolume } from '../../kube/types';
import { hasModes, matchingVolume, satisfies } from '../storage/matchingVolume';
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
  const free = freeVolumes([...volumes.values()]);
  for (const claim of storage.claims.values()) {
    if (claim.bound || claim.source.status?.phase === 'Lost') continue;
    const volume = volumeFor(claim, volumes, free, storage);
    if (volume === undefined) continue;
    free.take(volume);
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
  free: FreeVolumes,
  { classes }: StorageModel,
): VolumeModel | undefined {
  if (claim.volumeName !== '') {
    const named = volumes.get(claim.volumeName);
    const isFree = named !== undefined && named.claimRef === undefined && satisfies(named, claim);
    return isFree || (named && isReservedFor(named, claim)) ? named : undefined;
  }
  // The scheduler binds a claim that waits for its first Pod, unless a volume is reserved for it.
  const isDelayed = classes.get(claim.className)?.volumeBindingMode === 'WaitForFirstConsumer';
  if (!free.reserved.has(claim.id)) return isDelayed ? undefined : free.smallestFor(claim);
  const isMeant = (it: VolumeModel): boolean =>
    it.claimRef ? isReservedFor(it, claim) : !isDelayed && it.className === claim.className;
  return byModes([...volumes.values()].filter(isMeant), claim)
    .map(it => matchingVolume(claim, it, () => true))
    .find(it => it !== undefined);
}

/** The volumes that no claim has. */
interface FreeVolumes {
  /** NAMESPACE/NAME of the claims for which volumes are reserved. */
  readonly reserved: ReadonlySet<string>;
  /** The volume for a claim for which none is reserved: of those with the fewest access modes the smallest. */
  smallestFor(claim: VolumeClaimModel): VolumeModel | undefined;
  take(volume: VolumeModel): void;
}

/** Sorted once, since each claim looks for the smallest. */
function freeVolumes(all: readonly VolumeModel[]): FreeVolumes {
  const unclaimed = all.filter(it => it.claimRef === undefined);
  const positions = new Map(unclaimed.map((it, i) => [it, i]));
  const bySize = (a: VolumeModel, b: VolumeModel): number => compareQuantities(a.capacity, b.capacity);
  const groups = new Map([...grouped(unclaimed, groupOf)].map(([key, it]) => [key, it.toSorted(bySize)]));
  const byClass = grouped(groups.values(), ([first]) => first!.className);
  const firstIn = (group: readonly VolumeModel[]): number =>
    group.reduce((first, it) => Math.min(first, positions.get(it) ?? 0), unclaimed.length);
  return {
    reserved: new Set(all.flatMap(({ claimRef }) => (claimRef ? `${claimRef.namespace}/${claimRef.name}` : []))),
    smallestFor(claim) {
      const able = (byClass.get(claim.className) ?? []).filter(([it]) => it !== undefined && hasModes(it, claim));
      const counted = able.map(group => ({ group, count: modesOf(group[0]!).length }));
      const order = counted.sort((a, b) => a.count - b.count || firstIn(a.group) - firstIn(b.group));
      for (const { group } of order) {
        const found = group.find(it => matchingVolume(claim, [it], () => true));
        if (found !== undefined) return found;
      }
      return undefined;
    },
    take(volume) {
      const group = groups.get(groupOf(volume));
      const at = group?.indexOf(volume) ?? -1;
      if (at >= 0) group?.splice(at, 1);
    },
  };
}

const modesOf = ({ source }: VolumeModel): readonly string[] => [...new Set(source.spec?.accessModes ?? [])].sort();
const groupOf = (volume: VolumeModel): string => JSON.stringify([volume.className, ...modesOf(volume)]);

/** Volumes that have all the claim's access modes, grouped by equal modes, the fewest modes first. */
function byModes(
  volumes: readonly VolumeModel[],
  { accessModes }: VolumeClaimModel,
): readonly (readonly VolumeModel[])[] {
  const sets = new Map<string, { readonly count: number; readonly volumes: VolumeModel[] }>();
  for (const volume of volumes) {
    const modes = modesOf(volume);
    if (!accessModes.every(it => modes.includes(it))) continue;
    const set = sets.get(modes.join()) ?? { count: modes.length, volumes: [] };
    set.volumes.push(volume);
    sets.set(modes.join(), set);
  }
  return [...sets.values()].sort((a, b) => a.count - b.count).map(it => it.volumes);
}
