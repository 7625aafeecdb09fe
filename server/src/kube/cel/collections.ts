import { type Functions, kubernetesEqualities, kubernetesTypes } from './functions';
import { compileRegex, type Regex, TOO_LONG } from './regex';

/** Something that this engine leaves undecided; never the fault of who wrote the expression. */
export class Undecided extends Error {}

type Values = readonly unknown[];

/** Upstream: Go's regexp. */
function regexOf(pattern: string, flags: string): Regex {
  const compiled = compileRegex(pattern, flags);
  if ('unsupported' in compiled) throw new Undecided(`${compiled.unsupported} is not simulated`);
  if ('error' in compiled) throw new Error(compiled.error);
  return compiled.regex;
}

/** An expression of JavaScript that finds where a text matches. Throws what an expression is told that does so. */
export function finderOf(pattern: string, flags: string, text: string): RegExp {
  const finder = regexOf(pattern, flags).finderFor(text);
  if (finder === undefined) throw new Undecided(`${TOO_LONG} is not simulated`);
  return finder;
}

function findAll(text: string, pattern: string, limit: bigint): readonly string[] {
  const all = [...text.matchAll(finderOf(pattern, 'g', text))];
  // RE2 finds nothing of no length where the match before ends.
  const isNew = (it: RegExpMatchArray, i: number) =>
    it[0] !== '' || i === 0 || it.index !== (all[i - 1]?.index ?? 0) + (all[i - 1]?.[0].length ?? 0);
  const found = all.filter(isNew).map(it => it[0]);
  return limit < 0n ? found : found.slice(0, Number(limit));
}

function range(text: string, index: bigint): number {
  const length = [...text].length;
  if (index < 0n || index > BigInt(length)) throw new Error(`index out of range: ${index}`);
  return Number(index);
}

function replace(text: string, old: string, by: string, limit: bigint): string {
  const parts = text.split(old);
  const count = limit < 0n ? parts.length - 1 : Math.min(Number(limit), parts.length - 1);
  return parts.slice(1).reduce((whole, part, i) => `${whole}${i < count ? by : old}${part}`, parts[0] ?? '');
}

/** Whether a text has a match anywhere. The evaluator's own would run any pattern of JavaScript. */
export function matches(text: unknown, pattern: unknown): boolean {
  if (typeof text !== 'string' || typeof pattern !== 'string') throw new Error('no such overload: matches');
  const told = regexOf(pattern, '').matches(text);
  if (told === undefined) throw new Undecided(`${TOO_LONG} is not simulated`);
  return told;
}

const textFunctions: Functions = {
  'matches(string, string): bool': matches,
  'string.find(string): string': (text: string, pattern: string) => finderOf(pattern, '', text).exec(text)?.[0] ?? '',
  'string.findAll(string): list<string>': (text: string, pattern: string) => findAll(text, pattern, -1n),
  'string.findAll(string, int): list<string>': (text: string, pattern: string, limit: bigint) =>
    findAll(text, pattern, limit),
  'string.charAt(int): string': (text: string, index: bigint) => [...text][range(text, index)] ?? '',
  'string.replace(string, string): string': (text: string, old: string, by: string) => replace(text, old, by, -1n),
  'string.replace(string, string, int): string': replace,
  'StringsNamespace.quote(string): string': (_: unknown, text: string) => JSON.stringify(text),
};

function order(a: unknown, b: unknown): number {
  const [x, y] = [a, b].map(it => (typeof it === 'boolean' ? Number(it) : it)) as [number, number];
  if (typeof x !== typeof y && !(isNumeric(x) && isNumeric(y))) throw new Error('no such overload');
  return x < y ? -1 : x > y ? 1 : 0;
}

const isNumeric = (it: unknown): boolean => typeof it === 'number' || typeof it === 'bigint';

function extreme(values: Values, name: 'min' | 'max'): unknown {
  if (values.length === 0) throw new Error(`${name} called on empty list`);
  const wanted = name === 'min' ? -1 : 1;
  return values.reduce((best, it) => (order(it, best) === wanted ? it : best));
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
function equal(a: unknown, b: unknown): boolean {
  if (isNumeric(a) && isNumeric(b)) return order(a, b) === 0;
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
  const summable = ['int', 'double'].map(type => [
    `list<${type}>.sum(): ${type}`,
    (values: readonly (number | bigint)[]) =>
      type === 'int'
        ? (values as readonly bigint[]).reduce((sum, it) => sum + it, 0n)
        : (values as readonly number[]).reduce((sum, it) => sum + it, 0),
  ]);
  return {
    ...Object.fromEntries(summable),
    'list<A>.isSorted(): bool': (values: Values) => values.every((it, i) => i === 0 || order(values[i - 1], it) <= 0),
    'list<A>.min(): A': (values: Values) => extreme(values, 'min'),
    'list<A>.max(): A': (values: Values) => extreme(values, 'max'),
    'list<A>.indexOf(A): int': (values: Values, wanted: unknown) => BigInt(values.findIndex(it => equal(it, wanted))),
    'list<A>.lastIndexOf(A): int': (values: Values, wanted: unknown) =>
      BigInt(values.findLastIndex(it => equal(it, wanted))),
    'list<A>.slice(int, int): list<A>': slice,
    'list<dyn>.flatten(): list<dyn>': (values: Values) => flatten(values, 1n),
    'list<dyn>.flatten(int): list<dyn>': flatten,
    'list<A>.sort(): list<A>': (values: Values) => values.toSorted(order),
    'list<A>.reverse(): list<A>': (values: Values) => values.toReversed(),
    'list<A>.distinct(): list<A>': (values: Values) => distinct(values),
    'ListsNamespace.range(int): list<int>': (_: unknown, count: bigint) =>
      Array.from({ length: Math.min(Number(count), 1_000_000) }, (_it, i) => BigInt(i)),
    'SetsNamespace.contains(list<A>, list<A>): bool': (_: unknown, a: Values, b: Values) => isSubset(a, b),
    'SetsNamespace.equivalent(list<A>, list<A>): bool': (_: unknown, a: Values, b: Values) =>
      isSubset(a, b) && isSubset(b, a),
    'SetsNamespace.intersects(list<A>, list<A>): bool': (_: unknown, a: Values, b: Values) =>
      a.some(it => b.some(other => equal(it, other))),
  };
}

/** `includes`, which speaks of a list's items or of a scalar as if it were the only one. Upstream: library.includes. */
const includesFunction: Functions = {
  'dyn.includes(dyn): bool': (target: unknown, wanted: unknown) =>
    Array.isArray(target) ? target.some(it => equal(it, wanted)) : equal(target, wanted),
};

/** Functions of strings, lists and sets. */
export function collectionFunctions(includes: 'has includes' | 'has none'): Functions {
  return { ...textFunctions, ...listFunctions(), ...(includes === 'has includes' ? includesFunction : {}) };
}
