import type { Type } from './types';

/** A parsed expression, macros expanded. `at`: the offset that upstream's errors name, in UTF-16 units. */
export type Expr =
  | { readonly kind: 'literal'; readonly type: Type; readonly text?: string; readonly at: number }
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

/** Upstream: ast.ComprehensionExpr. */
export interface Comprehension {
  readonly kind: 'comprehension';
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
