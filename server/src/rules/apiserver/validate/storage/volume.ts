import type { JsonObject } from '../../../../base/json';
import {
  entries,
  type GoFields,
  get,
  has,
  mapField,
  optionalText,
  record,
  records,
  text,
  texts,
  withDefault,
} from '../../../../kube/goFields';
import type { Kube } from '../../../../kube/kube';
import { quantityInt64 } from '../../../../kube/quantity';
import { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, forbidden, invalid, type KindStrategy, notSupported, required } from '../errors';
import { isEnabled } from '../gates';
import { validateNameFn, validateObjectMeta } from '../metadata';
import { resetStatus } from '../shared/drops';
import { annotationsOf, deprecatedExpressionKeys, nodeSelectorErrors, requiredValues } from '../shared/labels';
import { amountOf, positiveErrors } from '../shared/resources';
import { accessModeErrors, classNameErrors, volumeModes } from './claim';
import { csiVolumeErrors } from './csiSources';
import { withSourceDefaults } from './sourceDefaults';
import { type SourceHolder, type SourceType, sourceErrors } from './sourceUnion';
import { localErrors, sharedSources } from './volumeSources';

/** Whether a spec is in a PersistentVolume or inline in a VolumeAttachment, which forbids most of it. */
export type VolumeSpecUse = 'object' | 'inline';

const reclaimPolicies = ['Delete', 'Recycle', 'Retain'];
const inlineOnly = 'may not be specified in the context of inline volumes';

/** Upstream: ValidatePersistentVolumeSpec. */
export function volumeSpecErrors(
  spec: GoFields,
  name: string,
  place: VolumeSpecUse,
  at: FieldPath,
  kube: Kube,
): readonly FieldError[] {
  const modes = texts(spec, 'accessModes');
  return [
    ...(place === 'inline' ? inlineErrors(spec, at) : []),
    ...(modes.length === 0 ? [required(at.child('accessModes'))] : []),
    ...accessModeErrors(modes, at.child('accessModes')),
    ...(place === 'object' ? capacityErrors(spec, at.child('capacity')) : []),
    ...reclaimPolicyErrors(
      text(spec, 'persistentVolumeReclaimPolicy'),
      place,
      at.child('persistentVolumeReclaimPolicy'),
    ),
    ...nodeAffinityErrors(spec, place, at.child('nodeAffinity'), kube),
    ...sourceErrors(sources, spec, { kind: 'persistentVolume', name, kube }, at),
    ...unboundLocalErrors(spec, place, at),
    ...recycledRootErrors(spec, at),
    ...storageClassErrors(spec, place, at.child('storageClassName')),
    ...volumeModeErrors(optionalText(spec, 'volumeMode'), place, at.child('volumeMode')),
    ...(isEnabled('VolumeAttributesClass', kube) ? attributesClassErrors(spec, at) : []),
  ];
}

function inlineErrors(spec: GoFields, at: FieldPath): readonly FieldError[] {
  return [
    ...(has(spec, 'claimRef') ? [forbidden(at.child('claimRef'), inlineOnly)] : []),
    ...(entries(spec, 'capacity').length > 0 ? [forbidden(at.child('capacity'), inlineOnly)] : []),
    ...(has(spec, 'csi') ? [] : [required(at.child('csi'), 'has to be specified in the context of inline volumes')]),
  ];
}

function capacityErrors(spec: GoFields, at: FieldPath): readonly FieldError[] {
  const capacity = entries(spec, 'capacity');
  const onlyStorage = capacity.length === 1 && capacity[0]?.[0] === 'storage';
  return [
    ...(capacity.length === 0 ? [required(at)] : []),
    ...(onlyStorage ? [] : [notSupported(at, record(spec, 'capacity') ?? null, ['storage'])]),
    ...capacity.flatMap(([name, value]) => [
      ...(quantityInt64(amountOf(value)) < 0n
        ? [invalid(at.key(name), value, 'must be a valid resource quantity')]
        : []),
      ...positiveErrors(value, at.key(name)),
    ]),
  ];
}

function reclaimPolicyErrors(policy: string, place: VolumeSpecUse, at: FieldPath): readonly FieldError[] {
  if (policy === '') return [];
  if (place === 'object') return reclaimPolicies.includes(policy) ? [] : [notSupported(at, policy, reclaimPolicies)];
  return policy === 'Retain' ? [] : [forbidden(at, 'may only be Retain in the context of inline volumes')];
}

function nodeAffinityErrors(spec: GoFields, place: VolumeSpecUse, at: FieldPath, kube: Kube): readonly FieldError[] {
  const affinity = record(spec, 'nodeAffinity');
  if (affinity === undefined) return [];
  if (place === 'inline') return [forbidden(at, inlineOnly)];
  const selector = record(affinity, 'required');
  if (selector === undefined) return [required(at.child('required'), 'must specify required node constraints')];
  return nodeSelectorErrors(selector, at.child('required'), requiredValues(kube));
}

/** In upstream's order: of several sources, all but the first are refused. */
const sources: readonly SourceType<SourceHolder>[] = [
  sharedSources.hostPath,
  sharedSources.gcePersistentDisk,
  sharedSources.awsElasticBlockStore,
  sharedSources.glusterfs,
  sharedSources.flocker,
  sharedSources.nfs,
  sharedSources.rbd,
  sharedSources.quobyte,
  sharedSources.cephfs,
  sharedSources.iscsi,
  sharedSources.cinder,
  sharedSources.fc,
  { ...sharedSources.flexVolume, beside: 'others' },
  sharedSources.azureFile,
  sharedSources.vsphereVolume,
  sharedSources.photonPersistentDisk,
  sharedSources.portworxVolume,
  sharedSources.azureDisk,
  sharedSources.scaleIO,
  { field: 'local', errors: localErrors },
  sharedSources.storageos,
  { field: 'csi', errors: (it, at, { kube }) => csiVolumeErrors(it, at, kube) },
];

/** A PersistentVolume with a local volume must give its nodes. */
function unboundLocalErrors(spec: GoFields, place: VolumeSpecUse, at: FieldPath): readonly FieldError[] {
  const first = sources.find(it => has(spec, it.field))?.field;
  const isBound = place === 'object' && has(spec, 'nodeAffinity');
  if (first !== 'local' || isBound) return [];
  return [required(at.child('nodeAffinity'), 'Local volume requires node affinity')];
}

function recycledRootErrors(spec: GoFields, at: FieldPath): readonly FieldError[] {
  if (text(spec, 'persistentVolumeReclaimPolicy') !== 'Recycle' || !has(spec, 'hostPath')) return [];
  if (!isRoot(text(record(spec, 'hostPath'), 'path'))) return [];
  return [forbidden(at.child('persistentVolumeReclaimPolicy'), "may not be 'recycle' for a hostPath mount of '/'")];
}

/** Whether Go's path.Clean turns a path into "/". */
function isRoot(path: string): boolean {
  if (!path.startsWith('/')) return false;
  const depth = path.split('/').reduce((kept, part) => {
    if (part === '' || part === '.') return kept;
    return part === '..' ? Math.max(0, kept - 1) : kept + 1;
  }, 0);
  return depth === 0;
}

function storageClassErrors(spec: GoFields, place: VolumeSpecUse, at: FieldPath): readonly FieldError[] {
  const name = text(spec, 'storageClassName');
  if (name !== '' && place === 'inline') return [forbidden(at, inlineOnly)];
  return classNameErrors(name, at);
}

function volumeModeErrors(mode: string | undefined, place: VolumeSpecUse, at: FieldPath): readonly FieldError[] {
  if (mode === undefined) return [];
  if (place === 'object') return volumeModes.includes(mode) ? [] : [notSupported(at, mode, volumeModes)];
  if (mode === 'Filesystem') return [];
  return [forbidden(at, 'may not specify volumeMode other than Filesystem in the context of inline volumes')];
}

function attributesClassErrors(spec: GoFields, at: FieldPath): readonly FieldError[] {
  const name = optionalText(spec, 'volumeAttributesClassName');
  if (name === undefined) return [];
  const nameAt = at.child('volumeAttributesClassName');
  return [
    ...(name === '' ? [required(nameAt, 'an empty string is disallowed')] : classNameErrors(name, nameAt)),
    ...(has(spec, 'csi')
      ? []
      : [required(at.child('csi'), 'has to be specified when using volumeAttributesClassName')]),
  ];
}

/** Upstream: SetObjectDefaults_PersistentVolume. */
function defaultsOf(object: JsonObject): JsonObject {
  return mapField(object, 'spec', spec => {
    const policy =
      text(spec, 'persistentVolumeReclaimPolicy') === '' ? { persistentVolumeReclaimPolicy: 'Retain' } : {};
    return withSourceDefaults(withDefault({ ...spec, ...policy }, 'volumeMode', 'Filesystem'));
  });
}

const deprecatedSources: readonly (readonly [string, string, string])[] = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

const deprecatedAnnotations: readonly (readonly [string, string])[] = [
  ['volume.beta.kubernetes.io/storage-class', 'deprecated since v1.8; use "storageClassName" attribute instead'],
  ['volume.beta.kubernetes.io/mount-options', 'deprecated since v1.31; use "mountOptions" attribute instead'],
];

/** Upstream: GetWarningsForPersistentVolume. */
function warningsOf(object: JsonObject): readonly string[] {
  const spec = record(object, 'spec');
  const recycled =
    'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
  const terms = FieldPath.of('spec', 'nodeAffinity', 'required', 'nodeSelectorTerms');
  return [
    ...deprecatedAnnotations
      .filter(([key]) => Object.hasOwn(annotationsOf(object), key))
      .map(([key, message]) => `metadata.annotations[${key}]: ${message}`),
    ...(text(spec, 'persistentVolumeReclaimPolicy') === 'Recycle' ? [recycled] : []),
    ...records(record(record(spec, 'nodeAffinity'), 'required'), 'nodeSelectorTerms').flatMap((it, i) =>
      deprecatedExpressionKeys(it, terms.index(i)),
    ),
    ...deprecatedSources
      .filter(([field]) => has(spec, field))
      .map(([, printed, message]) => `spec.${printed}: ${message}`),
  ];
}

const mountOptionsAnnotation = 'volume.beta.kubernetes.io/mount-options';
const mountableSources = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
];

/** Upstream: pkg/volume/validation.ValidatePersistentVolume. */
function mountOptionErrors(object: JsonObject): readonly FieldError[] {
  const options = get(annotationsOf(object), mountOptionsAnnotation);
  const spec = record(object, 'spec');
  if (options === undefined || mountableSources.some(it => has(spec, it))) return [];
  const at = FieldPath.of('metadata', 'annotations', mountOptionsAnnotation);
  return [forbidden(at, 'may not specify mount options for this volume type')];
}

export const volumeStrategy: KindStrategy = {
  defaults: defaultsOf,
  drop: it => resetStatus(it, { phase: 'Pending' }),
  validate: (object, { kube }) => [
    ...validateObjectMeta(object, 'cluster', validateNameFn.subdomain),
    ...volumeSpecErrors(
      record(object, 'spec'),
      text(record(object, 'metadata'), 'name'),
      'object',
      FieldPath.of('spec'),
      kube,
    ),
    ...mountOptionErrors(object),
  ],
  warn: warningsOf,
};
