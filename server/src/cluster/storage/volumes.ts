import type { UnknownObject } from '../../base/json';
import { grouped } from '../../base/multiMap';
import { type LabelMatcher, labelMatcher, type NodeMatcher, nodeSelectorMatcher } from '../../kube/labelSelector';
import { type Quantity, quantityOf, zeroQuantity } from '../../kube/quantity';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  ObjectMeta,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
  Volume,
  VolumeAttachment,
} from '../../kube/types';
import type { Note } from '../pods/note';
import { migratedTopology } from './migration';

/** A PersistentVolume with everything precomputed that placement reads often. Immutable. */
export interface VolumeModel {
  readonly name: string;
  readonly className: string;
  readonly capacity: Quantity;
  /** Absent: every node can use it. */
  readonly affinity?: NodeMatcher;
  /** Replaces `affinity` on nodes where the volume's in-tree plugin is migrated. */
  readonly migrated?: { readonly plugin: string; readonly affinity?: NodeMatcher; readonly error?: string };
  readonly claimRef?: { readonly namespace: string; readonly name: string; readonly uid: string };
  readonly source: PersistentVolume;
}

/** A PersistentVolumeClaim with everything precomputed that placement reads often. Immutable. */
export interface VolumeClaimModel {
  /** NAMESPACE/NAME */
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** Empty: none. */
  readonly className: string;
  /** Absent: the claim requests no size. */
  readonly request?: Quantity;
  readonly selector?: LabelMatcher;
  readonly accessModes: readonly string[];
  /** Empty: not bound. */
  readonly volumeName: string;
  /** The volume controller has finished binding. */
  readonly bound: boolean;
  /** Empty: the scheduler has not chosen one yet. */
  readonly selectedNode: string;
  readonly source: PersistentVolumeClaim;
}

export interface CapacityModel {
  readonly className: string;
  readonly topology?: LabelMatcher;
  readonly capacity?: Quantity;
  readonly maximumVolumeSize?: Quantity;
}

/** All volumes, claims and classes at one moment. Immutable. */
export interface StorageModel {
  /** NAMESPACE/NAME → claim */
  readonly claims: ReadonlyMap<string, VolumeClaimModel>;
  readonly volumes: ReadonlyMap<string, VolumeModel>;
  /** Storage class → names of the volumes that existed at the start. */
  readonly volumesOfClass: ReadonlyMap<string, readonly string[]>;
  readonly classes: ReadonlyMap<string, StorageClass>;
  readonly csiNodes: ReadonlyMap<string, CSINode>;
  readonly csiDrivers: ReadonlyMap<string, CSIDriver>;
  readonly capacities: readonly CapacityModel[];
  /** Node → its attachments. */
  readonly attachments: ReadonlyMap<string, readonly VolumeAttachment[]>;
}

const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';

/** Objects with invalid types are left out and reported to `onNote`. */
export function storageOf(
  byKind: ReadonlyMap<string, readonly UnknownObject[]>,
  onNote: (note: Note) => void,
): StorageModel {
  const models = <T extends { readonly metadata?: ObjectMeta }, R>(kind: string, make: (it: T) => R): readonly R[] =>
    ((byKind.get(kind) ?? []) as readonly T[]).flatMap(it => {
      try {
        return [make(it)];
      } catch {
        const name = it.metadata?.name ?? 'without a name';
        onNote({ message: `${kind} ${name} does not have the shape of its kind, so it is left out.` });
        return [];
      }
    });
  const named = <T extends { readonly metadata?: ObjectMeta }>(
    kind: string,
    listsOf: (it: T) => readonly unknown[],
  ): ReadonlyMap<string, T> =>
    new Map(
      models<T, [string, T]>(kind, it => {
        if (!listsOf(it).every(list => list === undefined || Array.isArray(list))) throw new TypeError('not a list');
        return [it.metadata?.name ?? '', it];
      }),
    );
  const volumes = models('PersistentVolume', volumeModel);
  return {
    claims: new Map(models('PersistentVolumeClaim', claimModel).map(it => [it.id, it])),
    volumes: new Map(volumes.map(it => [it.name, it])),
    volumesOfClass: new Map(
      [...grouped(volumes, it => it.className)].map(([name, them]) => [name, them.map(it => it.name)]),
    ),
    classes: named<StorageClass>('StorageClass', it => [
      it.allowedTopologies,
      ...(it.allowedTopologies ?? []).flatMap(term => [
        term.matchLabelExpressions,
        ...(term.matchLabelExpressions ?? []).map(wanted => wanted.values),
      ]),
    ]),
    csiNodes: named<CSINode>('CSINode', it => [
      it.spec?.drivers,
      ...(it.spec?.drivers ?? []).map(driver => driver.topologyKeys),
    ]),
    csiDrivers: named<CSIDriver>('CSIDriver', () => []),
    capacities: models('CSIStorageCapacity', capacityModel),
    attachments: grouped(
      models('VolumeAttachment', (it: VolumeAttachment) => it),
      it => it.spec?.nodeName ?? '',
    ),
  };
}

/** The storage after claims were bound and volumes changed or created. */
export function withBindings(
  storage: StorageModel,
  claims: readonly VolumeClaimModel[],
  volumes: readonly VolumeModel[],
): StorageModel {
  return {
    ...storage,
    claims: new Map([...storage.claims, ...claims.map((it): [string, VolumeClaimModel] => [it.id, it])]),
    volumes: new Map([...storage.volumes, ...volumes.map((it): [string, VolumeModel] => [it.name, it])]),
  };
}

export function volumeModel(volume: PersistentVolume): VolumeModel {
  const { metadata, spec } = volume;
  const required = spec?.nodeAffinity?.required;
  const ref = spec?.claimRef;
  const { required: translated, ...migrated } = migratedTopology(volume) ?? {};
  return {
    name: metadata?.name ?? '',
    className: metadata?.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName ?? '',
    capacity: quantityOf(spec?.capacity?.storage) ?? zeroQuantity,
    ...(required && { affinity: nodeSelectorMatcher(required) }),
    ...('plugin' in migrated && {
      migrated: { ...migrated, ...(translated && { affinity: nodeSelectorMatcher(translated) }) },
    }),
    ...(ref && { claimRef: { namespace: ref.namespace ?? '', name: ref.name ?? '', uid: ref.uid ?? '' } }),
    source: { ...volume, spec: { ...spec, accessModes: listOf(spec?.accessModes) } },
  };
}

function claimModel(claim: PersistentVolumeClaim): VolumeClaimModel {
  const { metadata, spec } = claim;
  const namespace = metadata?.namespace ?? 'default';
  const name = metadata?.name ?? '';
  const request = quantityOf(spec?.resources?.requests?.storage);
  const volumeName = spec?.volumeName ?? '';
  return {
    id: `${namespace}/${name}`,
    name,
    namespace,
    uid: metadata?.uid ?? '',
    className: metadata?.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName ?? '',
    ...(request && { request }),
    ...(spec?.selector && { selector: labelMatcher(spec.selector) }),
    accessModes: listOf(spec?.accessModes),
    volumeName,
    bound: volumeName !== '' && metadata?.annotations?.[BIND_COMPLETED] !== undefined,
    selectedNode: metadata?.annotations?.[SELECTED_NODE] ?? '',
    source: claim,
  };
}

function capacityModel(it: CSIStorageCapacity): CapacityModel {
  const capacity = quantityOf(it.capacity);
  const maximumVolumeSize = quantityOf(it.maximumVolumeSize);
  return {
    className: it.storageClassName ?? '',
    ...(it.nodeTopology && { topology: labelMatcher(it.nodeTopology) }),
    ...(capacity && { capacity }),
    ...(maximumVolumeSize && { maximumVolumeSize }),
  };
}

/** The claim that a Pod's volume names or owns; undefined for any other volume. */
export function claimNameOf(podName: string, volume: Volume): string | undefined {
  if (volume.persistentVolumeClaim) return volume.persistentVolumeClaim.claimName ?? '';
  return volume.ephemeral ? `${podName}-${volume.name ?? ''}` : undefined;
}

/** Upstream: volume.IsVolumeBoundToClaim. */
export function isReservedFor({ claimRef }: VolumeModel, claim: VolumeClaimModel): boolean {
  if (!claimRef || claimRef.name !== claim.name || claimRef.namespace !== claim.namespace) return false;
  return claimRef.uid === '' || claimRef.uid === claim.uid;
}

function listOf(value: readonly string[] | undefined): readonly string[] {
  return Array.isArray(value) ? value : [];
}
