import { byteLength } from '../../../../../base/byteLength';
import type { JsonObject } from '../../../../../base/json';
import { has, optionalInt, optionalText, record, records, text, textEntries } from '../../../../../kube/goFields';
import { qualifiedNameErrors } from '../../../../../kube/names';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import { type FieldError, forbidden, invalid, notAmong, required, tooLong } from '../../errors';
import { validateLabelSelector } from '../../metadata';
import { needs, nonReservedPath } from '../../shared/checks';
import { clusterTrustBundleNameErrors, isKubernetesSigner, validateSignerName } from '../../signers';
import { validateDownwardFile, validateFileDefaults, validateKeyPaths, validateUser } from './volumeFiles';

/**
 * One type of source of a projected volume. `volume` is the path of the volume's `projected`, where some errors are
 * reported.
 */
interface ProjectionType {
  readonly field: string;
  errors(source: JsonObject, at: FieldPath, volume: FieldPath): Iterable<FieldError>;
  /** The paths of its files, which no other source may contain, each with the value that a conflict prints. */
  paths(source: JsonObject): readonly (readonly [path: string, printed: string])[];
}

const TYPES: readonly ProjectionType[] = [
  { field: 'secret', errors: validateNamed, paths: pathsOfNamed },
  { field: 'configMap', errors: validateNamed, paths: pathsOfNamed },
  { field: 'downwardAPI', errors: validateFields, paths: pathsOfFields },
  { field: 'serviceAccountToken', errors: validateToken, paths: () => [] },
  { field: 'clusterTrustBundle', errors: validateTrustBundle, paths: it => [[text(it, 'path'), text(it, 'path')]] },
  { field: 'podCertificate', errors: validateCertificate, paths: pathsOfCertificate },
];

/** Upstream: core validation.validateProjectedVolumeSource. */
export function* validateProjected(projected: JsonObject, at: FieldPath): Iterable<FieldError> {
  yield* validateFileDefaults(projected, at);
  const seen = new Set<string>();
  for (const [i, source] of records(projected, 'sources').entries()) {
    const item = at.child('sources').index(i);
    const present = TYPES.filter(it => has(source, it.field));
    for (const type of present) {
      const value = record(source, type.field) ?? {};
      yield* type.errors(value, item.child(type.field), at);
      for (const [path, printed] of type.paths(value)) {
        if (seen.has(path)) yield invalid(at, printed, 'conflicting duplicate paths');
        seen.add(path);
      }
    }
    if (present.length > 1) yield forbidden(item, 'may not specify more than 1 volume type per source');
  }
}

function* validateNamed(source: JsonObject, at: FieldPath): Iterable<FieldError> {
  yield* needs(source, ['name'], at);
  yield* validateKeyPaths(source, at.child('items'));
}

const itemPaths = (source: JsonObject) =>
  records(source, 'items')
    .map(it => text(it, 'path'))
    .filter(it => it !== '');

function pathsOfNamed(source: JsonObject) {
  return itemPaths(source).map(it => [it, text(source, 'name')] as const);
}

function* validateFields(source: JsonObject, at: FieldPath): Iterable<FieldError> {
  for (const file of records(source, 'items')) yield* validateDownwardFile(file, at);
}

function pathsOfFields(source: JsonObject) {
  return itemPaths(source).map(it => [it, it] as const);
}

function* validateToken(token: JsonObject, at: FieldPath, volume: FieldPath): Iterable<FieldError> {
  const seconds = optionalInt(token, 'expirationSeconds');
  const secondsAt = at.child('expirationSeconds');
  if (seconds === undefined) yield required(secondsAt);
  else if (seconds < 600) yield invalid(secondsAt, seconds, 'may not specify a duration less than 10 minutes');
  else if (seconds > 2 ** 32) {
    yield invalid(secondsAt, seconds, 'may not specify a duration larger than 2^32 seconds');
  }
  yield* needs(token, ['path'], volume);
  yield* nonReservedPath(text(token, 'path'), volume.child('path'));
  yield* validateUser(token, 'user', at);
}

function* validateTrustBundle(bundle: JsonObject, at: FieldPath): Iterable<FieldError> {
  yield* validateBundleChoice(bundle, at);
  yield* needs(bundle, ['path'], at);
  yield* validateUser(bundle, 'user', at);
  yield* nonReservedPath(text(bundle, 'path'), at.child('path'));
}

/** A bundle is chosen by its name, or by a signer and labels. */
function* validateBundleChoice(bundle: JsonObject, at: FieldPath): Iterable<FieldError> {
  const name = optionalText(bundle, 'name');
  const signer = optionalText(bundle, 'signerName');
  if (name !== undefined && signer !== undefined) {
    yield invalid(at, bundle, 'only one of name and signerName may be used');
  } else if (name !== undefined) {
    if (name === '') yield required(at.child('name'), 'must be a valid object name');
    yield* clusterTrustBundleNameErrors(name, at.child('name'));
    if (has(bundle, 'labelSelector')) {
      const selector = record(bundle, 'labelSelector') ?? {};
      yield invalid(at.child('labelSelector'), selector, 'labelSelector must be unset if name is specified');
    }
  } else if (signer !== undefined) {
    if (signer === '') yield required(at.child('signerName'), 'must be a valid signer name');
    yield* validateSignerName(signer, at.child('signerName'));
    yield* validateLabelSelector(record(bundle, 'labelSelector'), at.child('labelSelector'));
  } else yield required(at, 'either name or signerName must be specified');
}

const KEY_TYPES = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const CERTIFICATE_PATHS = ['credentialBundlePath', 'keyPath', 'certificateChainPath'];
const DAY = 24 * 60 * 60;

function* validateCertificate(certificate: JsonObject, at: FieldPath): Iterable<FieldError> {
  const signer = text(certificate, 'signerName');
  const keyType = text(certificate, 'keyType');
  const seconds = optionalInt(certificate, 'maxExpirationSeconds');
  const most = isKubernetesSigner(signer) ? DAY : 91 * DAY;
  yield* validateSignerName(signer, at.child('signerName'));
  yield* validateUserAnnotations(certificate, at.child('userAnnotations'));
  yield* validateUser(certificate, 'user', at);
  if (!KEY_TYPES.includes(keyType)) yield notAmong(at.child('keyType'), keyType, KEY_TYPES);
  if (seconds !== undefined && seconds < 3600) {
    yield invalid(at.child('maxExpirationSeconds'), seconds, 'if provided, maxExpirationSeconds must be >= 3600');
  }
  if (seconds !== undefined && seconds > most) {
    yield invalid(at.child('maxExpirationSeconds'), seconds, `if provided, maxExpirationSeconds must be <= ${most}`);
  }
  const paths = CERTIFICATE_PATHS.filter(it => text(certificate, it) !== '');
  for (const field of paths) yield* nonReservedPath(text(certificate, field), at.child(field));
  if (paths.length === 0) {
    yield required(at, 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath');
  }
}

function pathsOfCertificate(certificate: JsonObject) {
  return CERTIFICATE_PATHS.map(it => text(certificate, it))
    .filter(it => it !== '')
    .map(it => [it, it] as const);
}

const MOST_ANNOTATION_BYTES = 256 * 1024;

/** Annotations for the signer; errors have the path of the map. Upstream: core validation.ValidateUserAnnotations. */
function* validateUserAnnotations(certificate: JsonObject, at: FieldPath): Iterable<FieldError> {
  const annotations = textEntries(certificate, 'userAnnotations');
  for (const [written] of annotations) {
    const key = written.toLowerCase();
    const messages = qualifiedNameErrors(key);
    if (key === '') yield required(at);
    else if (messages.length > 0) yield* messages.map(it => invalid(at, key, it));
    else if (!key.includes('/')) {
      yield invalid(at, key, 'must be a domain-prefixed key (such as "acme.io/foo")');
    }
  }
  const size = annotations.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  if (size > MOST_ANNOTATION_BYTES) yield tooLong(at, MOST_ANNOTATION_BYTES);
}
