import { type CallEstimate, type CostNode, functionCost } from './callCost';
import type { Checked, ResolvedCall } from './check';
import {
  fixed,
  listBase,
  mapBase,
  plus,
  type SizeRange,
  structBase,
  sumOf,
  times,
  union,
  unknownSize,
} from './costRange';
import type { Comprehension, Expr, ExprOf } from './nodes';
import {
  type Coster,
  continued,
  copySizes,
  costNode,
  entriesOf,
  type Local,
  localOf,
  pathOf,
  type SizeOfPath,
  sizeOf,
  within,
} from './sizes';

/**
 * The maximum cost of a checked expression, in upstream's units. Above 2^53 it is the nearest number. Upstream: cel-go
 * checker.Cost with k8s.io/apiserver/pkg/cel/library.CostEstimator.
 */
export function expressionCost(root: Expr, checked: Checked, sizeOfPath: SizeOfPath): number {
  return costOf(root, {
    checked,
    sizeOfPath,
    costs: new Map(),
    sizes: new Map(),
    entries: new Map(),
    paths: new Map(),
  });
}

/** A node that a macro uses twice has one cost. */
function costOf(node: Expr, coster: Coster): number {
  const known = coster.costs.get(node);
  if (known !== undefined) return known;
  const cost = costOfKind(node, coster);
  coster.costs.set(node, cost);
  return cost;
}

function costOfKind(node: Expr, coster: Coster): number {
  switch (node.kind) {
    case 'literal':
      return 0;
    case 'ident':
      return nameCost(node, node.name, coster);
    case 'select':
      return selectCost(node, coster);
    case 'call':
      return callCost(node, coster);
    case 'list':
      return listCost(node, coster);
    case 'map':
      return mapCost(node, coster);
    case 'struct':
      return plus(structBase, ...node.fields.map(it => costOf(it.value, coster)));
    default:
      return node.use === 'binding' ? bindingCost(node, coster) : loopCost(node, coster);
  }
}

/** A qualified name is one, and no selection. */
function nameCost(node: Expr, name: string, { locals, paths }: Coster): number {
  const local = locals?.get(name);
  const path = local === undefined ? continued(undefined, name) : local.path;
  if (path !== undefined) paths.set(node, path);
  return 1;
}

/** In Kubernetes a test of presence costs nothing, and an optional field counts as a call. */
function selectCost(node: ExprOf<'select'>, coster: Coster): number {
  const name = coster.checked.nameAt(node);
  if (name !== undefined) return nameCost(node, name, coster);
  const { operand, field, use } = node;
  const inner = costOf(operand, coster);
  if (use === 'test') return inner;
  if (use === 'optional') return plus(inner, 1);
  const { kind } = coster.checked.typeAt(operand);
  coster.paths.set(node, continued(pathOf(operand, coster), field));
  return plus(inner, kind === 'map' || kind === 'struct' || kind === 'param' ? 1 : 0);
}

function callCost(node: ExprOf<'call'>, coster: Coster): number {
  const { name, args, target } = node;
  if (name === 'dyn' && args.length === 1) {
    const cost = plus(1, costOf(args[0]!, coster));
    copySizes(node, args[0]!, coster);
    return cost;
  }
  const spent: number[] = [];
  const given = args.map(it => {
    spent.push(costOf(it, coster));
    return costNode(it, coster);
  });
  if (name === '_&&_' || name === '_||_') return plus(...spent);
  const resolved = coster.checked.callAt(node);
  if (resolved === undefined) return 0;
  const of = target !== undefined && resolved.style === 'method' ? target : undefined;
  if (of !== undefined) spent.push(costOf(of, coster));
  const chosen = name === '_?_:_' ? [spent[0]!, Math.max(spent[1]!, spent[2]!)] : spent;
  return plus(...chosen, overloadCost(node, resolved, of && costNode(of, coster), given, coster));
}

/** The largest cost of all overloads, without that of their arguments. */
function overloadCost(
  node: ExprOf<'call'>,
  call: ResolvedCall,
  target: CostNode | undefined,
  args: readonly CostNode[],
  coster: Coster,
): number {
  let most = 0;
  let size: SizeRange | undefined;
  for (const overload of call.overloads) {
    const estimate = estimated(node, functionCost(call, overload, target, args), args, coster);
    most = Math.max(most, estimate.cost);
    if (estimate.size !== undefined) size = size === undefined ? estimate.size : union(size, estimate.size);
    const container = call.name === '_[_]' ? overload.args[0]?.kind : undefined;
    if (container === 'list' || container === 'map') {
      size = entriesOf(node.args[0]!, coster)?.value;
      const step = container === 'list' ? '@items' : '@values';
      coster.paths.set(node, continued(pathOf(node.args[0]!, coster), step));
    }
    size ??= sizeOf(node, coster);
  }
  if (size !== undefined) coster.sizes.set(node, size);
  return most;
}

/** With the sizes of what `?:` chooses from and `+` joins. */
function estimated(
  node: ExprOf<'call'>,
  estimate: CallEstimate,
  args: readonly CostNode[],
  coster: Coster,
): CallEstimate {
  const [a, b] = node.name === '_?_:_' ? args.slice(1) : args;
  if (estimate.joins === undefined || a === undefined || b === undefined) return estimate;
  const [x, y] = [entriesOf(a.expr, coster), entriesOf(b.expr, coster)];
  if (x && y) coster.entries.set(node, { of: x.of, key: union(x.key, y.key), value: union(x.value, y.value) });
  const [m, n] = [a.size ?? unknownSize, b.size ?? unknownSize];
  const size = estimate.joins === 'choice' ? union(m, n) : sumOf(m, n);
  return { ...estimate, size };
}

function listCost(node: ExprOf<'list'>, coster: Coster): number {
  let cost = listBase;
  const sizes = node.items.map(({ value }) => {
    cost = plus(cost, costOf(value, coster));
    return sizeOf(value, coster) ?? unknownSize;
  });
  coster.entries.set(node, { of: 'list', key: fixed(1), value: unionOf(sizes) });
  return cost;
}

function mapCost(node: ExprOf<'map'>, coster: Coster): number {
  let cost = mapBase;
  const sizes = node.entries.map(({ key, value }) => {
    cost = plus(cost, costOf(key, coster), costOf(value, coster));
    return { key: sizeOf(key, coster) ?? unknownSize, value: sizeOf(value, coster) ?? unknownSize };
  });
  const [key, value] = [unionOf(sizes.map(it => it.key)), unionOf(sizes.map(it => it.value))];
  coster.entries.set(node, { of: 'map', key, value });
  return cost;
}

const unionOf = (sizes: readonly SizeRange[]): SizeRange =>
  sizes.length === 0 ? fixed(0) : sizes.reduce(union, { min: unknownSize.max, max: 0 });

function loopCost(node: Comprehension, coster: Coster): number {
  const { range, init, accumulator, variables, condition, step, result } = node;
  const before = plus(costOf(range, coster), costOf(init, coster));
  const outer = within(coster, [[accumulator, localOf(init, coster)]]);
  const inner = within(outer, loopVariables(variables, range, coster));
  const round = plus(costOf(condition, inner), costOf(step, inner));
  const after = costOf(result, outer);
  const count = sizeOf(range, coster) ?? unknownSize;
  if (init.kind === 'literal') coster.sizes.set(node, fixed(1));
  else if (init.kind === 'list' || init.kind === 'map') {
    coster.sizes.set(node, count);
    const entries = coster.entries.get(step);
    if (entries !== undefined) coster.entries.set(node, entries);
  }
  return plus(before, after, times(count.max, round));
}

function loopVariables(
  [first = '', second]: readonly string[],
  range: Expr,
  coster: Coster,
): readonly (readonly [string, Local])[] {
  const entries = entriesOf(range, coster);
  const path = pathOf(range, coster);
  const isList = (entries?.of ?? coster.checked.typeAt(range).kind) === 'list';
  const local = (step: string, size: SizeRange | undefined): Local => ({
    path: continued(path, step),
    size,
    entries: undefined,
  });
  const value = (): Local => local(isList ? '@items' : '@values', entries?.value);
  if (second === undefined) return [[first, isList ? value() : local('@keys', entries?.key)]];
  return [
    [first, local(isList ? '@indices' : '@keys', entries?.key)],
    [second, value()],
  ];
}

function bindingCost(node: Comprehension, coster: Coster): number {
  const { range, init, accumulator, result } = node;
  const before = plus(costOf(range, coster), costOf(init, coster));
  const cost = plus(before, costOf(result, within(coster, [[accumulator, localOf(init, coster)]])));
  copySizes(node, result, coster);
  return cost;
}
