import { compareQuantities, zeroQuantity } from '../../kube/quantity';
import { isReservedFor, type VolumeClaimModel, type VolumeModel } from './volumes';

/**
 * The volume for an unbound claim: one that is reserved for it, otherwise the smallest that is large enough. `isNear`:
 * whether the node in question reaches a volume. Upstream: FindMatchingVolume.
 */
export function matchingVolume(
  claim: VolumeClaimModel,
  volumes: Iterable<VolumeModel>,
  isNear: (volume: VolumeModel) => boolean,
): VolumeModel | undefined {
  let smallest: VolumeModel | undefined;
  for (const volume of volumes) {
    if (volume.claimRef && !isReservedFor(volume, claim)) continue;
    if (!serves(volume, claim) || volume.source.metadata?.deletionTimestamp) continue;
    if (isReservedFor(volume, claim)) return isNear(volume) ? volume : undefined;
    if (volume.source.status?.phase !== 'Available' || !isNear(volume)) continue;
    if (claim.selector && !claim.selector.matches(volume.source.metadata?.labels)) continue;
    if (volume.className !== claim.className || !hasModes(volume, claim)) continue;
    if (!smallest || compareQuantities(smallest.capacity, volume.capacity) > 0) smallest = volume;
  }
  return smallest;
}

/** Whether a claim may use the volume that it names. Upstream: checkVolumeSatisfyClaim. */
export function satisfies(volume: VolumeModel, claim: VolumeClaimModel): boolean {
  const isGoing = volume.source.metadata?.deletionTimestamp !== undefined;
  const isLike = volume.className === claim.className && hasModes(volume, claim);
  return !isGoing && isLike && serves(volume, claim);
}

/** Size, mode and attributes are checked even for a volume that is reserved for a claim. */
function serves({ capacity, source }: VolumeModel, claim: VolumeClaimModel): boolean {
  const [has, wanted] = [source.spec, claim.source.spec];
  return (
    compareQuantities(capacity, claim.request ?? zeroQuantity) >= 0 &&
    (wanted?.volumeMode ?? 'Filesystem') === (has?.volumeMode ?? 'Filesystem') &&
    (wanted?.volumeAttributesClassName ?? '') === (has?.volumeAttributesClassName ?? '')
  );
}

export const hasModes = ({ source }: VolumeModel, { accessModes }: VolumeClaimModel): boolean =>
  accessModes.every(it => source.spec?.accessModes?.includes(it));
