import type { JsonObject } from '../../../../base/json';
import { repeatedAt } from '../../../../base/repeated';
import { type GoFields, get, mapField, optionalInt, record, text, texts, without } from '../../../../kube/goFields';
import { FieldPath } from '../../../../manifest/fieldPath';
import { duplicate, type FieldError, invalid, type KindStrategy, notSupported, required } from '../errors';
import { hasContent } from '../gatedFields';
import { validateKindMeta } from '../kindMeta';
import { type Dropped, dropStatus } from '../shared/drops';
import { validateSignerName } from '../signers';
import { parseCertificateRequest, signatureProblem } from './keys';
import { pemBlocks } from './pem';

const SPEC = FieldPath.of('spec');
/** Fields that are overwritten with those of the requester. */
const REQUESTER = ['username', 'uid', 'groups', 'extra'];

/** Upstream: pkg/registry/certificates/certificates and ValidateCertificateSigningRequestCreate. */
export const certificateSigningRequest: KindStrategy = {
  drop: dropRequester,
  validate: object => [
    ...validateKindMeta(object, 'certificates.k8s.io/CertificateSigningRequest'),
    ...specErrors(record(object, 'spec')),
  ],
};

function dropRequester(object: JsonObject): Dropped {
  const spec = record(object, 'spec');
  const written = REQUESTER.filter(it => hasContent(get(spec, it)) && get(spec, it) !== '');
  const stored = dropStatus(mapField(object, 'spec', it => REQUESTER.reduce(without, it)));
  return { object: stored.object, dropped: [...written.map(it => SPEC.child(it)), ...stored.dropped] };
}

const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

const LEGACY = 'kubernetes.io/legacy-unknown';

function* specErrors(spec: GoFields): Iterable<FieldError> {
  const request = text(spec, 'request');
  const problem = requestProblem(request);
  if (problem !== undefined) yield invalid(SPEC.child('request'), request, problem);
  const usages = texts(spec, 'usages');
  const at = SPEC.child('usages');
  if (usages.length === 0) yield required(at);
  for (const [i, usage] of usages.entries()) {
    if (!USAGES.includes(usage)) yield notSupported(at.index(i), usage, USAGES);
  }
  for (const i of repeatedAt(usages)) yield duplicate(at.index(i), usages[i] ?? '');
  const signer = text(spec, 'signerName');
  const signerAt = SPEC.child('signerName');
  if (signer === LEGACY) {
    yield invalid(signerAt, signer, 'the legacy signerName is not allowed via this API version');
  } else yield* validateSignerName(signer, signerAt);
  const expiration = optionalInt(spec, 'expirationSeconds');
  if (expiration !== undefined && expiration < 600) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)';
    yield invalid(SPEC.child('expirationSeconds'), expiration, detail);
  }
}

/** `request` is PEM in base64. Upstream: validateCSR. */
function requestProblem(base64: string): string | undefined {
  const [block] = pemBlocks(Buffer.from(base64, 'base64').toString('latin1'));
  if (block?.type !== 'CERTIFICATE REQUEST') return 'PEM block type must be CERTIFICATE REQUEST';
  const request = parseCertificateRequest(block.bytes);
  return request === undefined ? 'asn1: structure error: no certificate request' : signatureProblem(request);
}
