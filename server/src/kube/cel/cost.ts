import { type Call, callOf } from './ast';
import { costOfCall, sizeOfCall } from './callCost';
import {
  type CostEntries,
  type CostRange,
  costs,
  type Estimate,
  fixed,
  listBase,
  mapBase,
  product,
  scaled,
  sizeOf,
  stringFactor,
  sum,
  union,
} from './costRange';
import type { CelNode, CelType } from './library';

/**
 * The maximum cost of an expression, in upstream's units. Above 2^53 it is the nearest number. Upstream: cel-go
 * checker.Cost with k8s.io/apiserver/pkg/cel/library.CostEstimator.
 */
export function expressionCost(root: CelNode, sizeOfPath: SizeOfPath): number {
  return Math.min(estimate(root, { sizeOfPath, variables: new Map() }).cost.max, 2 ** 64);
}

/** The maximum size of the value at a path from a variable; `@keys`, `@values` and `@items` are the entries. */
export type SizeOfPath = (path: readonly string[]) => number | undefined;

interface Context {
  readonly sizeOfPath: SizeOfPath;
  readonly variables: ReadonlyMap<string, Estimate>;
}

const scalars: ReadonlySet<string> = new Set([
  'bool',
  'double',
  'int',
  'uint',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
]);

function isScalar(type: CelType | undefined): boolean {
  if (type?.kind === 'optional') return isScalar(type.valueType);
  return type !== undefined && scalars.has(type.name);
}

/** An estimate, with the size from the path or the type if none was computed. */
function estimated(node: CelNode, context: Context, part: Partial<Estimate> & { readonly cost: CostRange }): Estimate {
  const path = part.path ?? [];
  const most = path.length === 0 ? undefined : context.sizeOfPath(path);
  const byPath = most === undefined ? undefined : { min: 0, max: most };
  const byType = isScalar(node.checkedType) ? fixed(1) : undefined;
  return {
    cost: part.cost,
    type: node.checkedType,
    path,
    size: part.size ?? byPath ?? byType,
    entries: part.entries,
  };
}

function estimate(node: CelNode, context: Context): Estimate {
  const call = callOf(node);
  if (call !== undefined) return macroCost(node, call, context) ?? callCost(node, call, context);
  const ofOp = Object.hasOwn(COSTS, node.op) ? COSTS[node.op] : undefined;
  return ofOp ? ofOp(node, context) : operatorCost(node, partsOf(node, context), context);
}

function partsOf({ args }: CelNode, context: Context): readonly Estimate[] {
  return (args as readonly CelNode[]).map(it => estimate(it, context));
}

type CostOf = (node: CelNode, context: Context) => Estimate;

const valueCost: CostOf = (node, context) => {
  const { args } = node;
  const size = typeof args === 'string' ? [...args].length : ((args as Uint8Array | null)?.length ?? 1);
  return estimated(node, context, { cost: fixed(0), size: fixed(size) });
};

const nameCost: CostOf = (node, context) => {
  const name = String(node.args);
  const variable = context.variables.get(name);
  if (variable === undefined) return estimated(node, context, { cost: fixed(1), path: [name] });
  return { ...variable, type: node.checkedType ?? variable.type, cost: fixed(1) };
};

const fieldCost: CostOf = (node, context) => {
  const [operand, field] = node.args as readonly [CelNode, string];
  const of = estimate(operand, context);
  const counts = of.type?.kind === 'map' || of.type?.kind === 'message' || of.type?.kind === 'param';
  return estimated(node, context, { cost: sum(of.cost, fixed(counts ? 1 : 0)), path: [...of.path, field] });
};

const optionalFieldCost: CostOf = (node, context) => {
  const of = estimate((node.args as readonly [CelNode, string])[0], context);
  return estimated(node, context, { cost: sum(of.cost, fixed(1)) });
};

const elementCost: CostOf = (node, context) => {
  const [of, index] = partsOf(node, context) as [Estimate, Estimate];
  const step = of.type?.kind === 'list' ? '@items' : '@values';
  const value = of.entries?.value;
  return estimated(node, context, {
    cost: sum(of.cost, index.cost, fixed(1)),
    // Upstream continues the path of a value without one, too.
    path: [...of.path, step],
    ...(value && { size: value }),
  });
};

const listCost: CostOf = (node, context) => {
  const items = partsOf(node, context);
  const value = items.map(sizeOf).reduce(union, fixed(items.length === 0 ? 0 : (items[0]?.size?.min ?? 0)));
  return estimated(node, context, {
    cost: sum(costs(items), fixed(listBase)),
    size: fixed(items.length),
    entries: { key: fixed(1), value },
  });
};

const mapCost: CostOf = (node, context) => {
  const pairs = (node.args as readonly (readonly CelNode[])[]).map(it => it.map(part => estimate(part, context)));
  const range = (i: number): CostRange =>
    pairs.map(it => sizeOf(it[i])).reduce(union, pairs.length === 0 ? fixed(0) : sizeOf(pairs[0]?.[i]));
  return estimated(node, context, {
    cost: sum(costs(pairs.flat()), fixed(mapBase)),
    size: fixed(pairs.length),
    entries: { key: range(0), value: range(1) },
  });
};

const choiceCost: CostOf = (node, context) => {
  const [when, a, b] = partsOf(node, context) as [Estimate, Estimate, Estimate];
  return estimated(node, context, {
    cost: sum(when.cost, union(a.cost, b.cost)),
    size: union(sizeOf(a), sizeOf(b)),
    entries: a.entries && b.entries && unionEntries(a.entries, b.entries),
  });
};

/** The second operand may be skipped. */
const logicCost: CostOf = (node, context) => {
  const [a, b] = partsOf(node, context) as [Estimate, Estimate];
  return estimated(node, context, { cost: { min: a.cost.min, max: a.cost.max + b.cost.max } });
};

const unaryCost: CostOf = (node, context) =>
  estimated(node, context, { cost: sum(estimate(node.args as CelNode, context).cost, fixed(1)) });

/** By operation; an operation without an entry is an operator with operands. */
const COSTS: Readonly<Record<string, CostOf>> = {
  value: valueCost,
  id: nameCost,
  '.': fieldCost,
  '.?': optionalFieldCost,
  '[]': elementCost,
  list: listCost,
  map: mapCost,
  '?:': choiceCost,
  '&&': logicCost,
  '||': logicCost,
  '!_': unaryCost,
  '-_': unaryCost,
};

const unionEntries = (a: CostEntries, b: CostEntries): CostEntries => ({
  key: union(a.key, b.key),
  value: union(a.value, b.value),
});

/** Types of Kubernetes, which are compared as a whole; objects of a schema have sizes. */
const isKubernetesType = (type: CelType | undefined): boolean =>
  type?.kind === 'message' && /^(?:kubernetes|net)\./.test(type.name);

const mayBe = (it: Estimate | undefined, ...names: readonly string[]): boolean =>
  it?.type === undefined || it.type.kind === 'dyn' || names.includes(it.type.name) || names.includes(it.type.kind);

function operatorCost(node: CelNode, operands: readonly Estimate[], context: Context): Estimate {
  const [a, b] = operands;
  const spent = costs(operands);
  const compared = scaled(comparison(sizeOf(a), sizeOf(b)), stringFactor);
  const one = fixed(1);
  const say = (cost: CostRange, size?: CostRange, entries?: CostEntries): Estimate =>
    estimated(node, context, { cost: sum(cost, spent), ...(size && { size }), ...(entries && { entries }) });
  switch (node.op) {
    case '==':
    case '!=':
      return say(isKubernetesType(a?.type) && a?.type?.name === b?.type?.name ? one : compared);
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const isText = mayBe(a, 'string', 'bytes') && mayBe(b, 'string', 'bytes');
      const isOnlyText = isText && [a, b].some(it => it?.type?.name === 'string' || it?.type?.name === 'bytes');
      return say(isOnlyText ? compared : isText ? union(compared, one) : one);
    }
    case 'in': {
      if (b?.type?.kind === 'map') return say(one);
      return say(b?.type?.kind === 'list' ? sizeOf(b) : union(sizeOf(b), one));
    }
    case '+': {
      const size = sum(sizeOf(a), sizeOf(b));
      const isText = mayBe(a, 'string', 'bytes') && mayBe(b, 'string', 'bytes');
      const isOnlyText = isText && [a, b].some(it => it?.type?.name === 'string' || it?.type?.name === 'bytes');
      const isOther = !isOnlyText;
      const joined = scaled(size, stringFactor);
      const entries = a?.entries && b?.entries && unionEntries(a.entries, b.entries);
      const isSized = isText || (mayBe(a, 'list') && mayBe(b, 'list'));
      return say(!isText ? one : isOther ? union(joined, one) : joined, isSized ? size : undefined, entries);
    }
    default:
      return say(one);
  }
}

function comparison(a: CostRange, b: CostRange): CostRange {
  const max = Math.min(a.max, b.max);
  return { min: max > 0 ? 1 : 0, max };
}

/** The loop of a macro: the cost of each round, and of what surrounds it. Reading `accu` costs 1 anywhere. */
function macroCost(node: CelNode, { name, target, args }: Call, context: Context): Estimate | undefined {
  if (name === 'has') {
    const operand = (args[0]?.args as readonly CelNode[] | undefined)?.[0];
    return estimated(node, context, { cost: operand ? estimate(operand, context).cost : fixed(0) });
  }
  if (name === 'cel.bind') {
    const [variable, value, body] = args as readonly [CelNode, CelNode, CelNode];
    const bound = estimate(value, context);
    const inner = estimate(body, within(context, String(variable.args), bound));
    return { ...inner, cost: sum(fixed(listBase), bound.cost, inner.cost) };
  }
  if (target === undefined || args[0]?.op !== 'id') return undefined;
  if (name === 'optMap' || name === 'optFlatMap') {
    const value = estimate(target, context);
    const inner = estimate(args[1]!, within(context, String(args[0].args), { ...value, path: [] }));
    return estimated(node, context, {
      cost: sum(value.cost, value.cost, fixed(listBase + (name === 'optMap' ? 3 : 2)), inner.cost),
    });
  }
  const loop = loops[name];
  const body = args[1];
  if (loop === undefined || body === undefined) return undefined;
  const range = estimate(target, context);
  const item = iterated(range, context);
  const inner = within(context, String(args[0].args), item);
  const steps = args.slice(1).map(it => estimate(it, inner));
  const itemSize = steps.length === 2 ? sizeOf(steps[1]) : name === 'filter' ? sizeOf(item) : sizeOf(steps[0]);
  return estimated(node, context, {
    cost: sum(range.cost, loop.around, product(sizeOf(range), loop.round(steps.map(it => it.cost)))),
    ...(loop.builds && { size: sizeOf(range), entries: { key: fixed(1), value: itemSize } }),
  });
}

interface Loop {
  readonly around: CostRange;
  readonly round: (steps: readonly CostRange[]) => CostRange;
  readonly builds?: true;
}

const first = (steps: readonly CostRange[]): CostRange => steps[0] ?? fixed(0);
/** `accu && p` or `accu || p`, which may end before `p`. */
const shortCircuit = (p: CostRange): CostRange => ({ min: 1, max: 1 + p.max });
const append = (item: CostRange): CostRange => sum(fixed(2 + listBase), item);

const loops: Readonly<Record<string, Loop>> = {
  all: { around: fixed(1), round: steps => sum(fixed(2), shortCircuit(first(steps))) },
  exists: { around: fixed(1), round: steps => sum(fixed(3), shortCircuit(first(steps))) },
  exists_one: { around: fixed(2), round: steps => sum(first(steps), { min: 1, max: 2 }) },
  filter: {
    around: fixed(listBase + 1),
    round: steps => sum(first(steps), union(append(fixed(1)), fixed(1))),
    builds: true,
  },
  map: {
    around: fixed(listBase + 1),
    round: ([p, t]) => (t === undefined ? append(p ?? fixed(0)) : sum(p ?? fixed(0), union(append(t), fixed(1)))),
    builds: true,
  },
};

function within(context: Context, name: string, value: Estimate): Context {
  return { ...context, variables: new Map([...context.variables, [name, value]]) };
}

/** The variable of a loop: an item of a list, a key of a map. */
function iterated(range: Estimate, context: Context): Estimate {
  const isList = range.type?.kind === 'list';
  const path = [...range.path, isList ? '@items' : '@keys'];
  const type = isList ? range.type?.valueType : range.type?.keyType;
  const most = context.sizeOfPath(path);
  const byPath = most === undefined ? undefined : { min: 0, max: most };
  const known = isList ? range.entries?.value : range.entries?.key;
  const size = byPath ?? (isScalar(type) ? fixed(1) : known);
  return { cost: fixed(1), type, path, size, entries: undefined };
}

/** With the size of a list's items, as far as its path tells. Upstream: CostEstimator.listElementNode. */
function withItems(of: Estimate, { sizeOfPath }: Context): Estimate {
  const most = of.path.length === 0 ? undefined : sizeOfPath([...of.path, '@items']);
  return most === undefined ? of : { ...of, items: { min: 0, max: most } };
}

function callCost(node: CelNode, { name, target, args }: Call, context: Context): Estimate {
  const of = target && withItems(estimate(target, context), context);
  const given = args.map(it => estimate(it, context));
  const spent = sum(of?.cost ?? fixed(0), costs(given));
  const only = given[0];
  if (name === 'dyn' && only !== undefined) return { ...only, type: node.checkedType, cost: sum(only.cost, fixed(1)) };
  const size = sizeOfCall(name, of, given, args);
  return estimated(node, context, { cost: sum(spent, costOfCall(name, of, given, args)), ...(size && { size }) });
}
