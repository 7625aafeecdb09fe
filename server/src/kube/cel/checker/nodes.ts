import type { Type } from './types';

/** A parsed expression, macros expanded. `at`: the offset that upstream's errors name, in UTF-16 units. */
export type Expr =
  | Literal
  | { readonly kind: 'ident'; readonly name: string; readonly at: number }
  | {
      readonly kind: 'select';
      readonly operand: Expr;
      readonly field: string;
      readonly use: SelectUse;
      readonly at: number;
    }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly target?: Expr;
      readonly args: readonly Expr[];
      readonly at: number;
    }
  | { readonly kind: 'list'; readonly items: readonly ListItem[]; readonly at: number }
  | { readonly kind: 'map'; readonly entries: readonly MapEntry[]; readonly at: number }
  | { readonly kind: 'struct'; readonly name: string; readonly fields: readonly StructField[]; readonly at: number }
  | Comprehension;

export interface Literal {
  readonly kind: 'literal';
  readonly type: Type;
  readonly value: LiteralValue;
  readonly at: number;
}

/** An integer is a bigint, signed or not. */
export type LiteralValue = null | boolean | bigint | number | string | Uint8Array;

/** `optional` is `a.?b`, `test` the macro `has(a.b)`. */
export type SelectUse = 'value' | 'optional' | 'test';
export type ExprOf<K extends Expr['kind']> = Extract<Expr, { readonly kind: K }>;

export interface ListItem {
  readonly value: Expr;
  readonly isOptional: boolean;
}

export interface MapEntry {
  readonly key: Expr;
  readonly value: Expr;
  readonly isOptional: boolean;
}

export interface StructField {
  readonly name: string;
  readonly value: Expr;
  readonly isOptional: boolean;
  readonly at: number;
}

/** A loop, or a binding of the accumulator, whose loop never runs. Upstream: ast.ComprehensionExpr. */
export interface Comprehension {
  readonly kind: 'comprehension';
  readonly use: 'loop' | 'binding';
  readonly range: Expr;
  readonly variables: readonly string[];
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
  readonly at: number;
}

/** An error at an offset of the expression. */
export interface Issue {
  readonly at: number;
  readonly text: string;
}

/** Thrown for what cannot be parsed. */
export class CelSyntaxError extends Error {
  readonly at: number;

  constructor(at: number, text: string) {
    super(text);
    this.at = at;
  }
}

/** The nodes that a node consists of. */
export function childrenOf(node: Expr): readonly Expr[] {
  switch (node.kind) {
    case 'select':
      return [node.operand];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'list':
      return node.items.map(it => it.value);
    case 'map':
      return node.entries.flatMap(it => [it.key, it.value]);
    case 'struct':
      return node.fields.map(it => it.value);
    case 'comprehension':
      return [node.range, node.init, node.condition, node.step, node.result];
    default:
      return [];
  }
}

/** A node and all below it, each once. */
export function* nodesIn(root: Expr): Iterable<Expr> {
  const seen = new Set<Expr>();
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    yield node;
    waiting.push(...childrenOf(node));
  }
}
