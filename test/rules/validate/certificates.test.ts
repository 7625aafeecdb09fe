import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../server/src/base/json';
import { answer } from './answers';

const pem = (type: string, base64: string): string => `-----BEGIN ${type}-----\n${base64}\n-----END ${type}-----\n`;
const toBase64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64');

/** A request with an Ed25519 key, made with openssl. */
const REQUEST = [
  'MIGNMEECAQAwDjEMMAoGA1UEAwwDd2ViMCowBQYDK2VwAyEAziMIaQFDB0NqcQndgb9RMuhIjHMaazrPIuKWdualUpygADAFBgMr',
  'ZXADQQCPi+PMuNjO7XOnx2jKWbPz1epQJIKO5dtRBW++ce1ofOCkryxbIOPSJ7DqOvU8ug7kQWYHzEG5kg/FxmCMnkkP',
].join('');
/** Certificates of an authority and of a server, made with openssl. */
const AUTHORITY = [
  'MIIBbzCCARWgAwIBAgIUK14AYO3FKvMKZozNlqH8WRfqb+YwCgYIKoZIzj0EAwIwDTELMAkGA1UEAwwCY2EwHhcNMjYxMTIzMTIw',
  'ODM3WhcNMzYxMTIwMTIwODM3WjANMQswCQYDVQQDDAJjYTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHSdLZ53IkG3vC/obTdQ',
  'v05ij5uiUOJmlGZitxMaGN4NHZ5P9nA1qC6l+bB566lru989DvDANFzjGb79atC1MZajUzBRMB0GA1UdDgQWBBQN6nxW0PcfxMIX',
  'WTYJ/hrjKNN52zAfBgNVHSMEGDAWgBQN6nxW0PcfxMIXWTYJ/hrjKNN52zAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gA',
  'MEUCIQDRjcnsCGv2W9BKKv+2MtKf89iTFW5Ou5tC+lP2TZCeFwIgBG+rxWmmGOnak+MMJgr71eq45t2tS5laTKvYECk6RoY=',
].join('');
const SERVER = [
  'MIIBbTCCAROgAwIBAgIUEWQrEFwjesPAtJENprFnSGqZH24wCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEbGVhZjAeFw0yNjExMjMx',
  'MjA4MzdaFw0zNjExMjAxMjA4MzdaMA8xDTALBgNVBAMMBGxlYWYwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARvnwTkwZYGpEOC',
  '56ai6ce2iAN5JzpFNSAcQaPS/qgLfAA2zbqnhOOhAwLl5/zp8Kcb9IBOo6WIVPgePigKkDVro00wSzAdBgNVHQ4EFgQUQ0WpNk+Q',
  'UHD4OmSR0dX3nO+bR7cwHwYDVR0jBBgwFoAUQ0WpNk+QUHD4OmSR0dX3nO+bR7cwCQYDVR0TBAIwADAKBggqhkjOPQQDAgNIADBF',
  'AiEA/LRo6Uor6rV0oKI/ymTijoI5HkTd2DevF9jyS3b7y7wCIF0WTvIxX10NtSW5sFAKXuol6IZpTnnYBU66tiJa3tKP',
].join('');

/** The bytes with one of them changed, counted from the end. */
function changed(base64: string, fromEnd: number): string {
  const bytes = Buffer.from(base64, 'base64');
  bytes[bytes.length - fromEnd] = (bytes[bytes.length - fromEnd] ?? 0) ^ 1;
  return bytes.toString('base64');
}

const signing = (fields: JsonObject): JsonObject => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'one' },
  spec: {
    request: toBase64(pem('CERTIFICATE REQUEST', REQUEST)),
    signerName: 'example.com/signer',
    usages: ['client auth'],
    ...fields,
  },
});
const requesting = (text: string): JsonObject => signing({ request: toBase64(text) });
const bundle = (trustBundle: string): JsonObject => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'ClusterTrustBundle',
  metadata: { name: 'one' },
  spec: { trustBundle },
});
const ofPod = (fields: JsonObject, version = 'v1'): JsonObject => ({
  apiVersion: `certificates.k8s.io/${version}`,
  kind: 'PodCertificateRequest',
  metadata: { name: 'one', namespace: 'default' },
  spec: {
    signerName: 'example.com/signer',
    podName: 'web',
    podUID: 'a',
    serviceAccountName: 'default',
    serviceAccountUID: 'b',
    nodeName: 'node',
    nodeUID: 'c',
    ...fields,
  },
});

describe('certificates', () => {
  const cases: readonly (readonly [string, JsonObject, readonly string[]])[] = [
    ['a request with a good signature is accepted', signing({}), []],
    [
      'text and other blocks may be around the request',
      requesting(`hello\n${pem('CERTIFICATE REQUEST', REQUEST)}bye\n`),
      [],
    ],
    [
      'a signature of something else is refused',
      requesting(pem('CERTIFICATE REQUEST', changed(REQUEST, 1))),
      ['spec.request: Invalid x509: Ed25519 verification failure'],
    ],
    [
      'another block is refused',
      requesting(pem('CERTIFICATE', REQUEST)),
      ['spec.request: Invalid PEM block type must be CERTIFICATE REQUEST'],
    ],
    [
      'a cut request is refused',
      requesting(pem('CERTIFICATE REQUEST', REQUEST.slice(0, 40))),
      ['spec.request: Invalid asn1: structure error: no certificate request'],
    ],
    ['an authority is trusted', bundle(pem('CERTIFICATE', AUTHORITY)), []],
    [
      'a server is no authority',
      bundle(pem('CERTIFICATE', SERVER)),
      ['spec.trustBundle: Invalid entry 0 does not have the CA bit set'],
    ],
    [
      'an authority counts once',
      bundle(pem('CERTIFICATE', AUTHORITY) + pem('CERTIFICATE', AUTHORITY)),
      ['spec.trustBundle: Invalid duplicate trust anchor (indices [0 1])'],
    ],
    [
      'headers in a block are refused',
      bundle(pem('CERTIFICATE', `a: b\n\n${AUTHORITY}`)),
      ['spec.trustBundle: Invalid entry 0 has PEM block headers'],
    ],
    [
      'a key is no certificate',
      bundle(pem('PRIVATE KEY', 'YQ==')),
      ['spec.trustBundle: Invalid entry 0 has bad block type: PRIVATE KEY'],
    ],
    [
      'other bytes are no certificate',
      bundle(pem('CERTIFICATE', 'YQ==')),
      ['spec.trustBundle: Invalid entry 0 does not parse as X.509'],
    ],
    ['a stub request of a Pod is accepted', ofPod({ stubPKCS10Request: REQUEST }), []],
    [
      'a stub request with another signature is refused',
      ofPod({ stubPKCS10Request: changed(REQUEST, 1) }),
      ['spec.stubPKCS10Request: Invalid invalid signature'],
    ],
    [
      'a key without a proof is refused',
      ofPod({ pkixPublicKey: 'YQ==' }, 'v1beta1'),
      ['spec: Invalid exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set'],
    ],
    [
      'what is no key is refused',
      ofPod({ pkixPublicKey: 'YQ==', proofOfPossession: 'YQ==' }, 'v1beta1'),
      ['spec.pkixPublicKey: Invalid must be a valid PKIX-serialized public key'],
    ],
  ];
  test.each(cases)('%s', (_, object, expected) => {
    expect(answer(object).errors).toEqual(expected);
  });

  test('a stub request is known since 1.36', () => {
    expect(answer(ofPod({ stubPKCS10Request: REQUEST }, 'v1beta1'), { minor: '1.36' }).errors).toEqual([]);
  });

  test("a requester's own fields are overwritten", () => {
    expect(answer(signing({ username: 'me', groups: ['a'], uid: '' })).dropped).toEqual([
      'spec.username',
      'spec.groups',
    ]);
  });
});
