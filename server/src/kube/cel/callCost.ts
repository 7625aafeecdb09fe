import {
  type CostRange,
  type Estimate,
  fixed,
  listBase,
  product,
  regexFactor,
  scaled,
  sizeOf,
  stringFactor,
  sum,
  times,
  unknownSize,
} from './costRange';
import type { CelNode } from './library';

/** The cost of calling a function, without that of its arguments. Upstream: EstimateCallCost. */
export function costOfCall(
  name: string,
  target: Estimate | undefined,
  args: readonly Estimate[],
  nodes: readonly CelNode[],
): CostRange {
  const made = madeList(name, target, nodes);
  if (made !== undefined) return sum(scaled(made.size, made.factor), fixed(1 + listBase));
  // `ip` of a CIDR reads a field; the other `ip` parses a text.
  const rule = name === 'ip' && target !== undefined ? undefined : rules[name];
  return rule === undefined ? fixed(1) : rule(target, args);
}

/** The size of a function's result, if it depends on the arguments. Upstream: CallEstimate.ResultSize. */
export function sizeOfCall(
  name: string,
  target: Estimate | undefined,
  args: readonly Estimate[],
  nodes: readonly CelNode[],
): CostRange | undefined {
  const size = sizeOf(target);
  const made = madeList(name, target, nodes);
  if (made !== undefined) return made.size;
  switch (name) {
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
      return size;
    case 'find':
    case 'findAll':
      return { min: 0, max: size.max };
    case 'split': {
      const limit = nodes[1]?.op === 'value' ? nodes[1].args : undefined;
      return { min: 0, max: typeof limit === 'bigint' && limit >= 0n ? Number(limit) : size.max };
    }
    case 'replace':
      return replacedSize(size, sizeOf(args[0]), sizeOf(args[1]));
    case 'join':
      return joinedSize(target, args[0]);
    default:
      return undefined;
  }
}

/** Functions that create a list: its size, and the cost of each item. Upstream: cel-go ext.Lists. */
function madeList(
  name: string,
  target: Estimate | undefined,
  nodes: readonly CelNode[],
): { readonly size: CostRange; readonly factor: number } | undefined {
  const size = sizeOf(target);
  const literal = (i: number, other: number): number => {
    const node = nodes[i];
    return node?.op === 'value' && typeof node.args === 'bigint' && node.args >= 0n ? Number(node.args) : other;
  };
  switch (name) {
    case 'slice':
      return { size: fixed(literal(1, size.max) - literal(0, 0)), factor: 1 };
    case 'lists.range':
      return { size: fixed(literal(0, Number.POSITIVE_INFINITY)), factor: 1 };
    case 'reverse':
      return { size, factor: 1 };
    case 'flatten':
      return { size, factor: nodes.length === 0 ? 1 : literal(0, Number.POSITIVE_INFINITY) };
    case 'distinct':
      return { size: product(size, size), factor: 2 };
    case 'sort': {
      const isText = ['string', 'bytes'].includes(target?.type?.valueType?.name ?? '');
      return { size: product(size, size), factor: isText ? 2 + stringFactor : 2 };
    }
    default:
      return undefined;
  }
}

/** The maximum results from replacing the shortest pieces by the longest text, the minimum from the opposite. */
function replacedSize(size: CostRange, old: CostRange, by: CostRange): CostRange {
  const end = (own: number, piece: number, text: number, keeps: 'grows' | 'shrinks'): number => {
    if (piece === 0) return times(own + 1, text) + own;
    const isUnchanged = keeps === 'grows' ? text <= piece : piece <= text;
    return isUnchanged ? own : times(Math.ceil(own / piece), text);
  };
  return { min: end(size.min, old.max, by.min, 'shrinks'), max: end(size.max, old.min, by.max, 'grows') };
}

function joinedSize(target: Estimate | undefined, separator: Estimate | undefined): CostRange {
  const count = sizeOf(target);
  // Unless they are declared, the sizes of a list's strings count as unknown, even those of literals.
  const items = product(count, target?.items ?? unknownSize);
  if (separator === undefined) return items;
  const gaps: CostRange = { min: Math.max(count.min - 1, 0), max: Math.max(count.max - 1, 0) };
  return sum(items, product(sizeOf(separator), gaps));
}

type Rule = (target: Estimate | undefined, args: readonly Estimate[]) => CostRange;

const byFirst =
  (factor: number): Rule =>
  (_, [arg]) =>
    scaled(sizeOf(arg), factor);
const byTarget =
  (factor: number): Rule =>
  target =>
    scaled(sizeOf(target), factor);
const regexRule: Rule = (target, args) => {
  const [text, pattern] = target === undefined ? args : [target, args[0]];
  return product(scaled(sum(sizeOf(text), fixed(1)), stringFactor), scaled(sizeOf(pattern), regexFactor));
};
/** Comparing two addresses of 4 or 16 bytes, and parsing the other one if it is a text. */
const containment =
  (more: (size: CostRange) => CostRange): Rule =>
  (_, [other]) => {
    const bytes: CostRange = { min: 4, max: 16 };
    const parsed = other?.type?.name === 'string' ? scaled(sizeOf(other), stringFactor) : fixed(0);
    return sum(scaled(sum(bytes, bytes), stringFactor), more(bytes), parsed);
  };

function comparedSets(factor: number): Rule {
  return (_, [a, b]) => sum(scaled(product(sizeOf(a), sizeOf(b)), factor), fixed(1));
}

/** Scanning a list or, for `indexOf`, a string. */
const scan: Rule = target => {
  if (target?.type?.kind !== 'list') return scaled(sizeOf(target), target?.type?.kind === 'dyn' ? 1 : stringFactor);
  const isText = ['string', 'bytes'].includes(target.type.valueType?.name ?? '');
  const item = isText ? sum(fixed(1), scaled(target.items ?? unknownSize, stringFactor)) : fixed(1);
  return product(sizeOf(target), item);
};

const rules: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf', 'includes'].map(it => [it, scan])),
  ...Object.fromEntries(
    [
      'url',
      'cidr',
      'ip',
      'isIP',
      'isCIDR',
      'quantity',
      'isQuantity',
      'semver',
      'isSemver',
      'startsWith',
      'endsWith',
    ].map(it => [it, byFirst(stringFactor)]),
  ),
  ...Object.fromEntries(['lowerAscii', 'upperAscii', 'substring', 'trim'].map(it => [it, byTarget(stringFactor)])),
  'ip.isCanonical': byFirst(2 * stringFactor),
  replace: byTarget(2 * stringFactor),
  split: byTarget(2 * stringFactor),
  join: (target, [separator]) => scaled(joinedSize(target, separator), stringFactor),
  matches: regexRule,
  find: regexRule,
  findAll: regexRule,
  contains: (target, [arg]) => product(scaled(sizeOf(target), stringFactor), scaled(sizeOf(arg), stringFactor)),
  'sets.contains': comparedSets(1),
  'sets.intersects': comparedSets(1),
  'sets.equivalent': comparedSets(2),
  containsIP: containment(() => fixed(0)),
  containsCIDR: containment(size => sum(scaled(size, stringFactor), fixed(1))),
};
