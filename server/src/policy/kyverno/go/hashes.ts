/** Digests in hex of a text's bytes, without a module of Node. */
import { lazy } from '../../../base/lazy';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const rotateLeft = (x: number, by: number): number => (x << by) | (x >>> (32 - by));
const rotateRight = (x: number, by: number): number => (x >>> by) | (x << (32 - by));

/** The bytes, a one, zeros and the length in bits, up to whole blocks of 64. */
function padded(text: string, endian: 'big' | 'little'): DataView {
  const bytes = bytesOf(text);
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const view = new DataView(new ArrayBuffer(length));
  for (const [i, byte] of bytes.entries()) view.setUint8(i, byte);
  view.setUint8(bytes.length, 0x80);
  const bits = BigInt(bytes.length) * 8n;
  view.setBigUint64(length - 8, bits, endian === 'little');
  return view;
}

const hex = (words: readonly number[], endian: 'big' | 'little'): string =>
  words
    .flatMap(it => (endian === 'big' ? [24, 16, 8, 0] : [0, 8, 16, 24]).map(shift => (it >>> shift) & 0xff))
    .map(it => it.toString(16).padStart(2, '0'))
    .join('');

const plus = (into: readonly number[], more: readonly number[]): number[] =>
  into.map((it, i) => (it + (more[i] ?? 0)) | 0);

const primes = lazy(() =>
  [...Array(312).keys()].slice(2).filter(n => [...Array(n).keys()].slice(2).every(it => n % it !== 0)),
);
const fraction = (x: number): number => Math.floor((x - Math.floor(x)) * 2 ** 32) | 0;
const sha256Constants = lazy(() =>
  primes()
    .slice(0, 64)
    .map(it => fraction(Math.cbrt(it))),
);

export function sha256(text: string): string {
  const view = padded(text, 'big');
  const constants = sha256Constants();
  let state = primes()
    .slice(0, 8)
    .map(it => fraction(Math.sqrt(it)));
  for (let block = 0; block < view.byteLength; block += 64) {
    const w = Array.from({ length: 16 }, (_, i) => view.getInt32(block + i * 4));
    for (let i = 16; i < 64; i++) {
      const [a = 0, b = 0] = [w[i - 15], w[i - 2]];
      const s0 = rotateRight(a, 7) ^ rotateRight(a, 18) ^ (a >>> 3);
      const s1 = rotateRight(b, 17) ^ rotateRight(b, 19) ^ (b >>> 10);
      w.push(((w[i - 16] ?? 0) + s0 + (w[i - 7] ?? 0) + s1) | 0);
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let i = 0; i < 64; i++) {
      const s1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (constants[i] ?? 0) + (w[i] ?? 0)) | 0;
      const s0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    state = plus(state, [a, b, c, d, e, f, g, h]);
  }
  return hex(state, 'big');
}

export function sha1(text: string): string {
  const view = padded(text, 'big');
  let state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  for (let block = 0; block < view.byteLength; block += 64) {
    const w = Array.from({ length: 16 }, (_, i) => view.getInt32(block + i * 4));
    for (let i = 16; i < 80; i++) {
      w.push(rotateLeft((w[i - 3] ?? 0) ^ (w[i - 8] ?? 0) ^ (w[i - 14] ?? 0) ^ (w[i - 16] ?? 0), 1));
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
    for (let i = 0; i < 80; i++) {
      const [f, k] = sha1Round(i, b, c, d);
      [e, d, c, b, a] = [d, c, rotateLeft(b, 30), a, (rotateLeft(a, 5) + f + e + k + (w[i] ?? 0)) | 0];
    }
    state = plus(state, [a, b, c, d, e]);
  }
  return hex(state, 'big');
}

function sha1Round(i: number, b: number, c: number, d: number): readonly [number, number] {
  if (i < 20) return [(b & c) | (~b & d), 0x5a827999];
  if (i < 40) return [b ^ c ^ d, 0x6ed9eba1];
  if (i < 60) return [(b & c) | (b & d) | (c & d), 0x8f1bbcdc];
  return [b ^ c ^ d, 0xca62c1d6];
}

const md5Shifts = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;

export function md5(text: string): string {
  const view = padded(text, 'little');
  let state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  for (let block = 0; block < view.byteLength; block += 64) {
    let [a = 0, b = 0, c = 0, d = 0] = state;
    for (let i = 0; i < 64; i++) {
      const [f, at] = md5Round(i, b, c, d);
      const constant = Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) | 0;
      const sum = (a + f + constant + view.getInt32(block + at * 4, true)) | 0;
      const by = md5Shifts[Math.floor(i / 16)]?.[i % 4] ?? 0;
      [a, d, c, b] = [d, c, b, (b + rotateLeft(sum, by)) | 0];
    }
    state = plus(state, [a, b, c, d]);
  }
  return hex(state, 'little');
}

function md5Round(i: number, b: number, c: number, d: number): readonly [number, number] {
  if (i < 16) return [(b & c) | (~b & d), i];
  if (i < 32) return [(d & b) | (~d & c), (5 * i + 1) % 16];
  if (i < 48) return [b ^ c ^ d, (3 * i + 5) % 16];
  return [c ^ (b | ~d), (7 * i) % 16];
}
