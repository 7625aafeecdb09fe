import type { ResolvedCall } from './check';
import {
  fixed,
  listBase,
  plus,
  product,
  regexFactor,
  type SizeRange,
  scaled,
  stringFactor,
  sumOf,
  times,
  unknownSize,
} from './costRange';
import type { Overload } from './declarations';
import type { Expr } from './nodes';
import { isSame, type Type } from './types';

/** An operand of a call: its size, and that of an item if it is a list. Upstream: checker.AstNode. */
export interface CostNode {
  readonly expr: Expr;
  readonly type: Type;
  readonly size: SizeRange | undefined;
  itemSize(): SizeRange;
}

/** The cost of a call without that of its operands. `joins`: the size is that of either operand, or of both. */
export interface CallEstimate {
  readonly cost: number;
  readonly size?: SizeRange;
  readonly joins?: 'choice' | 'both';
}

interface Call {
  readonly overload: Overload;
  readonly target: CostNode | undefined;
  readonly args: readonly CostNode[];
}

type Rule = (call: Call) => CallEstimate | undefined;

const ONE: CallEstimate = { cost: 1 };
const sizeOf = (node: CostNode | undefined): SizeRange => node?.size ?? unknownSize;
const typeName = ({ args }: Overload, i: number): string => args[i]?.name ?? '';
const isTextType = (name: string | undefined): boolean => name === 'string' || name === 'bytes';

/** Upstream: library.CostEstimator.EstimateCallCost, the estimators of ext, and checker's functionCost. */
export function functionCost(
  { name }: ResolvedCall,
  overload: Overload,
  target: CostNode | undefined,
  args: readonly CostNode[],
): CallEstimate {
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  return rule?.({ overload, target, args }) ?? ONE;
}

/** The cost of reading an argument. */
const reading =
  (factor: number): Rule =>
  ({ args }) => ({ cost: scaled(sizeOf(args[0]).max, factor) });

/** The cost of reading the target, whose size is that of the result. */
const transforming: Rule = ({ target }) =>
  target && { cost: scaled(sizeOf(target).max, stringFactor), size: sizeOf(target) };

/** Scanning a list or, for `indexOf`, a string. */
const scanning: Rule = ({ target }) => {
  if (target === undefined) return undefined;
  const { max } = sizeOf(target);
  const item = target.type.params[0];
  if (item === undefined) return { cost: scaled(max, stringFactor) };
  const text = isTextType(item.kind) ? scaled(target.itemSize().max, stringFactor) : 0;
  return { cost: times(max, plus(1, text)) };
};

/** The same for `includes`, whose target may be anything. */
const including: Rule = call => {
  const { target } = call;
  return target && target.type.params.length === 0 ? { cost: sizeOf(target).max } : scanning(call);
};

const regexCost = (text: SizeRange, pattern: SizeRange): number =>
  times(scaled(plus(text.max, 1), stringFactor), scaled(pattern.max, regexFactor));

const matching: Rule = ({ target, args }) => {
  const [text, pattern] = target === undefined ? args : [target, args[0]];
  return { cost: regexCost(sizeOf(text), sizeOf(pattern)) };
};

const finding: Rule = ({ target, args }) =>
  target && {
    cost: regexCost(sizeOf(target), sizeOf(args[0])),
    size: { min: 0, max: sizeOf(target).max },
  };

const splitting: Rule = ({ target, args }) => {
  const { max } = sizeOf(target);
  const limit = integerOf(args[1]);
  const most = limit === undefined ? max : Number(BigInt.asUintN(64, limit));
  return { cost: scaled(max, 2 * stringFactor), size: { min: 0, max: most } };
};

const joining: Rule = ({ target, args }) => {
  if (target === undefined) return undefined;
  const count = sizeOf(target);
  const items = target.type.params.length === 0 ? fixed(0) : product(count, target.itemSize());
  const gaps: SizeRange = { min: Math.max(count.min - 1, 0), max: Math.max(count.max - 1, 0) };
  const size = args[0] === undefined ? items : sumOf(items, product(sizeOf(args[0]), gaps));
  return { cost: scaled(size.max, stringFactor), size };
};

/** The maximum results from replacing the shortest pieces by the longest text, the minimum from the opposite. */
const replacing: Rule = ({ target, args }) => {
  const [size, old, by] = [sizeOf(target), sizeOf(args[0]), sizeOf(args[1])];
  const end = (own: number, piece: number, text: number, isUnchanged: boolean): number => {
    if (piece === 0) return plus(times(plus(own, 1), text), own);
    return isUnchanged ? own : times(Math.ceil(own / piece), text);
  };
  return {
    cost: scaled(size.max, 2 * stringFactor),
    size: {
      min: end(size.min, old.max, by.min, old.max <= by.min),
      max: end(size.max, old.min, by.max, by.max <= old.min),
    },
  };
};

/** Comparing two addresses of 4 or 16 bytes, and parsing the other one if it is a text. */
const containing =
  (more: number): Rule =>
  ({ overload, args }) => {
    const parsed = typeName(overload, 1) === 'string' ? scaled(sizeOf(args[0]).max, stringFactor) : 0;
    return { cost: plus(scaled(32, stringFactor), more, parsed) };
  };

const comparingSets =
  (factor: number): Rule =>
  ({ args }) => ({ cost: plus(scaled(times(sizeOf(args[0]).max, sizeOf(args[1]).max), factor), 1) });

/** The cost of making a list of a size. Upstream: estimateAllocatingListCall. */
const making = (size: SizeRange, factor = 1): CallEstimate => ({
  cost: plus(scaled(size.max, factor), 1, listBase),
  size,
});

function integerOf(node: CostNode | undefined): bigint | undefined {
  const value = node?.expr.kind === 'literal' ? node.expr.value : undefined;
  return typeof value === 'bigint' ? value : undefined;
}

/** Upstream: nodeAsUintValue. */
function literalOr(node: CostNode | undefined, other: number): number {
  const number = integerOf(node);
  return number === undefined ? other : Math.max(Number(number), 0);
}

const slicing: Rule = ({ target, args }) => {
  const [start, end] = [literalOr(args[0], 0), literalOr(args[1], sizeOf(target).max)];
  // Upstream subtracts unsigned integers.
  return making(fixed(end < start ? unknownSize.max : end - start));
};

const sorting =
  (index: 0 | 1): Rule =>
  ({ overload, target, args }) => {
    const size = sizeOf(index === 0 ? target : args[0]);
    const isText = isTextType(overload.args[index]?.params[0]?.name);
    return making(product(size, size), isText ? 2 + stringFactor : 2);
  };

/** Upstream: FormatType, IPType, and the other types that are compared as a whole. */
const COMPARED_ONCE: ReadonlySet<string> = new Set([
  ...['net.IP', 'net.CIDR', 'kubernetes.Quantity', 'kubernetes.Semver'],
  ...['Authorizer', 'PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision'].map(it => `kubernetes.authorization.${it}`),
]);

/** Upstream: MaxFormatSize, and MaxNameFormatRegexSize times the factor of patterns. */
const FORMAT_SIZE = 64;
const FORMAT_FACTOR = 128 * regexFactor;

const comparing: Rule = ({ args }) => ({
  cost: scaled(Math.min(sizeOf(args[0]).max, sizeOf(args[1]).max), stringFactor),
});

const equating: Rule = call => {
  const [a, b] = call.args;
  if (a === undefined || b === undefined || !isSame(a.type, b.type)) return comparing(call);
  if (COMPARED_ONCE.has(a.type.name)) return ONE;
  if (a.type.name === 'kubernetes.NamedFormat') return { cost: scaled(FORMAT_SIZE, stringFactor) };
  if (a.type.name === 'kubernetes.URL') return { cost: scaled(b.size?.max ?? 1, stringFactor) };
  return comparing(call);
};

const ordering: Rule = call => (isTextType(typeName(call.overload, 0)) && comparedAlike(call) ? comparing(call) : ONE);
const comparedAlike = ({ overload }: Call): boolean => typeName(overload, 0) === typeName(overload, 1);

const adding: Rule = ({ overload, args }) => {
  const kind = typeName(overload, 0);
  if (kind === 'list') return { cost: 1, joins: 'both' };
  if (!isTextType(kind)) return ONE;
  return { cost: scaled(plus(sizeOf(args[0]).max, sizeOf(args[1]).max), stringFactor), joins: 'both' };
};

/** The cost of converting a text to bytes or back, whose result may be four times as long or short. */
const converting =
  (from: 'string' | 'bytes'): Rule =>
  ({ overload, args }) => {
    if (typeName(overload, 0) !== from) return ONE;
    const { min, max } = sizeOf(args[0]);
    const size = from === 'string' ? { min, max: times(max, 4) } : { min: Math.floor(min / 4), max };
    return { cost: scaled(max, stringFactor), size };
  };

const quoting: Rule = ({ args }) => {
  const { min, max } = sizeOf(args[0]);
  return { cost: scaled(max, stringFactor), size: { min: plus(min, 2), max: plus(times(max, 2), 2) } };
};

const named = (names: string, rule: Rule): Readonly<Record<string, Rule>> =>
  Object.fromEntries(names.split(' ').map(it => [it, rule]));

const OPERATORS: Readonly<Record<string, Rule>> = {
  '_?_:_': () => ({ cost: 0, joins: 'choice' }),
  '_+_': adding,
  '_==_': equating,
  '_!=_': comparing,
  ...named('_<_ _<=_ _>_ _>=_', ordering),
  '@in': ({ overload, args }) => (typeName(overload, 1) === 'list' ? { cost: sizeOf(args[1]).max } : ONE),
};

const LISTS: Readonly<Record<string, Rule>> = {
  ...named('isSorted sum max min indexOf lastIndexOf', scanning),
  includes: including,
  'sets.contains': comparingSets(1),
  'sets.intersects': comparingSets(1),
  'sets.equivalent': comparingSets(2),
  slice: slicing,
  'lists.range': ({ args }) => making(fixed(literalOr(args[0], unknownSize.max))),
  reverse: ({ target }) => making(sizeOf(target)),
  flatten: ({ target, args }) => making(sizeOf(target), args.length === 0 ? 1 : literalOr(args[0], unknownSize.max)),
  distinct: ({ target }) => making(product(sizeOf(target), sizeOf(target)), 2),
  sort: sorting(0),
  '@sortByAssociatedKeys': sorting(1),
};

const RULES: Readonly<Record<string, Rule>> = {
  ...OPERATORS,
  ...LISTS,
  ...named('cidr isIP isCIDR quantity isQuantity semver isSemver startsWith endsWith', reading(stringFactor)),
  ...named('lowerAscii upperAscii substring trim', transforming),
  ...named('find findAll', finding),
  url: ({ args }) => ({ cost: scaled(sizeOf(args[0]).max, stringFactor), size: sizeOf(args[0]) }),
  // `ip` of a CIDR reads a field; the other `ip` parses a text.
  ip: call => (call.target === undefined ? reading(stringFactor)(call) : ONE),
  'ip.isCanonical': reading(2 * stringFactor),
  validate: ({ args }) => ({ cost: scaled(scaled(sizeOf(args[0]).max, stringFactor), FORMAT_FACTOR) }),
  replace: replacing,
  split: splitting,
  join: joining,
  matches: matching,
  contains: ({ target, args }) => ({
    cost: times(scaled(sizeOf(target).max, stringFactor), scaled(sizeOf(args[0]).max, stringFactor)),
  }),
  containsIP: containing(0),
  containsCIDR: containing(plus(scaled(16, stringFactor), 1)),
  format: ({ target }) => ({ cost: scaled(sizeOf(target).max, stringFactor) }),
  bytes: converting('string'),
  string: converting('bytes'),
  'strings.quote': quoting,
};
