import type { Span } from '../../../text/span';

/** An expression of a system; spans are offsets of its own text. */
export type Expression =
  | (Span & { readonly kind: 'integer' | 'boolean'; readonly value: number })
  | (Span & { readonly kind: 'name'; readonly name: string })
  | (Span & { readonly kind: 'element'; readonly name: string; readonly nameEnd: number; readonly index: Expression })
  | AtExpression
  | (Span & { readonly kind: 'unary'; readonly operator: '!' | '-'; readonly operand: Expression })
  | BinaryExpression
  | (Span & {
      readonly kind: 'choice';
      readonly condition: Expression;
      readonly yes: Expression;
      readonly no: Expression;
    });

/** `at(process, location)` or `at(process[index], location)`. */
export interface AtExpression extends Span {
  readonly kind: 'at';
  readonly process: NamedPart;
  readonly index?: Expression;
  readonly location: NamedPart;
}

export interface NamedPart extends Span {
  readonly name: string;
}

export interface BinaryExpression extends Span {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export type BinaryOperator = '*' | '/' | '%' | '+' | '-' | '<' | '<=' | '>' | '>=' | '==' | '!=' | '&&' | '||';

/** What is wrong in an expression, and where in its text. */
export class ExpressionError extends Error {
  constructor(
    message: string,
    readonly span: Span,
  ) {
    super(message);
  }
}
