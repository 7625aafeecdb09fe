import { type Functions, kubernetesEqualities, kubernetesTypes } from './functions';
import { quote } from './quote';
import { regexFunctions } from './regexCalls';
import { CelUnknown } from './undecided';
import { nanosecondsOf, unsignedOf } from './values';

type Values = readonly unknown[];

function range(text: string, index: bigint): number {
  const length = [...text].length;
  if (index < 0n || index > BigInt(length)) throw new Error(`index out of range: ${index}`);
  return Number(index);
}

function replace(text: string, old: string, by: string, limit: bigint): string {
  const parts = old === '' ? ['', ...text, ''] : text.split(old);
  const count = limit < 0n ? parts.length - 1 : Math.min(Number(limit), parts.length - 1);
  return parts.slice(1).reduce((whole, part, i) => `${whole}${i < count ? by : old}${part}`, parts[0] ?? '');
}

const textFunctions: Functions = {
  'string.charAt(int): string': (text: string, index: bigint) => [...text][range(text, index)] ?? '',
  'string.replace(string, string): string': (text: string, old: string, by: string) => replace(text, old, by, -1n),
  'string.replace(string, string, int): string': replace,
  'StringsNamespace.quote(string): string': (_: unknown, text: string) => quote(text),
};

/** A comparable value as one that JavaScript's `<` compares. Upstream: the comparable types of ext.Lists. */
function comparable(it: unknown): Comparable {
  if (typeof it === 'boolean') return Number(it);
  if (typeof it === 'number' || typeof it === 'bigint' || typeof it === 'string') return it;
  const whole = unsignedOf(it) ?? nanosecondsOf(it);
  if (whole !== undefined) return whole;
  if (it instanceof Date) return it.getTime();
  if (it instanceof Uint8Array) return Array.from(it, byte => String.fromCharCode(byte)).join('');
  throw new Error('no such overload');
}

type Comparable = number | bigint | string;

const classOf = (it: unknown): unknown => (isNumeric(it) ? 'number' : ((it as object)?.constructor ?? it));

/** -1, 0 or 1; undefined for values that cannot be compared. Upstream: traits.Comparer. */
function order(a: unknown, b: unknown): number | undefined {
  const [x, y] = [comparable(a), comparable(b)];
  if (classOf(a) !== classOf(b)) return undefined;
  return x < y ? -1 : x > y ? 1 : 0;
}

/** A list in the order of its keys, which must be of one type. Upstream: ext.sortListByAssociatedKeys. */
export function sortedBy(values: Values, keys: Values): Values {
  const [first, ...others] = keys;
  if (others.some(it => it?.constructor !== first?.constructor)) {
    throw new Error('list elements must have the same type');
  }
  const indexes = values.map((_, i) => i);
  return indexes.toSorted((i, j) => order(keys[i], keys[j]) ?? 0).map(i => values[i]);
}

/** The values, if all are comparable, even if there is only one. */
export function ordered(values: Values): Values {
  values.forEach(comparable);
  return values;
}

const isNumeric = (it: unknown): boolean =>
  typeof it === 'number' || typeof it === 'bigint' || unsignedOf(it) !== undefined;

const plain = (it: unknown): number | bigint => unsignedOf(it) ?? (it as number | bigint);

function extreme(values: Values, name: 'min' | 'max'): unknown {
  if (values.length === 0) throw new Error(`${name} called on empty list`);
  const wanted = name === 'min' ? -1 : 1;
  return ordered(values).reduce((best, it) => (order(it, best) === wanted ? it : best));
}

function sum(values: Values, type: 'int' | 'double'): unknown {
  if (values.some(it => typeof it !== (type === 'int' ? 'bigint' : 'number'))) throw new Error('no such overload');
  if (type === 'double') return (values as readonly number[]).reduce((total, it) => total + it, 0);
  return (values as readonly bigint[]).reduce((total, it) => {
    if (BigInt.asIntN(64, total + it) !== total + it) throw new Error('integer overflow');
    return total + it;
  }, 0n);
}

/** The maximum length of a list. */
const MAX_RANGE = 1_000_000n;

function numbersBelow(count: bigint): readonly bigint[] {
  if (count < 0n) throw new Error(`lists.range: size must be non-negative, got ${count}`);
  if (count > MAX_RANGE) throw new CelUnknown(`a list of ${count} numbers is not made`);
  return Array.from({ length: Number(count) }, (_, i) => BigInt(i));
}

function flatten(values: Values, depth: bigint): Values {
  if (depth < 0n) throw new Error('level must be non-negative');
  return values.flat(Math.min(Number(depth), 100)) as Values;
}

function slice(values: Values, start: bigint, end: bigint): Values {
  if (start < 0n || end < start || end > BigInt(values.length)) {
    throw new Error(`cannot slice(${start}, ${end}), list is length ${values.length}`);
  }
  return values.slice(Number(start), Number(end));
}

const distinct = (values: Values): Values =>
  values.filter((it, i) => values.findIndex(other => equal(other, it)) === i);

const isSubset = (whole: Values, part: Values): boolean => part.every(it => whole.some(other => equal(other, it)));

/** Upstream: cel-go types.Equal. Numbers of different types may be equal. */
export function equal(a: unknown, b: unknown): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: only this compares an integer with a fraction exactly.
  if (isNumeric(a) && isNumeric(b)) return plain(a) == plain(b);
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((it, i) => equal(it, b[i]));
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const type = Object.entries(kubernetesTypes).find(([, it]) => a instanceof it && b instanceof it)?.[0];
  if (type !== undefined) return kubernetesEqualities[type as keyof typeof kubernetesTypes](a as never, b as never);
  const [x, y] = [entriesOf(a), entriesOf(b)];
  return x.size === y.size && [...x].every(([key, value]) => y.has(key) && equal(value, y.get(key)));
}

const entriesOf = (of: object): ReadonlyMap<unknown, unknown> =>
  of instanceof Map ? of : new Map<unknown, unknown>(Object.entries(of));

function listFunctions(): Functions {
  return {
    'list<int>.sum(): int': (values: Values) => sum(values, 'int'),
    'list<double>.sum(): double': (values: Values) => sum(values, 'double'),
    'list<A>.isSorted(): bool': (values: Values) =>
      // Values that cannot be compared count as sorted.
      ordered(values).every((it, i) => i === 0 || order(values[i - 1], it) !== 1),
    'list<A>.min(): dyn': (values: Values) => extreme(values, 'min'),
    'list<A>.max(): dyn': (values: Values) => extreme(values, 'max'),
    'list<A>.indexOf(A): int': (values: Values, wanted: unknown) => BigInt(values.findIndex(it => equal(it, wanted))),
    'list<A>.lastIndexOf(A): int': (values: Values, wanted: unknown) =>
      BigInt(values.findLastIndex(it => equal(it, wanted))),
    'list<A>.slice(int, int): list<A>': slice,
    'list<dyn>.flatten(): list<dyn>': (values: Values) => flatten(values, 1n),
    'list<dyn>.flatten(int): list<dyn>': flatten,
    'list<A>.sort(): list<A>': (values: Values) => sortedBy(values, ordered(values)),
    'list<A>.reverse(): list<A>': (values: Values) => values.toReversed(),
    'list<A>.distinct(): list<A>': (values: Values) => distinct(values),
    'ListsNamespace.range(int): list<int>': (_: unknown, count: bigint) => numbersBelow(count),
    'SetsNamespace.contains(list<A>, list<A>): bool': (_: unknown, a: Values, b: Values) => isSubset(a, b),
    'SetsNamespace.equivalent(list<A>, list<A>): bool': (_: unknown, a: Values, b: Values) =>
      isSubset(a, b) && isSubset(b, a),
    'SetsNamespace.intersects(list<A>, list<A>): bool': (_: unknown, a: Values, b: Values) =>
      a.some(it => b.some(other => equal(it, other))),
  };
}

/** `includes`, which treats a scalar as a list with one item. Upstream: library.includes. */
const includesFunction: Functions = {
  'dyn.includes(dyn): bool': (target: unknown, wanted: unknown) =>
    Array.isArray(target) ? target.some(it => equal(it, wanted)) : equal(target, wanted),
};

/** Functions of strings, lists and sets. */
export function collectionFunctions(includes: 'has includes' | 'has none'): Functions {
  return {
    ...textFunctions,
    ...regexFunctions,
    ...listFunctions(),
    ...(includes === 'has includes' ? includesFunction : {}),
  };
}
