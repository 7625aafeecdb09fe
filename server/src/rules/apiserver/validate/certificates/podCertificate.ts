import type { KeyObject } from 'node:crypto';
import { byteLength } from '../../../../base/byteLength';
import type { JsonObject } from '../../../../base/json';
import { int, mapField, record, text, textEntries, withDefault } from '../../../../kube/goFields';
import type { Kube } from '../../../../kube/kube';
import { dns1123SubdomainErrors, qualifiedNameErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { type FieldError, invalid, invalids, type KindStrategy, required, tooLong } from '../errors';
import { validateKindMeta } from '../kindMeta';
import { dropStatus } from '../shared/drops';
import { isKubernetesSigner, validateSignerName } from '../signers';
import { curveOf, isProof, modulusBits, parseCertificateRequest, parsePublicKey, signatureProblem } from './keys';

const SPEC = FieldPath.of('spec');
const LONGEST_KEY = 10 * 1024;
const LONGEST_ANNOTATIONS = 256 * 1024;
const DAY = 24 * 60 * 60;

/** Upstream: pkg/registry/certificates/podcertificaterequest and ValidatePodCertificateRequestCreate. */
export const podCertificateRequest: KindStrategy = {
  defaults: object => mapField(object, 'spec', it => withDefault(it, 'maxExpirationSeconds', DAY)),
  drop: dropStatus,
  validate: (object, { kube }) => {
    const spec = record(object, 'spec') ?? { maxExpirationSeconds: DAY };
    return [
      ...validateKindMeta(object, 'certificates.k8s.io/PodCertificateRequest'),
      ...validateSignerName(text(spec, 'signerName'), SPEC.child('signerName')),
      ...annotationErrors(spec, SPEC.child('unverifiedUserAnnotations')),
      ...identityErrors(spec),
      ...expirationErrors(spec, SPEC.child('maxExpirationSeconds')),
      ...proofErrors(spec, kube),
    ];
  },
};

/** An Invalid whose value upstream does not print. */
const refused = (at: FieldPath, detail: string): FieldError => ({ type: 'FieldValueInvalid', at, detail });

/** Upstream: ValidateUserAnnotations. */
function* annotationErrors(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  const annotations = textEntries(spec, 'unverifiedUserAnnotations');
  for (const [key] of annotations) yield* prefixedKeyErrors(key.toLowerCase(), at);
  const size = annotations.reduce((sum, [key, value]) => sum + byteLength(key + value), 0);
  if (size > LONGEST_ANNOTATIONS) yield tooLong(at, LONGEST_ANNOTATIONS);
}

/** Upstream: validation.IsDomainPrefixedKey. */
function* prefixedKeyErrors(key: string, at: FieldPath): Iterable<FieldError> {
  const messages = qualifiedNameErrors(key);
  if (key === '') yield required(at);
  else if (messages.length > 0) yield* invalids(at, key, messages);
  else if (!key.includes('/')) {
    yield invalid(at, key, 'must be a domain-prefixed key (such as "acme.io/foo")');
  }
}

/** The Pod, its service account and its node. */
function* identityErrors(spec: JsonObject): Iterable<FieldError> {
  for (const [nameField, uidField] of [
    ['podName', 'podUID'],
    ['serviceAccountName', 'serviceAccountUID'],
    ['nodeName', 'nodeUID'],
  ] as const) {
    const [name, uid] = [text(spec, nameField), text(spec, uidField)];
    yield* invalids(SPEC.child(nameField), name, dns1123SubdomainErrors(name));
    if (uid === '') yield invalid(SPEC.child(uidField), uid, 'must not be empty');
    if (byteLength(uid) > 128) yield tooLong(SPEC.child(uidField), 128);
  }
}

function* expirationErrors(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  const seconds = int(spec, 'maxExpirationSeconds');
  const most = (isKubernetesSigner(text(spec, 'signerName')) ? 1 : 91) * DAY;
  if (seconds < 3600 || seconds > most) yield invalid(at, seconds, `must be in the range [3600, ${most}]`);
}

const ONE_OF = 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set';

/** The key and the proof that the requester has it, or a stub request. */
function* proofErrors(spec: JsonObject, kube: Kube): Iterable<FieldError> {
  const hasStubs = applies(minorChanges.stubRequests, kube);
  const [stub, key, proof] = ['stubPKCS10Request', 'pkixPublicKey', 'proofOfPossession'].map(it => text(spec, it)) as [
    string,
    string,
    string,
  ];
  if (hasStubs && stub !== '' && key === '' && proof === '')
    yield* stubErrors(bytesOf(stub), SPEC.child('stubPKCS10Request'));
  else if (!hasStubs || (stub === '' && key !== '' && proof !== ''))
    yield* keyErrors(spec, bytesOf(key), bytesOf(proof));
  else yield refused(SPEC, ONE_OF);
}

const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'));

/** Upstream: validateStubPKCS10Request. */
function* stubErrors(bytes: Uint8Array, at: FieldPath): Iterable<FieldError> {
  if (bytes.length > LONGEST_KEY) {
    yield tooLong(at, LONGEST_KEY);
    return;
  }
  const request = parseCertificateRequest(bytes);
  const wrongKey = request && keyProblem(request.publicKey, at);
  if (request === undefined) yield refused(at, 'must be a valid PKCS#10 CSR');
  else if (wrongKey !== undefined) yield wrongKey;
  else if (signatureProblem(request) !== undefined) yield refused(at, 'invalid signature');
}

/** Upstream: validateDeprecatedPKIXPublicKey. */
function* keyErrors(spec: JsonObject, key: Uint8Array, proof: Uint8Array): Iterable<FieldError> {
  const [keyAt, proofAt] = [SPEC.child('pkixPublicKey'), SPEC.child('proofOfPossession')];
  if (key.length > LONGEST_KEY || proof.length > LONGEST_KEY) {
    yield tooLong(key.length > LONGEST_KEY ? keyAt : proofAt, LONGEST_KEY);
    return;
  }
  const publicKey = parsePublicKey(key);
  if (publicKey === undefined) {
    yield invalid(keyAt, text(spec, 'pkixPublicKey'), 'must be a valid PKIX-serialized public key');
    return;
  }
  const wrongKey = keyProblem(publicKey, keyAt);
  if (wrongKey !== undefined) yield wrongKey;
  else if (!isProof(publicKey, text(spec, 'podUID'), proof)) {
    yield refused(proofAt, 'could not verify proof-of-possession signature');
  }
}

/** A key of a type or size that is not allowed. */
function keyProblem(key: KeyObject, at: FieldPath): FieldError | undefined {
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return undefined;
    case 'ec':
      if (curveOf(key) !== 'P-224') return undefined;
      return invalid(at, `curve ${curveOf(key)}`, 'elliptic public keys must use curve P256, P384, or P521');
    case 'rsa':
      if (modulusBits(key) === 3072 || modulusBits(key) === 4096) return undefined;
      return invalid(at, `${modulusBits(key)}-bit modulus`, 'RSA keys must have modulus size 3072 or 4096');
    default:
      return refused(at, 'unknown public key type; supported types are Ed25519, ECDSA, and RSA');
  }
}
