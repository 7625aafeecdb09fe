import type { JsonObject } from '../../../../base/json';
import {
  entries,
  type GoFields,
  get,
  has,
  mapField,
  optionalText,
  record,
  text,
  texts,
  withDefault,
  without,
} from '../../../../kube/goFields';
import type { Kube } from '../../../../kube/kube';
import { dns1123LabelErrors, dns1123SubdomainErrors } from '../../../../kube/names';
import { formatQuantity, type Quantity, quantityMilliInt64 } from '../../../../kube/quantity';
import { FieldPath } from '../../../../manifest/fieldPath';
import { defaultAmounts } from '../amounts';
import {
  type FieldError,
  forbidden,
  invalid,
  invalids,
  type KindStrategy,
  notSupported,
  required,
  type Validation,
} from '../errors';
import { isEnabled } from '../gates';
import { validateLabelSelector, validateNameFn, validateObjectMeta } from '../metadata';
import { type Dropped, dropStatus } from '../shared/drops';
import { annotationsOf } from '../shared/labels';
import { amountOf, positiveErrors } from '../shared/resources';

export const accessModes = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'];
export const volumeModes = ['Block', 'Filesystem'];

/** The errors of a claim's or volume's access modes, besides a missing list. */
export function accessModeErrors(modes: readonly string[], at: FieldPath): readonly FieldError[] {
  const known = modes.filter(it => accessModes.includes(it));
  const mixed = known.includes('ReadWriteOncePod') && known.some(it => it !== 'ReadWriteOncePod');
  return [
    ...modes.filter(it => !accessModes.includes(it)).map(it => notSupported(at, it, accessModes)),
    ...(mixed ? [forbidden(at, 'may not use ReadWriteOncePod with other access modes')] : []),
  ];
}

/**
 * Errors of the spec of a claim or claim template. Of fields with a gate, templates alone keep what the gate turns off.
 * Upstream: ValidatePersistentVolumeClaimSpec.
 */
export function claimSpecErrors(spec: GoFields, at: FieldPath, kube: Kube): readonly FieldError[] {
  const modes = texts(spec, 'accessModes');
  const volumeMode = optionalText(spec, 'volumeMode');
  return [
    ...(modes.length === 0 ? [required(at.child('accessModes'), 'at least 1 access mode is required')] : []),
    ...validateLabelSelector(record(spec, 'selector'), at.child('selector')),
    ...accessModeErrors(modes, at.child('accessModes')),
    ...storageErrors(spec, at.child('resources').key('storage')),
    ...classNameErrors(text(spec, 'storageClassName'), at.child('storageClassName')),
    ...(volumeMode === undefined || volumeModes.includes(volumeMode)
      ? []
      : [notSupported(at.child('volumeMode'), volumeMode, volumeModes)]),
    ...dataSourceErrors(spec, at),
    ...(isEnabled('VolumeAttributesClass', kube)
      ? classNameErrors(text(spec, 'volumeAttributesClassName'), at.child('volumeAttributesClassName'))
      : []),
  ];
}

function storageErrors(spec: GoFields, at: FieldPath): readonly FieldError[] {
  const requests = record(record(spec, 'resources'), 'requests');
  if (requests === undefined || !Object.hasOwn(requests, 'storage')) return [required(at)];
  return positiveErrors(requests.storage, at);
}

/** Errors of a non-empty class name. Upstream: ValidateClassName. */
export function classNameErrors(name: string, at: FieldPath): readonly FieldError[] {
  return name === '' ? [] : invalids(at, name, dns1123SubdomainErrors(name));
}

function dataSourceErrors(spec: GoFields, at: FieldPath): readonly FieldError[] {
  const source = record(spec, 'dataSource');
  const reference = record(spec, 'dataSourceRef');
  const namespace = text(reference, 'namespace');
  return [
    ...(source === undefined ? [] : sourceErrors(source, at.child('dataSource'))),
    ...(reference === undefined ? [] : sourceErrors(reference, at.child('dataSourceRef'))),
    ...(namespace === ''
      ? []
      : invalids(at.child('dataSourceRef', 'namespace'), namespace, dns1123LabelErrors(namespace))),
    ...contradictionErrors(source, reference, at),
  ];
}

function sourceErrors(source: JsonObject, at: FieldPath): readonly FieldError[] {
  const group = text(source, 'apiGroup');
  const kind = text(source, 'kind');
  const claimOnly = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
  return [
    ...(text(source, 'name') === '' ? [required(at.child('name'))] : []),
    ...(kind === '' ? [required(at.child('kind'))] : []),
    ...(group === '' && kind !== 'PersistentVolumeClaim' ? [invalid(at, kind, claimOnly)] : []),
    ...classNameErrors(group, at.child('apiGroup')),
  ];
}

function contradictionErrors(source: GoFields, reference: GoFields, at: FieldPath): readonly FieldError[] {
  if (source === undefined || reference === undefined) return [];
  const written = at.child('dataSource').toString();
  if (text(reference, 'namespace') !== '') {
    return [invalid(at, written, 'may not be specified when dataSourceRef.namespace is specified')];
  }
  const same =
    optionalText(source, 'apiGroup') === optionalText(reference, 'apiGroup') &&
    text(source, 'kind') === text(reference, 'kind') &&
    text(source, 'name') === text(reference, 'name');
  return same ? [] : [invalid(at, written, 'must match dataSourceRef')];
}

/** The defaults of a claim's spec. Upstream: SetDefaults_PersistentVolumeClaimSpec. */
export function claimSpecDefaults(spec: JsonObject): JsonObject {
  return mapField(withDefault(spec, 'volumeMode', 'Filesystem'), 'resources', defaultAmounts);
}

/** Upstream: persistentvolumeclaim.DropDisabledFields, EnforceDataSourceBackwardsCompatibility, NormalizeDataSources. */
function dropSources(object: JsonObject, validation: Validation): Dropped {
  const spec = record(object, 'spec');
  if (spec === undefined) return { object, dropped: [] };
  const referenceGone =
    text(record(spec, 'dataSourceRef'), 'namespace') !== '' && !validation.isOn('CrossNamespaceVolumeDataSource');
  const kept = referenceGone ? without(spec, 'dataSourceRef') : spec;
  const source = record(kept, 'dataSource');
  const sourceGone = source !== undefined && get(kept, 'dataSourceRef') === undefined && !isOldSource(source);
  const left = sourceGone ? without(kept, 'dataSource') : kept;
  const normal = normalized(left);
  const dropped = [
    ...(sourceGone ? [FieldPath.of('spec', 'dataSource')] : []),
    ...(referenceGone ? lostOf(record(spec, 'dataSourceRef'), record(normal, 'dataSourceRef')) : []),
  ];
  return { object: { ...object, spec: normal }, dropped };
}

/** The whole reference, or the fields that the copy of dataSource lacks, which always has a kind and a name. */
function lostOf(before: GoFields, after: GoFields): readonly FieldPath[] {
  const at = FieldPath.of('spec', 'dataSourceRef');
  if (after === undefined) return [at];
  return ['apiGroup', 'namespace'].filter(it => has(before, it) && !has(after, it)).map(it => at.child(it));
}

function isOldSource(source: JsonObject): boolean {
  const group = text(source, 'apiGroup');
  const kind = text(source, 'kind');
  if (kind === 'PersistentVolumeClaim') return group === '';
  return kind === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io';
}

/** Upstream: persistentvolumeclaim.NormalizeDataSources. */
function normalized(spec: JsonObject): JsonObject {
  const source = record(spec, 'dataSource');
  const reference = record(spec, 'dataSourceRef');
  if (source !== undefined && reference === undefined) return { ...spec, dataSourceRef: source };
  if (source === undefined && reference !== undefined && text(reference, 'namespace') === '') {
    return { ...spec, dataSource: without(reference, 'namespace') };
  }
  return spec;
}

/** Upstream: GetWarningsForPersistentVolumeClaimSpec. `at` is the path of the spec. */
export function claimSpecWarnings(spec: GoFields, at: FieldPath): readonly string[] {
  return ['requests', 'limits'].flatMap(list =>
    entries(record(spec, 'resources'), list)
      .filter(([name]) => name === 'storage')
      .filter(([, value]) => isFractional(amountOf(value)))
      .map(([, value]) => {
        const written = formatQuantity(amountOf(value));
        return `${at.child('resources', list).key('storage')}: fractional byte value "${written}" is invalid, must be an integer`;
      }),
  );
}

/** Upstream compares thousandths as int64, so a huge amount can count as a fraction. */
function isFractional(q: Quantity): boolean {
  return quantityMilliInt64(q) % 1000n !== 0n;
}

export const claimStrategy: KindStrategy = {
  defaults: object => mapField(object.spec === undefined ? { ...object, spec: {} } : object, 'spec', claimSpecDefaults),
  drop: (object, validation) => {
    const bare = dropStatus(object);
    const result = dropSources(bare.object, validation);
    return { object: result.object, dropped: [...bare.dropped, ...result.dropped] };
  },
  validate: (object, { kube }) => [
    ...validateObjectMeta(object, 'namespaced', validateNameFn.subdomain),
    ...claimSpecErrors(record(object, 'spec'), FieldPath.of('spec'), kube),
  ],
  warn: object => [
    ...(Object.hasOwn(annotationsOf(object), 'volume.beta.kubernetes.io/storage-class')
      ? [
          'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
        ]
      : []),
    ...claimSpecWarnings(record(object, 'spec'), FieldPath.of('spec')),
  ],
};
