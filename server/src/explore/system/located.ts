import { EvaluationFailure } from '../core/model';
import type { LocatedExpression } from './document';
import { type Expression, ExpressionError } from './expression/ast';
import { compileAs, type ExpressionScope, type ValueType } from './expression/compile';
import { spanWithin, tell } from './field';

/** What is made of an expression; undefined, and a problem at its place, where that cannot be. */
export function attempted<T>(
  { expression, field }: LocatedExpression,
  make: (expression: Expression) => T,
): T | undefined {
  try {
    return make(expression);
  } catch (error) {
    if (error instanceof EvaluationFailure) tell(field, error.message);
    else if (error instanceof ExpressionError) tell(field, error.message, spanWithin(field, error.span));
    else throw error;
    return undefined;
  }
}

/** The value of an expression of a type over constants; undefined, and a problem, where it has none. */
export function constantValue(located: LocatedExpression, type: ValueType, scope: ExpressionScope): number | undefined {
  return attempted(located, it => compileAs(type, it, scope).evaluate(new Int32Array(0)));
}
