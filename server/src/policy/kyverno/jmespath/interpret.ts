import type { JsonValue } from '../../../base/json';
import { deepEqual, isList, isMap } from '../go/goValues';
import { type Budget, KyvernoError, UnknownKey } from '../results/failures';
import type { QueryNode } from './query';

/*
 * Written by hand over the parser of @jmespath-community: its interpreter has no budget of steps, no exact integers and
 * not the functions and missing keys of Kyverno.
 */

/** A missing field of an object. It ends a path, and counts as null everywhere else. */
class Missing {
  constructor(readonly key: string) {}
}

/** An expression passed to a function, `&name`. */
export class ExpressionReference {
  constructor(readonly of: (value: JsonValue) => JsonValue) {}
}

export type Argument = JsonValue | ExpressionReference;

export interface Caller {
  /** The result of a function. Throws a KyvernoError for unknown names and wrong arguments. */
  call(name: string, args: readonly Argument[]): JsonValue;
  readonly budget: Budget;
}

/**
 * The value of an expression. Throws UnknownKey for a path that does not exist, which is the only difference from
 * standard JMESPath. Upstream: kyverno/go-jmespath treeInterpreter.
 */
export function evaluateQuery(node: QueryNode, value: JsonValue, caller: Caller): JsonValue {
  const result = walk(node, value, caller);
  if (result instanceof Missing) throw new UnknownKey(result.key);
  return result;
}

type Result = JsonValue | Missing;

const known = (it: Result): JsonValue => (it instanceof Missing ? null : it);

function walk(node: QueryNode, value: JsonValue, caller: Caller): Result {
  caller.budget.spend(1);
  const soft = (it: unknown, of: JsonValue = value): JsonValue => known(walk(it as QueryNode, of, caller));
  switch (node.type) {
    case 'Field':
      if (!isMap(value)) return null;
      return Object.hasOwn(value, node.name) ? (value[node.name] ?? null) : new Missing(node.name);
    case 'Subexpression':
    case 'IndexExpression': {
      const left = walk(node.left as QueryNode, value, caller);
      return left instanceof Missing ? left : walk(node.right as QueryNode, left, caller);
    }
    case 'Pipe':
      return soft(node.right, soft(node.left));
    case 'Current':
    case 'Identity':
      return value;
    case 'Literal':
      return node.value as JsonValue;
    case 'Index':
      return isList(value) ? (value.at(node.value) ?? null) : null;
    case 'Slice':
      return isList(value) ? slice(value, node) : null;
    case 'Comparator':
      return compare(node.name, soft(node.left), soft(node.right));
    case 'OrExpression': {
      const left = soft(node.left);
      return isFalse(left) ? soft(node.right) : left;
    }
    case 'AndExpression': {
      const left = soft(node.left);
      return isFalse(left) ? left : walk(node.right as QueryNode, value, caller);
    }
    case 'NotExpression':
      return isFalse(soft(node.child));
    case 'MultiSelectList':
      return value === null ? null : node.children.map(it => soft(it));
    case 'MultiSelectHash':
      if (value === null) return null;
      return Object.fromEntries(node.children.map(it => [it.name, soft(it.value)]));
    case 'Function':
      return caller.call(
        node.name,
        node.children.map(it => argument(it as QueryNode, value, caller)),
      );
    default:
      return project(node, value, caller);
  }
}

function project(node: QueryNode, value: JsonValue, caller: Caller): Result {
  const soft = (it: unknown, of: JsonValue): JsonValue => known(walk(it as QueryNode, of, caller));
  const each = (items: readonly JsonValue[], right: unknown) =>
    items.map(it => soft(right, it)).filter(it => it !== null);
  switch (node.type) {
    case 'Projection': {
      const left = soft(node.left, value);
      return isList(left) ? each(left, node.right) : null;
    }
    case 'FilterProjection': {
      const left = orNull(node.left, value, caller);
      return isList(left)
        ? each(
            left.filter(it => !isFalse(soft(node.condition, it))),
            node.right,
          )
        : null;
    }
    case 'ValueProjection': {
      const left = orNull(node.left, value, caller);
      return isMap(left) ? each(Object.values(left), node.right) : null;
    }
    case 'Flatten': {
      const left = orNull(node.child, value, caller);
      return isList(left) ? left.flatMap(it => (isList(it) ? it : [it])) : null;
    }
    default:
      return null;
  }
}

/**
 * Upstream ignores all errors in filters, flattening and value projections. Errors about budgets and unknowns are not
 * ignored here.
 */
function orNull(node: unknown, value: JsonValue, caller: Caller): JsonValue {
  try {
    return known(walk(node as QueryNode, value, caller));
  } catch (error) {
    if (error instanceof KyvernoError) return null;
    throw error;
  }
}

function argument(node: QueryNode, value: JsonValue, caller: Caller): Argument {
  if (node.type !== 'ExpressionReference') return known(walk(node, value, caller));
  return new ExpressionReference(it => known(walk(node.child as QueryNode, it, caller)));
}

/** Upstream: jmespath.isFalse. */
export function isFalse(value: JsonValue): boolean {
  if (value === null || value === false || value === '') return true;
  if (isList(value)) return value.length === 0;
  return isMap(value) && Object.keys(value).length === 0;
}

function compare(operator: 'EQ' | 'NE' | 'GT' | 'GTE' | 'LT' | 'LTE', left: JsonValue, right: JsonValue): JsonValue {
  if (operator === 'EQ') return deepEqual(left, right);
  if (operator === 'NE') return !deepEqual(left, right);
  if (typeof left !== 'number' || typeof right !== 'number') return null;
  const verdicts = { GT: left > right, GTE: left >= right, LT: left < right, LTE: left <= right };
  return verdicts[operator];
}

interface Slice {
  readonly start: number | null;
  readonly stop: number | null;
  readonly step: number | null;
}

/** Upstream: jmespath.slice, which has Python's semantics. */
function slice(items: readonly JsonValue[], { start, stop, step }: Slice): JsonValue {
  const by = step ?? 1;
  if (by === 0) return null;
  const cap = (at: number) => {
    const from = at < 0 ? at + items.length : at;
    if (from < 0) return by < 0 ? -1 : 0;
    return from >= items.length ? (by < 0 ? items.length - 1 : items.length) : from;
  };
  const first = start === null ? (by < 0 ? items.length - 1 : 0) : cap(start);
  const last = stop === null ? (by < 0 ? -1 : items.length) : cap(stop);
  const res: JsonValue[] = [];
  for (let i = first; by > 0 ? i < last : i > last; i += by) res.push(items[i] ?? null);
  return res;
}
