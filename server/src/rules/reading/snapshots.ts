import { asObject, asText, type JsonObject } from '../../base/json';
import { type Quantity, quantityOf } from '../../kube/quantity';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import { NAMED } from '../../workspace/references/kinds';
import type { KindName } from '../../workspace/references/row';
import type { Snapshot } from '../../workspace/workspace';

/** Readers of claims, VolumeSnapshots and their classes. */

/** The one object of a kind and name; undefined if there is none, or more than one. */
export function oneNamed(
  snapshot: Snapshot,
  { group, kind, scope }: KindName,
  namespace: string | undefined,
  name: string | undefined,
): WorkspaceObject | undefined {
  if (name === undefined) return undefined;
  const [found, ...others] = snapshot.find(group, kind, scope === 'cluster' ? undefined : namespace, name);
  return others.length === 0 ? found : undefined;
}

/** What is known of a volume that a claim asks for. */
export interface VolumeFacts {
  readonly size: Quantity | undefined;
  readonly mode: 'Filesystem' | 'Block' | undefined;
  /** The name of the CSI driver. */
  readonly driver: string | undefined;
}

/** The volume of a claim. Its size is at least what is asked for. */
export function volumeOf(claim: JsonObject, snapshot: Snapshot): VolumeFacts {
  const spec = asObject(claim.spec) ?? {};
  const volume = oneNamed(snapshot, NAMED.volume, undefined, asText(spec.volumeName))?.manifest.value;
  const ofClass = oneNamed(snapshot, NAMED.storageClass, undefined, asText(spec.storageClassName))?.manifest.value;
  const written = fieldAt(volume, 'spec', 'capacity', 'storage') ?? fieldAt(spec, 'resources', 'requests', 'storage');
  const mode = spec.volumeMode ?? 'Filesystem';
  return {
    size: written === undefined ? undefined : quantityOf(written),
    mode: mode === 'Filesystem' || mode === 'Block' ? mode : undefined,
    driver: asText(fieldAt(volume, 'spec', 'csi', 'driver')) ?? asText(ofClass?.provisioner),
  };
}

export interface SnapshotFacts extends VolumeFacts {
  /** Whether the content lets a claim have another volumeMode; undefined if the content is not written. */
  readonly mayChangeMode: boolean | undefined;
}

/** What is known of a VolumeSnapshot: from its content, its class and the claim that it is taken of. */
export function snapshotFacts({ namespace, manifest }: WorkspaceObject, snapshot: Snapshot): SnapshotFacts {
  const spec = asObject(manifest.value.spec);
  const source = asObject(spec?.source);
  const claim = oneNamed(snapshot, NAMED.claim, namespace, asText(source?.persistentVolumeClaimName));
  const content = oneNamed(snapshot, NAMED.snapshotContent, undefined, asText(source?.volumeSnapshotContentName));
  const ofClass = oneNamed(snapshot, NAMED.snapshotClass, undefined, asText(spec?.volumeSnapshotClassName));
  const ofClaim = claim && volumeOf(claim.manifest.value, snapshot);
  const restoreSize = fieldAt(manifest.value, 'status', 'restoreSize');
  const mode = fieldAt(content?.manifest.value, 'spec', 'sourceVolumeMode');
  const allowed = asObject(fieldAt(content?.manifest.value, 'metadata', 'annotations'))?.[ALLOW_MODE_CHANGE];
  return {
    size: restoreSize === undefined ? ofClaim?.size : quantityOf(restoreSize),
    mode: mode === 'Filesystem' || mode === 'Block' ? mode : ofClaim?.mode,
    driver: asText(fieldAt(content?.manifest.value, 'spec', 'driver')) ?? asText(ofClass?.manifest.value.driver),
    mayChangeMode: content === undefined ? undefined : allowed === 'true',
  };
}

export const ALLOW_MODE_CHANGE = 'snapshot.storage.kubernetes.io/allow-volume-mode-change';
