import type { Overload } from '../checker/declarations';
import type { Type } from '../checker/types';
import { quote } from '../quote';
import { CelCidr, CelIp } from '../values';
import { add, divide, modulo, multiply, negate, subtract } from './arithmetic';
import {
  contains,
  distinct,
  extreme,
  flatten,
  includes,
  inserted,
  insertedAll,
  isSorted,
  position,
  range,
  reversed,
  setContains,
  setsEquivalent,
  setsIntersect,
  slice,
  sortedBy,
  sum,
} from './collections';
import { compare } from './compare';
import { CONVERSIONS } from './conversions';
import { format } from './format';
import { formatNamed, kubernetesCall, kubernetesLibrary } from './kubernetes';
import { edge, ofNonZero, unwrapped, unwrappedValue } from './optionals';
import { regexImplementation } from './regex';
import * as strings from './strings';
import { partOf, TIME_PARTS } from './time';
import {
  CelDuration,
  CelFailure,
  type CelFormat,
  CelList,
  CelMap,
  CelOptional,
  CelUint,
  type CelValue,
  isFailure,
  listOf,
  NONE,
  noOverload,
  sizeOf,
  typeName,
} from './values';

/** What a function gives for arguments that none of are errors and that fit the overload. */
export type Implementation = (args: readonly CelValue[], overload: Overload | undefined) => CelValue;

/* The checker and `fits` have compared the types of the arguments with those of the overload. */
type Arg = never;
const typed =
  (run: (...args: Arg[]) => CelValue): Implementation =>
  args =>
    run(...(args as Arg[]));

const compared =
  (test: (order: number) => boolean): Implementation =>
  ([a = null, b = null]) => {
    const order = compare(a, b);
    return isFailure(order) ? order : test(order);
  };

const OPERATORS: Readonly<Record<string, Implementation>> = {
  '_+_': ([a = null, b = null]) => add(a, b),
  '_-_': ([a = null, b = null]) => subtract(a, b),
  '_*_': ([a = null, b = null]) => multiply(a, b),
  '_/_': ([a = null, b = null]) => divide(a, b),
  '_%_': ([a = null, b = null]) => modulo(a, b),
  '-_': ([a = null]) => negate(a),
  '!_': ([a = null]) => (typeof a === 'boolean' ? !a : isFailure(a) ? a : noOverload()),
  '_<_': compared(it => it < 0),
  '_<=_': compared(it => it <= 0),
  '_>_': compared(it => it > 0),
  '_>=_': compared(it => it >= 0),
  '@in': ([a = null, b = null]) => contains(b, a),
  size: ([a = null]) =>
    typeof a === 'string' || a instanceof Uint8Array || a instanceof CelList || a instanceof CelMap
      ? BigInt(sizeOf(a))
      : new CelFailure('no such overload: size'),
  sort: ([list = null]) => sortedBy(list, list),
  '@sortByAssociatedKeys': ([list = null, keys = null]) => sortedBy(list, keys),
};

/** Functions whose arguments are not compared with declared types first. Upstream: decls.SingletonBinaryBinding. */
export const isSingleton = (name: string): boolean =>
  Object.hasOwn(OPERATORS, name) || ['type', 'dyn', 'matches'].includes(name);

const LISTS: Readonly<Record<string, Implementation>> = {
  isSorted: typed(isSorted),
  min: typed((list: CelList) => extreme('min', list)),
  max: typed((list: CelList) => extreme('max', list)),
  sum: ([list = null], overload) => (list instanceof CelList ? sum(list, zeroOf(overload)) : noOverload()),
  includes: ([a = null, b = null]) => includes(a, b),
  'sets.contains': typed(setContains),
  'sets.equivalent': typed(setsEquivalent),
  'sets.intersects': typed(setsIntersect),
  'lists.range': typed(range),
  slice: typed(slice),
  flatten: typed((list: CelList, depth = 1n) => flatten(list, depth)),
  distinct: typed(distinct),
  reverse: typed(reversed),
  'cel.@mapInsert': ([map = null, key = null, value]) => {
    if (!(map instanceof CelMap)) return noOverload();
    if (value !== undefined) return inserted(map, key, value);
    return key instanceof CelMap ? insertedAll(map, key) : noOverload();
  },
};

/** Upstream: zeroValuesOfSummableTypes. */
function zeroOf(overload: Overload | undefined): CelValue {
  switch (overload?.result.name) {
    case 'double':
      return 0;
    case 'uint':
      return new CelUint(0n);
    case 'google.protobuf.Duration':
      return new CelDuration(0n);
    default:
      return 0n;
  }
}

const TEXTS: Readonly<Record<string, Implementation>> = {
  contains: typed((text: string, part: string) => text.includes(part)),
  startsWith: typed((text: string, part: string) => text.startsWith(part)),
  endsWith: typed((text: string, part: string) => text.endsWith(part)),
  charAt: typed(strings.charAt),
  substring: typed(strings.substring),
  lowerAscii: typed(strings.lowerAscii),
  upperAscii: typed(strings.upperAscii),
  trim: typed(strings.trim),
  replace: typed(strings.replace),
  split: typed(strings.split),
  join: typed(strings.join),
  format: typed(format),
  'strings.quote': typed(quote),
  indexOf: ([of = null, wanted = null, offset]) =>
    of instanceof CelList
      ? position(of, wanted, 'start')
      : strings.indexOf(of as string, wanted as string, offset as bigint),
  lastIndexOf: ([of = null, wanted = null, offset]) =>
    of instanceof CelList
      ? position(of, wanted, 'end')
      : strings.lastIndexOf(of as string, wanted as string, offset as bigint),
};

const OPTIONALS: Readonly<Record<string, Implementation>> = {
  'optional.none': () => NONE,
  'optional.of': ([value = null]) => new CelOptional(value),
  'optional.ofNonZeroValue': ([value = null]) => ofNonZero(value),
  'optional.unwrap': typed(unwrapped),
  unwrapOpt: typed(unwrapped),
  hasValue: typed((it: CelOptional) => it.value !== undefined),
  value: typed(unwrappedValue),
  first: typed((list: CelList) => edge(list, 'first')),
  last: typed((list: CelList) => edge(list, 'last')),
};

const FORMATS: Readonly<Record<string, Implementation>> = {
  'format.named': typed((name: string) => new CelOptional(formatNamed(name))),
  validate: typed((of: CelFormat, text: string) => {
    const errors = of.errors(text);
    return errors.length === 0 ? NONE : new CelOptional(listOf([...errors]));
  }),
};

const TIMES: Readonly<Record<string, Implementation>> = Object.fromEntries(
  TIME_PARTS.map((name): [string, Implementation] => [name, ([of = null, zone]) => partOf(name, of, zone)]),
);

const PLAIN: Readonly<Record<string, Implementation>> = {
  ...OPERATORS,
  ...LISTS,
  ...TEXTS,
  ...OPTIONALS,
  ...FORMATS,
  ...TIMES,
};

const LIBRARY = kubernetesLibrary();

/** Of one call: the last pattern of a regular expression is kept. undefined for a function of authorization. */
export function implementationOf(name: string): Implementation | undefined {
  const regex = regexImplementation(name);
  if (regex !== undefined) return regex;
  if (Object.hasOwn(PLAIN, name)) return PLAIN[name];
  const convert = Object.hasOwn(CONVERSIONS, name) ? CONVERSIONS[name] : undefined;
  if (convert !== undefined) {
    return args => {
      const [value = null] = args;
      const isAddress = value instanceof CelIp || value instanceof CelCidr;
      return isAddress && name === 'string' ? (kubernetesCall(LIBRARY, name, args) ?? noOverload()) : convert(value);
    };
  }
  const named = name.startsWith('format.') ? formatNamed(name.slice('format.'.length)) : undefined;
  if (named !== undefined) return () => named;
  if (!LIBRARY.has(name)) return undefined;
  return args => kubernetesCall(LIBRARY, name, args) ?? noOverload();
}

/** Whether a value may be used for a declared type; of lists and maps the first entry counts. Upstream: IsAssignableRuntimeType. */
export function fits(value: CelValue, type: Type): boolean {
  if (isFailure(value)) return false;
  if (type.kind === 'dyn' || type.kind === 'param') return true;
  if (typeName(value) !== type.name) return false;
  const [first, second] = type.params;
  if (value instanceof CelList) return value.size === 0 || first === undefined || fits(value.at(0), first);
  if (!(value instanceof CelMap) || value.size === 0 || first === undefined || second === undefined) return true;
  const [key] = value.keys();
  return key === undefined || (fits(key, first) && fits(value.find(key) ?? null, second));
}
