import { asList, asObject, asText, type JsonObject, type UnknownObject } from '../../base/json';
import { matchingVolume, satisfies } from '../../cluster/storage/matchingVolume';
import { isReservedFor, storageOf, type VolumeClaimModel, type VolumeModel } from '../../cluster/storage/volumes';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import type { RuleContext } from '../framework/rule';

/** Readers of PersistentVolumes that exist before their claims, and of the claims that want them. */

/** A claim that is written, or the claims that a StatefulSet makes from one of its templates. */
export interface WrittenClaim {
  readonly object: WorkspaceObject;
  /** The claim; of a template, the claim of the first replica. */
  readonly value: JsonObject;
  readonly name: string;
  readonly count: number;
  /** The template's index; absent for a claim that is written. */
  readonly template?: number;
}

const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/** The class of a claim or a volume as written; '' means none. Only a claim that names its volume gets no default class. */
export function staticClassOf(value: JsonObject): string | undefined {
  const annotated = asText(asObject(fieldAt(value, 'metadata', 'annotations'))?.[CLASS_ANNOTATION]);
  const isNamed = asText(fieldAt(value, 'spec', 'volumeName')) !== undefined || value.kind === 'PersistentVolume';
  return annotated ?? asText(fieldAt(value, 'spec', 'storageClassName')) ?? (isNamed ? '' : undefined);
}

/** The claims of an object; replicas: of a StatefulSet. */
export function writtenClaims(object: WorkspaceObject, replicas: number): readonly WrittenClaim[] {
  const { kind, manifest, name = '', namespace = 'default' } = object;
  if (kind === 'PersistentVolumeClaim') return [{ object, value: manifest.value, name, count: 1 }];
  if (kind !== 'StatefulSet') return [];
  return asList(fieldAt(manifest.value, 'spec', 'volumeClaimTemplates')).flatMap((it, template) => {
    const value = asObject(it);
    const own = asText(fieldAt(value, 'metadata', 'name'));
    if (value === undefined || own === undefined) return [];
    const made = { ...asObject(value.metadata), name: `${own}-${name}-0`, namespace };
    return [{ object, value: { ...value, metadata: made }, name: own, count: replicas, template }];
  });
}

/** Why nothing makes a volume for claims of a class: `certain`, or only as far as the files say; undefined if something may. */
export function isStaticClass(
  name: string,
  { snapshot, isInCluster }: RuleContext,
): 'certain' | 'asWritten' | undefined {
  if (name === '') return 'certain';
  const found = snapshot.find('storage.k8s.io', 'StorageClass', undefined, name);
  if (found.length > 0) {
    const isStatic = found.every(it => it.manifest.value.provisioner === 'kubernetes.io/no-provisioner');
    return isStatic ? 'certain' : undefined;
  }
  return isInCluster?.('storage.k8s.io', 'StorageClass', undefined, name) === true ? undefined : 'asWritten';
}

/** The volumes of a class, of the workspace and of the chosen cluster. */
export function volumesOfClass(name: string, { snapshot, clusterObjects }: RuleContext): readonly VolumeModel[] {
  const written: readonly UnknownObject[] = snapshot.objectsOf('', 'PersistentVolume').map(it => it.manifest.value);
  const others = clusterObjects?.('', 'PersistentVolume') ?? [];
  const ofClass = [...written, ...others].filter(it => staticClassOf(it as JsonObject) === name);
  return [...storageOf(new Map([['PersistentVolume', ofClass]]), () => undefined).volumes.values()];
}

/** What placement knows of a claim; undefined if it does not have the shape of its kind. */
export function modelOf({ value }: WrittenClaim): VolumeClaimModel | undefined {
  const { claims } = storageOf(new Map([['PersistentVolumeClaim', [value]]]), () => undefined);
  return [...claims.values()][0];
}

/** The names of the volumes that a claim would be bound to, each if it were the only one. Upstream: syncUnboundClaim. */
export function volumesFor(claim: VolumeClaimModel, volumes: readonly VolumeModel[]): readonly string[] {
  const fits = (it: VolumeModel): boolean =>
    claim.volumeName === ''
      ? matchingVolume(claim, [asAvailable(it)], () => true) !== undefined
      : it.name === claim.volumeName && it.claimRef === undefined && satisfies(it, claim);
  return volumes.filter(fits).map(it => it.name);
}

/** Whether a claim has its volume: it is bound, or one is kept for it. */
export function isServed(claim: VolumeClaimModel, volumes: readonly VolumeModel[]): boolean {
  return claim.bound || volumes.some(it => isReservedFor(it, claim));
}

/** The PersistentVolume controller makes a new volume Available. */
function asAvailable(volume: VolumeModel): VolumeModel {
  const { source } = volume;
  return source.status?.phase === undefined
    ? { ...volume, source: { ...source, status: { ...source.status, phase: 'Available' } } }
    : volume;
}
