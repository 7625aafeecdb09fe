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
  return free.bestFor(claim, isDelayed ? 'reserved' : 'any');
}

/** The volumes that no claim has, and those that are reserved for one. */
interface FreeVolumes {
  /** The volume for a claim: of those with the fewest access modes one that is reserved for it, else the smallest. */
  bestFor(claim: VolumeClaimModel, wanted: 'any' | 'reserved'): VolumeModel | undefined;
  take(volume: VolumeModel): void;
}

/** Volumes with equal access modes. */
interface Alike {
  readonly modes: readonly string[];
  readonly reserved: VolumeModel[];
  /** The smallest first. */
  readonly free: readonly VolumeModel[];
}

/** Sorted once, since each claim looks for the smallest. */
function freeVolumes(all: readonly VolumeModel[]): FreeVolumes {
  const unclaimed = all.filter(it => it.claimRef === undefined);
  const positions = new Map(all.map((it, i) => [it, i]));
  const reserved = grouped(
    all.filter(it => it.claimRef !== undefined),
    ({ claimRef }) => `${claimRef?.namespace}/${claimRef?.name}`,
  );
  const bySize = (a: VolumeModel, b: VolumeModel): number => compareQuantities(a.capacity, b.capacity);
  const groups = new Map([...grouped(unclaimed, groupOf)].map(([key, it]) => [key, it.toSorted(bySize)]));
  const byClass = grouped(groups.values(), ([first]) => first!.className);
  const firstIn = (volumes: readonly VolumeModel[]): number =>
    volumes.reduce((first, it) => Math.min(first, positions.get(it) ?? 0), all.length);
  const earliestIn = (it: Alike): number => Math.min(firstIn(it.reserved), firstIn(it.free));
  const alikeFor = (claim: VolumeClaimModel, wanted: 'any' | 'reserved'): readonly Alike[] => {
    const ofClass = wanted === 'any' ? (byClass.get(claim.className) ?? []) : [];
    const able = ofClass.flatMap((free): readonly Alike[] => {
      const [first] = free;
      return first !== undefined && hasModes(first, claim) ? [{ modes: modesOf(first), reserved: [], free }] : [];
    });
    const byModes = new Map(able.map(it => [it.modes.join(), it]));
    for (const volume of reserved.get(claim.id) ?? []) {
      if (!isReservedFor(volume, claim) || !hasModes(volume, claim)) continue;
      const modes = modesOf(volume);
      const alike = byModes.get(modes.join()) ?? { modes, reserved: [], free: [] };
      alike.reserved.push(volume);
      byModes.set(modes.join(), alike);
    }
    return [...byModes.values()].sort((a, b) => a.modes.length - b.modes.length || earliestIn(a) - earliestIn(b));
  };
  const isMatch = (claim: VolumeClaimModel, volume: VolumeModel): boolean =>
    matchingVolume(claim, [volume], () => true) !== undefined;
  return {
    bestFor(claim, wanted) {
      for (const { reserved: own, free } of alikeFor(claim, wanted)) {
        const found = own.find(it => isMatch(claim, it)) ?? free.find(it => isMatch(claim, it));
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
