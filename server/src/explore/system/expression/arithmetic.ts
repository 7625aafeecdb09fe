import { t } from '../../../base/l10n';
import { EvaluationFailure } from '../../core/model';
import type { BinaryOperator } from './ast';

/** Operators on two integers. Throw EvaluationFailure where the result is no 32-bit integer. */
export const ARITHMETIC: Readonly<Record<'*' | '/' | '%' | '+' | '-', (a: number, b: number) => number>> = {
  '*': (a, b) => within(a * b, a, '*', b),
  '/': (a, b) => within(Math.trunc(a / nonZero(b, a, '/')), a, '/', b),
  '%': (a, b) => (a % nonZero(b, a, '%')) | 0,
  '+': (a, b) => within(a + b, a, '+', b),
  '-': (a, b) => within(a - b, a, '-', b),
};

/** The result, if it is a 32-bit integer. */
function within(result: number, a: number, operator: BinaryOperator, b: number): number {
  const integer = result | 0;
  if (integer === result) return integer;
  throw new EvaluationFailure(t`${`${a} ${operator} ${b}`} is not within -2147483648 and 2147483647`);
}

function nonZero(divisor: number, a: number, operator: BinaryOperator): number {
  if (divisor !== 0) return divisor;
  throw new EvaluationFailure(t`${a} ${operator} 0 divides by zero`);
}

export function negated(a: number): number {
  if (a === -(2 ** 31)) throw new EvaluationFailure(t`${`-(${a})`} is not within -2147483648 and 2147483647`);
  return -a | 0;
}

/** The index, if an array has it. */
export function inRange(index: number, size: number, name: string): number {
  if (index >= 0 && index < size) return index;
  throw new EvaluationFailure(
    size === 1
      ? t`index ${index} is out of range of ${name}, which has index 0 alone`
      : t`index ${index} is out of range of ${name}, which has the indexes 0 to ${size - 1}`,
  );
}
