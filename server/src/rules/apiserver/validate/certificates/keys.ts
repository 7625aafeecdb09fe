import type { KeyObject } from 'node:crypto';
import { ownOf } from '../../../../base/ownOf';
import { DER, type DerValue, oidText, readAll, readSequence } from './der';

/** Node's module, loaded with the first key: loading it takes milliseconds of the start. */
const crypto = (): typeof import('node:crypto') => require('node:crypto');

/** A request for a certificate in PKCS #10. */
export interface CertificateRequest {
  readonly publicKey: KeyObject;
  /** What is signed. */
  readonly signed: Uint8Array;
  /** The algorithm's object identifier. */
  readonly algorithm: string;
  readonly signature: Uint8Array;
}

/** Upstream: Go's x509.ParseCertificateRequest; undefined for what it cannot read. */
export function parseCertificateRequest(bytes: Uint8Array): CertificateRequest | undefined {
  const [info, algorithm, signature, ...others] = readSequence(bytes) ?? [];
  if (info === undefined || algorithm === undefined || signature?.tag !== DER.bits || others.length > 0)
    return undefined;
  const [version, subject, key, attributes] = readSequence(info.whole) ?? [];
  if (version?.tag !== DER.integer || subject?.tag !== DER.sequence || key === undefined) return undefined;
  if (attributes !== undefined && attributes.tag !== 0xa0) return undefined;
  if (!isName(subject)) return undefined;
  const [identifier] = readSequence(algorithm.whole) ?? [];
  const oid = identifier && oidText(identifier);
  const publicKey = parsePublicKey(key.whole);
  if (oid === undefined || publicKey === undefined) return undefined;
  return { publicKey, signed: info.whole, algorithm: oid, signature: signature.content.slice(1) };
}

/** Whether a name consists of sets of pairs of an identifier and a value. */
function isName(name: DerValue): boolean {
  const sets = readAll(name.content);
  return (
    sets?.every(set =>
      readAll(set.content)?.every(pair => {
        const [type, value] = readSequence(pair.whole) ?? [];
        return set.tag === DER.set && type?.tag === DER.oid && value !== undefined;
      }),
    ) ?? false
  );
}

/** Upstream: Go's x509.ParsePKIXPublicKey; undefined for what it cannot read. */
export function parsePublicKey(bytes: Uint8Array): KeyObject | undefined {
  try {
    const key = crypto().createPublicKey({ key: Buffer.from(bytes), format: 'der', type: 'spki' });
    const isUnknownCurve = key.asymmetricKeyType === 'ec' && !CURVES.has(key.asymmetricKeyDetails?.namedCurve ?? '');
    return isUnknownCurve ? undefined : key;
  } catch {
    return undefined;
  }
}

/** Go's names of the curves that it has. */
const CURVES: ReadonlyMap<string, string> = new Map([
  ['secp224r1', 'P-224'],
  ['prime256v1', 'P-256'],
  ['secp384r1', 'P-384'],
  ['secp521r1', 'P-521'],
]);

export const curveOf = (key: KeyObject): string => CURVES.get(key.asymmetricKeyDetails?.namedCurve ?? '') ?? '';

/** The size of an RSA modulus in bits, in whole bytes. Upstream: rsa.PublicKey.Size. */
export const modulusBits = (key: KeyObject): number =>
  Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8) * 8;

const ALGORITHMS: Readonly<Record<string, { readonly key: string; readonly hash: string | null }>> = {
  '1.2.840.113549.1.1.5': { key: 'rsa', hash: 'sha1' },
  '1.2.840.113549.1.1.11': { key: 'rsa', hash: 'sha256' },
  '1.2.840.113549.1.1.12': { key: 'rsa', hash: 'sha384' },
  '1.2.840.113549.1.1.13': { key: 'rsa', hash: 'sha512' },
  '1.2.840.10045.4.1': { key: 'ec', hash: 'sha1' },
  '1.2.840.10045.4.3.2': { key: 'ec', hash: 'sha256' },
  '1.2.840.10045.4.3.3': { key: 'ec', hash: 'sha384' },
  '1.2.840.10045.4.3.4': { key: 'ec', hash: 'sha512' },
  '1.3.101.112': { key: 'ed25519', hash: null },
};
const FAILURES: Readonly<Record<string, string>> = {
  rsa: 'crypto/rsa: verification error',
  ec: 'x509: ECDSA verification failure',
  ed25519: 'x509: Ed25519 verification failure',
};
const PSS = '1.2.840.113549.1.1.10';

/** The error of a request's signature, if any. Upstream: Go's CertificateRequest.CheckSignature. */
export function signatureProblem({ publicKey, signed, algorithm, signature }: CertificateRequest): string | undefined {
  const type = publicKey.asymmetricKeyType ?? '';
  // The parameters of this algorithm are not read, so that nothing is said of it.
  if (algorithm === PSS) return undefined;
  const known = ownOf(ALGORITHMS, algorithm);
  if (known === undefined) return 'x509: cannot verify signature: algorithm unimplemented';
  if (known.key !== type) return 'x509: signature algorithm does not match the type of the public key';
  return isVerified(known.hash, signed, publicKey, signature) ? undefined : (FAILURES[type] ?? 'verification error');
}

function isVerified(hash: string | null, data: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  try {
    return crypto().verify(hash, data, key, signature);
  } catch {
    return false;
  }
}

/** Whether the signature of a text is that of the key; RSA keys sign with PSS. */
export function isProof(key: KeyObject, text: string, signature: Uint8Array): boolean {
  const data = Buffer.from(text);
  if (key.asymmetricKeyType !== 'rsa') {
    return isVerified(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', data, key, signature);
  }
  const { constants, verify } = crypto();
  try {
    const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
    return verify('sha256', data, { key, ...padding }, signature);
  } catch {
    return false;
  }
}

/** What a trust anchor must be. Upstream: Go's x509.ParseCertificate and Certificate.IsCA. */
export function certificateKind(bytes: Uint8Array): 'CA' | 'no CA' | 'no certificate' {
  try {
    new (crypto().X509Certificate)(bytes);
  } catch {
    return 'no certificate';
  }
  const [body, ...rest] = readSequence(bytes) ?? [];
  if (body === undefined || rest.length !== 2) return 'no certificate';
  const wrapped = (readSequence(body.whole) ?? []).find(it => it.tag === 0xa3);
  const extensions = wrapped === undefined ? [] : (readSequence(wrapped.content) ?? []);
  return extensions.some(isAuthority) ? 'CA' : 'no CA';
}

/** Whether an extension is that of basic constraints, with the mark of an authority. */
function isAuthority(extension: DerValue): boolean {
  const [id, ...rest] = readSequence(extension.whole) ?? [];
  if (id === undefined || oidText(id) !== '2.5.29.19') return false;
  const [mark] = readSequence(rest.at(-1)?.content ?? new Uint8Array()) ?? [];
  return mark?.tag === DER.boolean && mark.content[0] === 0xff;
}
