import type { Conjunct } from '../core/model';
import type { Expression } from './expression/ast';
import { compileAs, type ExpressionScope } from './expression/compile';

/** An expression that has been checked, as a conjunction. */
export function conjunctsOf(expression: Expression, scope: ExpressionScope): readonly Conjunct[] {
  return partsOf(expression).map(it => {
    const { evaluate, reads, bound } = compileAs('bool', it, scope);
    return { test: evaluate, reads, bound };
  });
}

function partsOf(expression: Expression): readonly Expression[] {
  if (expression.kind !== 'binary' || expression.operator !== '&&') return [expression];
  return [...partsOf(expression.left), ...partsOf(expression.right)];
}
