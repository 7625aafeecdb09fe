import type { JsonObject } from '../../../../../base/json';
import { has, optionalInt, record, records, text } from '../../../../../kube/goFields';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import { applies } from '../../../../minors/minorChange';
import { minorChanges } from '../../../../minors/minorChanges';
import { duplicate, type FieldError, forbidden, invalid, required, type Validation } from '../../errors';
import { descendingPath, label, oneOf } from '../../shared/checks';
import { amountOf } from '../../shared/resources';
import { csiPodErrors } from '../../storage/csiSources';
import { sessionNameErrors } from '../../storage/iscsi';
import { presentTypes, type SourceHolder, type SourceType, sourceErrors } from '../../storage/sourceUnion';
import { needing, sharedSources } from '../../storage/volumeSources';
import type { Volumes } from '../containers/mounts';
import { validateClaimName, validateEphemeral } from './ephemeralVolume';
import { validateProjected } from './projected';
import { namedFiles, validateDownwardAPI } from './volumeFiles';

/** The Pod or the template that the volumes belong to. */
export interface VolumesHolder {
  readonly kind: 'pod' | 'template';
  /** The Pod's name; empty for a template, whose Pods have no names yet. */
  readonly podName: string;
}

interface PodVolume extends SourceHolder {
  readonly of: VolumesHolder;
  readonly validation: Validation;
}

interface Answer {
  readonly errors: readonly FieldError[];
  readonly volumes: Volumes;
}

/** The errors of the volumes, and the volumes without errors. Upstream: core validation.ValidateVolumes. */
export function validateVolumes(
  spec: JsonObject,
  listPath: FieldPath,
  of: VolumesHolder,
  validation: Validation,
): Answer {
  const written = records(spec, 'volumes');
  const created = of.podName === '' ? [] : written.filter(it => has(it, 'ephemeral'));
  const createdClaims = new Set(created.map(it => `${of.podName}-${text(it, 'name')}`));
  const volumes = new Map<string, JsonObject>();
  const errors: FieldError[] = [];
  for (const [i, volume] of written.entries()) {
    const at = listPath.index(i);
    const name = text(volume, 'name');
    const found = [...validateVolume(volume, { kind: 'pod', name, kube: validation.kube, of, validation }, at)];
    if (volumes.has(name)) found.push(duplicate(at.child('name'), name));
    if (found.length === 0) volumes.set(name, volume);
    for (const each of found) errors.push(each);
    const claim = text(record(volume, 'persistentVolumeClaim'), 'claimName');
    if (createdClaims.has(claim)) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume';
      errors.push(invalid(at.child('persistentVolumeClaim', 'claimName'), claim, detail));
    }
  }
  return { errors, volumes };
}

/** In upstream's order: of several sources in one volume, all but the first are refused. */
const SOURCES: readonly SourceType<PodVolume>[] = [
  { field: 'emptyDir', errors: validateEmptyDir },
  sharedSources.hostPath,
  { field: 'gitRepo', errors: validateGitRepo },
  sharedSources.gcePersistentDisk,
  sharedSources.awsElasticBlockStore,
  { field: 'secret', errors: namedFiles('secretName') },
  sharedSources.nfs,
  sharedSources.iscsi,
  sharedSources.glusterfs,
  sharedSources.flocker,
  { field: 'persistentVolumeClaim', errors: needing('claimName') },
  sharedSources.rbd,
  sharedSources.cinder,
  sharedSources.cephfs,
  sharedSources.quobyte,
  { field: 'downwardAPI', forbiddenAt: 'downwarAPI', errors: validateDownwardAPI },
  sharedSources.fc,
  sharedSources.flexVolume,
  { field: 'configMap', errors: namedFiles('name') },
  sharedSources.azureFile,
  sharedSources.vsphereVolume,
  sharedSources.photonPersistentDisk,
  sharedSources.portworxVolume,
  sharedSources.azureDisk,
  sharedSources.storageos,
  { field: 'projected', errors: validateProjected },
  sharedSources.scaleIO,
  { field: 'csi', errors: (it, at, { kube }) => csiPodErrors(it, at, kube) },
  { field: 'ephemeral', errors: (it, at, { kube }) => validateEphemeral(it, at, kube) },
  { field: 'image', errors: validateImage },
];

/** Upstream: core validation.validateVolumeSource, and the volume's name. */
function* validateVolume(volume: JsonObject, holder: PodVolume, at: FieldPath): Iterable<FieldError> {
  const { name } = holder;
  const iscsi = record(volume, 'iscsi');
  yield* sourceErrors(SOURCES, volume, holder, at);
  if (iscsi !== undefined) yield* sessionNameErrors(iscsi, name, at.child('name'), name);
  if (presentTypes(SOURCES, volume)[0]?.field === 'ephemeral') {
    yield* validateClaimName(holder.of.podName, name, at);
  }
  if (name === '') yield required(at.child('name'));
  else yield* label(name, at.child('name'));
}

function* validateEmptyDir(source: JsonObject, at: FieldPath): Iterable<FieldError> {
  const mode = optionalInt(source, 'mode');
  if (has(source, 'sizeLimit') && amountOf(source.sizeLimit).amount < 0n) {
    yield forbidden(at.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity');
  }
  if (mode !== undefined && (mode < 0 || mode > 0o1777)) {
    yield invalid(at.child('mode'), mode, 'must be a number between 0 and 01777 (octal), both inclusive');
  }
}

/** Upstream: core validation.validateGitRepoVolumeSource. */
function* validateGitRepo(source: JsonObject, at: FieldPath): Iterable<FieldError> {
  yield* needing('repository')(source, at);
  yield* descendingPath(text(source, 'directory'), at.child('directory'));
}

/** Before 1.37 a template may leave the image empty. Upstream: core validation.validateImageVolumeSource. */
function* validateImage(source: JsonObject, at: FieldPath, { of, validation }: PodVolume): Iterable<FieldError> {
  const mustRefer = of.kind === 'pod' || applies(minorChanges.imageReferenceInTemplate, validation.kube);
  if (mustRefer) yield* needing('reference')(source, at);
  yield* oneOf(source, 'pullPolicy', at.child('pullPolicy'), ['Always', 'IfNotPresent', 'Never']);
}
