import type { Evaluate, SlotBound } from '../../core/model';

type Comparison = '<' | '<=' | '>' | '>=' | '==' | '!=';

interface Operand {
  readonly evaluate: Evaluate;
  readonly constant?: number;
  readonly slot?: number;
}

/** The same comparison with its operands exchanged. */
const TURNED: Readonly<Record<Comparison, Comparison>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  '==': '==',
  '!=': '!=',
};

/** A comparison of two values of one type; one of a slot and a constant, which most guards are, is the fastest. */
export function comparison(
  operator: Comparison,
  a: Operand,
  b: Operand,
): { readonly evaluate: Evaluate; readonly bound?: SlotBound } {
  if (a.slot !== undefined && b.constant !== undefined) return withConstant(operator, a.slot, b.constant);
  if (b.slot !== undefined && a.constant !== undefined) return withConstant(TURNED[operator], b.slot, a.constant);
  return { evaluate: general(operator, a.evaluate, b.evaluate) };
}

const LEAST = -(2 ** 31);
const GREATEST = 2 ** 31 - 1;

function withConstant(operator: Comparison, slot: number, c: number): ReturnType<typeof comparison> {
  const bound = (min: number, max: number): SlotBound => ({ slot, min, max, isOutside: false });
  switch (operator) {
    case '==':
      return { evaluate: values => (values[slot] === c ? 1 : 0), bound: bound(c, c) };
    case '!=':
      return { evaluate: values => (values[slot] !== c ? 1 : 0), bound: { slot, min: c, max: c, isOutside: true } };
    case '<':
      return { evaluate: values => (values[slot]! < c ? 1 : 0), bound: bound(LEAST, c - 1) };
    case '<=':
      return { evaluate: values => (values[slot]! <= c ? 1 : 0), bound: bound(LEAST, c) };
    case '>':
      return { evaluate: values => (values[slot]! > c ? 1 : 0), bound: bound(c + 1, GREATEST) };
    case '>=':
      return { evaluate: values => (values[slot]! >= c ? 1 : 0), bound: bound(c, GREATEST) };
  }
}

function general(operator: Comparison, a: Evaluate, b: Evaluate): Evaluate {
  switch (operator) {
    case '==':
      return values => (a(values) === b(values) ? 1 : 0);
    case '!=':
      return values => (a(values) !== b(values) ? 1 : 0);
    case '<':
      return values => (a(values) < b(values) ? 1 : 0);
    case '<=':
      return values => (a(values) <= b(values) ? 1 : 0);
    case '>':
      return values => (a(values) > b(values) ? 1 : 0);
    case '>=':
      return values => (a(values) >= b(values) ? 1 : 0);
  }
}
