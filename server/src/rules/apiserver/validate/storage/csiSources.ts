import { byteLength } from '../../../../base/byteLength';
import type { JsonObject } from '../../../../base/json';
import { has, record, text } from '../../../../kube/goFields';
import type { Kube } from '../../../../kube/kube';
import { dns1123LabelErrors, dns1123SubdomainErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { type FieldError, invalids, required, tooLong } from '../errors';
import { needing } from './volumeSources';

const csiSecrets = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
];

/** Upstream: validateCSIPersistentVolumeSource. */
export function csiVolumeErrors(source: JsonObject, at: FieldPath, kube: Kube): readonly FieldError[] {
  return [
    ...driverNameErrors(text(source, 'driver'), at.child('driver'), kube),
    ...needing('volumeHandle')(source, at),
    ...csiSecrets
      .filter(it => has(source, it))
      .flatMap(it => secretReferenceErrors(record(source, it) ?? {}, at.child(it))),
  ];
}

/** The name of a CSI driver in a spec. Upstream: core validation.ValidateCSIDriverName. */
export function driverNameErrors(name: string, at: FieldPath, kube: Kube): readonly FieldError[] {
  if (name === '' && applies(minorChanges.emptyDriverOnce, kube)) return [required(at)];
  return [
    ...(name === '' ? [required(at)] : []),
    ...(byteLength(name) > 63 ? [tooLong(at, 63)] : []),
    ...invalids(at, name, dns1123SubdomainErrors(name.toLowerCase())),
  ];
}

/** Upstream: validatePVSecretReference. */
function secretReferenceErrors(reference: JsonObject, at: FieldPath): readonly FieldError[] {
  const name = text(reference, 'name');
  const namespace = text(reference, 'namespace');
  return [
    ...(name === '' ? [required(at.child('name'))] : invalids(at.child('name'), name, dns1123SubdomainErrors(name))),
    ...(namespace === ''
      ? [required(at.child('namespace'))]
      : invalids(at.child('namespace'), namespace, dns1123LabelErrors(namespace))),
  ];
}

/** Upstream: validateCSIVolumeSource. It reports a Secret's name at `name` beside the driver, which is not a field. */
export function csiPodErrors(source: JsonObject, at: FieldPath, kube: Kube): readonly FieldError[] {
  const secret = record(source, 'nodePublishSecretRef');
  const name = text(secret, 'name');
  return [
    ...driverNameErrors(text(source, 'driver'), at.child('driver'), kube),
    ...(secret !== undefined && name === '' ? [required(at.child('nodePublishSecretRef', 'name'))] : []),
    ...(name === '' ? [] : invalids(at.child('name'), name, dns1123SubdomainErrors(name))),
  ];
}
