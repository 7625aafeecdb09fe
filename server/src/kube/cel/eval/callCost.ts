import type { ResolvedCall } from '../checker/check';
import { CelCidr, CelIp, CelQuantity, CelSemver, CelUrl } from '../values';
import { InternalError } from './meter';
import { allParts, type PartsLeft, take } from './partsLeft';
import { CelFormat, CelList, CelMap, CelOptional, type CelValue, sizeOf, typeName } from './values';

/** What one call costs at run time, without its arguments. */
export type CallCost = (args: readonly CelValue[], result: CelValue) => number;

const STRING = 0.1;
const REGEX = 0.25;
const LIST_BASE = 10;
const ONE: CallCost = () => 1;

const scaled = (size: number, factor: number): number => Math.ceil(size * factor);
const size = (args: readonly CelValue[], i: number): number => sizeOf(args[i] ?? null);

/** The cost of reading an argument. */
const reading =
  (index: number, factor = STRING): CallCost =>
  args =>
    scaled(size(args, index), factor);

const regexCost: CallCost = args => scaled(1 + size(args, 0), STRING) * scaled(size(args, 1), REGEX);

/** The cost of all texts in a value, each rounded down. Upstream: library.traversalCost. */
function traversal(value: CelValue | undefined, steps: PartsLeft): number {
  take(steps);
  if (typeof value === 'string') return Math.floor(Buffer.byteLength(value) * STRING);
  if (value instanceof Uint8Array) return Math.floor(value.length * STRING);
  if (value instanceof CelList) {
    let cost = 0;
    for (let i = 0; i < value.size; i++) cost += traversal(value.at(i), steps);
    return cost;
  }
  if (!(value instanceof CelMap)) return 1;
  return value
    .keys()
    .reduce((cost: number, key) => cost + traversal(key, steps) + traversal(value.find(key), steps), 0);
}

const traversing: CallCost = ([of]) => traversal(of, allParts());

/** Comparing addresses, and parsing one that is declared as text. */
function containing(of: 'address' | 'block', other: string | undefined): CallCost {
  return args => {
    const own = size(args, 0);
    const masked = of === 'block' ? scaled(own, STRING) + 1 : 0;
    return scaled(own + own, STRING) + masked + (other === 'string' ? scaled(size(args, 1), STRING) : 0);
  };
}

/** Upstream: trackAllocatingListCall. */
const making = (count: number, factor = 1): number => Math.floor(count * (factor < 0 ? 1 : factor)) + 1 + LIST_BASE;

/** Comparing every item with every other. Upstream: trackListSelfCompare. */
function selfComparing(list: CelValue | undefined): number {
  if (!(list instanceof CelList)) {
    throw new InternalError('interface conversion: *types.Err is not traits.Lister: missing method Add');
  }
  if (list.size === 0) return making(0);
  const type = typeName(list.at(0));
  return making(list.size * list.size, type === 'string' || type === 'bytes' ? 2 + STRING : 2);
}

function depthOf(depth: CelValue | undefined): number {
  if (depth === undefined || typeof depth === 'bigint') return Number(depth ?? 1);
  throw new InternalError('interface conversion: ref.Val is *types.Err, not types.Int');
}

const comparingSets =
  (factor: number): CallCost =>
  args =>
    1 + size(args, 0) * size(args, 1) * factor;

/** Functions whose cost hangs on the name alone. Upstream: library.CostEstimator.CallCost. */
const BY_NAME: Readonly<Record<string, CallCost>> = {
  ...named('isSorted sum max min indexOf lastIndexOf includes', traversing),
  ...named('url lowerAscii upperAscii substring trim', reading(0)),
  ...named('cidr isIP isCIDR quantity isQuantity semver isSemver', reading(0)),
  ...named('replace split ip.isCanonical', reading(0, 2 * STRING)),
  ...named('find findAll', regexCost),
  join: (_, result) => scaled(sizeOf(result), 2 * STRING),
  ip: args => (args[0] instanceof CelCidr ? 1 : scaled(size(args, 0), STRING)),
  validate: ([format, text = null]) =>
    format instanceof CelFormat ? scaled(1 + sizeOf(text), STRING) * scaled(format.size, REGEX) : 1,
};

/** Functions whose cost is not 1 only where one overload is known to run. Upstream: CostTracker.costCall. */
const BY_OVERLOAD: Readonly<Record<string, CallCost>> = {
  slice: (_, result) => making(sizeOf(result)),
  'lists.range': (_, result) => making(sizeOf(result)),
  reverse: (_, result) => making(sizeOf(result)),
  flatten: args => making(size(args, 0), depthOf(args[1])),
  distinct: ([list]) => selfComparing(list),
  sort: ([list]) => selfComparing(list),
  '@sortByAssociatedKeys': args => selfComparing(args[1]),
  'sets.contains': comparingSets(1),
  'sets.intersects': comparingSets(1),
  'sets.equivalent': comparingSets(2),
  ...named('startsWith endsWith', reading(1)),
  ...named('strings.quote format', reading(0)),
  matches: regexCost,
  contains: args => scaled(size(args, 0), STRING) * scaled(size(args, 1), STRING),
};

function named(names: string, cost: CallCost): Readonly<Record<string, CallCost>> {
  return Object.fromEntries(names.split(' ').map(it => [it, cost]));
}

/** Functions whose cost hangs on the arguments alone, and whose time on their sizes: the cost is counted first. */
export const isCountedFirst = (name: string): boolean => COUNTED_FIRST.has(name);

const COUNTED_FIRST: ReadonlySet<string> = new Set(
  'sets.contains sets.intersects sets.equivalent distinct sort @sortByAssociatedKeys matches find findAll'.split(' '),
);

const isText = (type: string | undefined): boolean => type === 'string' || type === 'bytes';
const comparing: CallCost = args => scaled(Math.min(comparedSize(args[0]), comparedSize(args[1])), STRING);

/** Only here the size of an optional is that of its value. */
function comparedSize(value: CelValue | undefined): number {
  return value instanceof CelOptional && value.value !== undefined ? comparedSize(value.value) : sizeOf(value ?? null);
}

/** Values of Kubernetes' types are compared as a whole. */
const isWhole = (it: CelValue | undefined): boolean =>
  it instanceof CelQuantity ||
  it instanceof CelIp ||
  it instanceof CelCidr ||
  it instanceof CelFormat ||
  it instanceof CelUrl ||
  it instanceof CelSemver;

/** The run-time cost of a call whose overloads are known as far as its types are. */
export function callCostOf({ name, overloads }: ResolvedCall): CallCost {
  if (name === '_==_') return (args, result) => (isWhole(args[0]) ? 1 : comparing(args, result));
  if (name === '_!=_') return comparing;
  if (Object.hasOwn(BY_NAME, name)) return BY_NAME[name] ?? ONE;
  const [overload] = overloads;
  const other = overloads.length > 1 ? undefined : overload?.args[1]?.name;
  if (name === 'containsIP') return containing('address', other);
  if (name === 'containsCIDR') return containing('block', other);
  if (overload === undefined || overloads.length > 1) return ONE;
  if (Object.hasOwn(BY_OVERLOAD, name)) return BY_OVERLOAD[name] ?? ONE;
  const [first, second] = overload.args.map(it => it.kind);
  switch (name) {
    case '@in':
      return second === 'list' ? args => size(args, 1) : ONE;
    case '_+_':
      return isText(first) ? args => scaled(size(args, 0) + size(args, 1), STRING) : ONE;
    case '_<_':
    case '_<=_':
    case '_>_':
    case '_>=_':
      return isText(first) && first === second ? comparing : ONE;
    case 'bytes':
      return first === 'string' ? reading(0) : ONE;
    case 'string':
      return first === 'bytes' ? reading(0) : ONE;
    default:
      return ONE;
  }
}
