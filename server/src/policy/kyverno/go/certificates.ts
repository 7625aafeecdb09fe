import type { JsonObject, JsonValue } from '../../../base/json';
import { Indeterminate, KyvernoError } from '../results/failures';

/** A DER value: its tag and its content. */
interface Der {
  readonly tag: number;
  readonly bytes: Uint8Array;
}

const RSA = '1.2.840.113549.1.1.1';

/** The field of pkix.Name by attribute identifier. Upstream: crypto/x509/pkix.Name. */
const nameLists: Readonly<Record<string, string>> = {
  '2.5.4.6': 'Country',
  '2.5.4.10': 'Organization',
  '2.5.4.11': 'OrganizationalUnit',
  '2.5.4.7': 'Locality',
  '2.5.4.8': 'Province',
  '2.5.4.9': 'StreetAddress',
  '2.5.4.17': 'PostalCode',
};
const nameTexts: Readonly<Record<string, string>> = { '2.5.4.3': 'CommonName', '2.5.4.5': 'SerialNumber' };

/** Fields that upstream prints as well and that are not read here. */
const unreadOfCertificate = [
  'Raw',
  'RawTBSCertificate',
  'RawSubjectPublicKeyInfo',
  'RawSubject',
  'RawIssuer',
  'Signature',
  'SignatureAlgorithm',
  'KeyUsage',
  'Extensions',
  'ExtKeyUsage',
  'IsCA',
  'DNSNames',
  'EmailAddresses',
  'IPAddresses',
  'URIs',
  'MaxPathLen',
  'SubjectKeyId',
  'AuthorityKeyId',
  'BasicConstraintsValid',
];
const unreadOfRequest = [
  'Raw',
  'RawTBSCertificateRequest',
  'RawSubjectPublicKeyInfo',
  'RawSubject',
  'Signature',
  'SignatureAlgorithm',
  'Attributes',
  'Extensions',
  'DNSNames',
  'EmailAddresses',
  'IPAddresses',
  'URIs',
];

/** More blocks that do not end are not looked at. */
const MOST_BLOCKS = 100;

/** The first block of PEM that ends. */
function firstBlock(pem: string): { readonly type: string; readonly base64: string } | undefined {
  let looked = 0;
  for (const { 0: begin, 1: type = '', index } of pem.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----/g)) {
    const start = index + begin.length;
    const end = pem.indexOf(`-----END ${type}-----`, start);
    if (end >= 0) return { type, base64: pem.slice(start, end) };
    if (++looked === MOST_BLOCKS) return undefined;
  }
  return undefined;
}

/**
 * The fields of an RSA certificate or of a request for one, in PEM, as Go prints them. Upstream: jpX509Decode.
 * The 50 lines of DER are written by hand: asn1js is 67 kB, and needs as many lines to take its types apart.
 */
export function x509Decode(pem: string): JsonValue {
  const { type, base64 } = firstBlock(pem) ?? {};
  if (type === undefined || base64 === undefined) throw new KyvernoError('failed to decode PEM block');
  const [body] = childrenOf(read(Buffer.from(base64.replace(/\s/g, ''), 'base64')));
  const fields = body === undefined ? [] : childrenOf(body);
  if (type === 'CERTIFICATE') return certificate(fields);
  if (type === 'CERTIFICATE REQUEST') return request(fields);
  throw new KyvernoError('PEM block neither contains a CERTIFICATE or CERTIFICATE REQUEST');
}

function certificate(fields: readonly Der[]): JsonObject {
  const [version, serial, , issuer, validity, subject, key] = fields[0]?.tag === 0xa0 ? fields : [undefined, ...fields];
  const [from, to] = childrenOf(part(validity)).map(timeOf);
  const read = {
    ...publicKey(part(key)),
    Version: version === undefined ? 1 : Number(integer(part(childrenOf(version)[0]))) + 1,
    SerialNumber: Number(integer(part(serial))),
    Issuer: nameOf(part(issuer)),
    Subject: nameOf(part(subject)),
    NotBefore: from ?? '',
    NotAfter: to ?? '',
  };
  return withUnread(read, unreadOfCertificate);
}

function request([version, subject, key]: readonly Der[]): JsonObject {
  const read = { ...publicKey(part(key)), Version: Number(integer(part(version))), Subject: nameOf(part(subject)) };
  return withUnread(read, unreadOfRequest);
}

/** Reading one of these fields throws Indeterminate. */
function withUnread(fields: JsonObject, names: readonly string[]): JsonObject {
  const res = { ...fields };
  for (const name of names) {
    const get = (): never => {
      throw new Indeterminate(`x509_decode does not read ${name} here`);
    };
    Object.defineProperty(res, name, { enumerable: false, get });
  }
  return res;
}

function publicKey(key: Der): JsonObject {
  const [algorithm, bits] = childrenOf(key);
  if (identifier(part(childrenOf(part(algorithm))[0])) !== RSA)
    throw new KyvernoError('certificate should use rsa algorithm');
  // The first byte of a bit string is the number of unused bits at its end.
  const [modulus, exponent] = childrenOf(read(part(bits).bytes.slice(1)));
  const PublicKey = { N: integer(part(modulus)).toString(), E: Number(integer(part(exponent))) };
  return { PublicKeyAlgorithm: 1, PublicKey };
}

function nameOf(name: Der): JsonObject {
  const attributes = childrenOf(name)
    .flatMap(childrenOf)
    .map(it => {
      const [type, value] = childrenOf(it);
      return { type: identifier(part(type)), value: new TextDecoder().decode(part(value).bytes) };
    });
  const valuesOf = (type: string) => attributes.filter(it => it.type === type).map(it => it.value);
  const lists = Object.entries(nameLists).map(([type, field]): [string, JsonValue] => {
    const values = valuesOf(type);
    return [field, values.length === 0 ? null : values];
  });
  const texts = Object.entries(nameTexts).map(([type, field]): [string, JsonValue] => [
    field,
    valuesOf(type).at(-1) ?? '',
  ]);
  const Names = attributes.map(it => ({ Type: it.type.split('.').map(Number), Value: it.value }));
  return { ...Object.fromEntries([...lists, ...texts]), Names, ExtraNames: null };
}

function part(der: Der | undefined): Der {
  if (der === undefined) throw new KyvernoError('x509: malformed certificate');
  return der;
}

/** Reads the value at the start of some bytes. */
function read(bytes: Uint8Array): Der {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined) throw new KyvernoError('x509: malformed certificate');
  const more = first < 0x80 ? 0 : first & 0x7f;
  const length = more === 0 ? first : bytes.slice(2, 2 + more).reduce((sum, it) => sum * 256 + it, 0);
  const start = 2 + more;
  if (more > 4 || start + length > bytes.length) throw new KyvernoError('x509: malformed certificate');
  return { tag, bytes: bytes.slice(start, start + length) };
}

function childrenOf({ bytes }: Der): readonly Der[] {
  const res: Der[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const child = read(rest);
    res.push(child);
    const header = (rest[1] ?? 0) < 0x80 ? 2 : 2 + ((rest[1] ?? 0) & 0x7f);
    rest = rest.slice(header + child.bytes.length);
  }
  return res;
}

const integer = ({ bytes }: Der): bigint => bytes.reduce((sum, it) => sum * 256n + BigInt(it), 0n);

/** `2.5.4.3`. */
function identifier({ bytes }: Der): string {
  const numbers: number[] = [];
  let current = 0;
  for (const byte of bytes) {
    current = current * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(current);
    current = 0;
  }
  const [first = 0, ...rest] = numbers;
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - top * 40, ...rest].join('.');
}

/** `YYMMDDHHMMSSZ`, or with a four-digit year. */
function timeOf({ tag, bytes }: Der): string {
  const text = new TextDecoder().decode(bytes);
  const full = tag === 0x17 ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text;
  return full.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
}
