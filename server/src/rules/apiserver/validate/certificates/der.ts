/** One value of ASN.1 in DER. */
export interface DerValue {
  readonly tag: number;
  /** With tag and length. */
  readonly whole: Uint8Array;
  readonly content: Uint8Array;
}

export const DER = { integer: 2, bits: 3, octets: 4, oid: 6, sequence: 0x30, set: 0x31, boolean: 1 } as const;

/** The first value, and how many bytes it takes; undefined if it is not in DER. */
function readOne(bytes: Uint8Array, at: number): DerValue | undefined {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return undefined;
  const count = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || count > 4 || at + 2 + count > bytes.length) return undefined;
  const length = first < 0x80 ? first : bytes.slice(at + 2, at + 2 + count).reduce((sum, it) => sum * 256 + it, 0);
  const isShortest = first < 0x80 || (length >= 0x80 && bytes[at + 2] !== 0);
  const start = at + 2 + count;
  if (!isShortest || start + length > bytes.length) return undefined;
  return { tag, whole: bytes.slice(at, start + length), content: bytes.slice(start, start + length) };
}

/** All values in a row; undefined if something else is between or after them. */
export function readAll(bytes: Uint8Array): readonly DerValue[] | undefined {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    const value = readOne(bytes, at);
    if (value === undefined) return undefined;
    values.push(value);
    at += value.whole.length;
  }
  return values;
}

/** The values in a sequence that is all there is. */
export function readSequence(bytes: Uint8Array): readonly DerValue[] | undefined {
  const [whole, ...others] = readAll(bytes) ?? [];
  return whole?.tag === DER.sequence && others.length === 0 ? readAll(whole.content) : undefined;
}

/** An object identifier with dots: 1.2.840.113549. */
export function oidText({ tag, content }: DerValue): string | undefined {
  if (tag !== DER.oid || content.length === 0) return undefined;
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (arcs.length > 0) arcs.push(arc);
    else arcs.push(Math.min(Math.floor(arc / 40), 2), arc - 40 * Math.min(Math.floor(arc / 40), 2));
    arc = 0;
  }
  return arcs.join('.');
}
