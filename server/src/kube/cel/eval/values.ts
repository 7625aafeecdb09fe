import { CelCidr, CelIp, CelQuantity, CelSemver, CelUrl } from '../values';

/** A value of CEL. `bigint` is an integer, `number` a double. Upstream: github.com/google/cel-go/common/types. */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | CelUint
  | CelDuration
  | CelTimestamp
  | CelList
  | CelMap
  | CelOptional
  | CelTypeName
  | CelFormat
  | CelQuantity
  | CelSemver
  | CelIp
  | CelCidr
  | CelUrl
  | CelFailure;

/** An error, which is a value: `&&` and `||` may ignore it. */
export class CelFailure {
  constructor(readonly message: string) {}
}

export class CelUint {
  constructor(readonly value: bigint) {}
}

export class CelDuration {
  constructor(readonly nanos: bigint) {}
}

/** Nanoseconds since 1970, and the seconds east of UTC in which it is printed. */
export class CelTimestamp {
  constructor(
    readonly nanos: bigint,
    readonly offset: number,
  ) {}
}

/** The type of a value, as `type()` gives it. */
export class CelTypeName {
  constructor(readonly name: string) {}
}

/** A named format. `size` is that of its pattern, which counts for the cost. Upstream: cel.Format. */
export class CelFormat {
  constructor(
    readonly name: string,
    readonly size: number,
    readonly errors: (text: string) => readonly string[],
  ) {}
}

export class CelOptional {
  constructor(readonly value: CelValue | undefined) {}
}

export const NONE = new CelOptional(undefined);

/** How a list compares and adds: `data` is one of a resource, `set` and `map` are those with that list type. */
export type ListRole = 'plain' | 'data' | 'set' | 'map';

export class CelList {
  constructor(
    readonly size: number,
    readonly at: (index: number) => CelValue,
    readonly role: ListRole = 'plain',
    /** Of a list of role `map`: the escaped names of the fields that are the key. */
    readonly keys: readonly string[] = [],
    /** The items of a plain list, and perhaps those of longer lists that continue it. */
    readonly cells?: CelValue[],
  ) {}
}

export class CelMap {
  constructor(
    readonly size: number,
    /** undefined for a key that is absent. */
    readonly find: (key: CelValue) => CelValue | undefined,
    readonly keys: () => readonly CelValue[],
    /** The object of a resource behind it. */
    readonly data?: DataObject,
    /** The entries of a map that a loop makes, which adds to them in place. */
    readonly growing?: Map<unknown, readonly [CelValue, CelValue]>,
  ) {}
}

export interface DataObject {
  readonly object: Readonly<Record<string, unknown>>;
  hasSchema(name: string): boolean;
}

export const noOverload = (): CelFailure => new CelFailure('no such overload');
export const isFailure = (it: CelValue): it is CelFailure => it instanceof CelFailure;
export const listOf = (items: CelValue[]): CelList => new CelList(items.length, i => items[i]!, 'plain', [], items);

export function itemsOf(list: CelList): CelValue[] {
  return Array.from({ length: list.size }, (_, i) => list.at(i));
}

/** Numbers of different types are the same key if they are equal. */
export function keyOf(key: CelValue): unknown {
  if (key instanceof CelUint) return key.value;
  if (typeof key === 'number') return Number.isInteger(key) ? BigInt(key) : key;
  return key;
}

export function mapOf(entries: ReadonlyMap<unknown, readonly [CelValue, CelValue]>): CelMap {
  return new CelMap(
    entries.size,
    key => entries.get(keyOf(key))?.[1],
    () => [...entries.values()].map(it => it[0]),
  );
}

/** Upstream: ref.Type.TypeName. */
export function typeName(value: CelValue): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
      if (value === null) return 'null_type';
      if (value instanceof Uint8Array) return 'bytes';
      return CLASS_NAMES.get(value.constructor) ?? 'error';
  }
}

const CLASS_NAMES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [CelUint, 'uint'],
  [CelDuration, 'google.protobuf.Duration'],
  [CelTimestamp, 'google.protobuf.Timestamp'],
  [CelList, 'list'],
  [CelMap, 'map'],
  [CelOptional, 'optional_type'],
  [CelTypeName, 'type'],
  [CelFormat, 'kubernetes.NamedFormat'],
  [CelQuantity, 'kubernetes.Quantity'],
  [CelSemver, 'kubernetes.Semver'],
  [CelIp, 'net.IP'],
  [CelCidr, 'net.CIDR'],
  [CelUrl, 'kubernetes.URL'],
]);

/** The size that counts for the cost: characters, bytes, items or entries, and 1 for others. Upstream: actualSize. */
export function sizeOf(value: CelValue): number {
  if (typeof value === 'string') return characters(value);
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof CelList || value instanceof CelMap) return value.size;
  if (value instanceof CelIp) return value.ip.bytes.length;
  if (value instanceof CelCidr) return Math.ceil(value.cidr.prefixLength / 8);
  return 1;
}

/** The number of code points. */
export function characters(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) count--;
  }
  return count;
}
