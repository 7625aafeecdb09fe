import type { SlotRange } from '../core/model';
import type { BinaryOperator, Expression } from './expression/ast';
import { compile, compileAs, type ExpressionScope } from './expression/compile';

/** A checked expression over the slots of a state: equal forms have equal values in every state. */
export type Form =
  | { readonly kind: 'value'; readonly value: number }
  | { readonly kind: 'slot'; readonly slot: number }
  /** An element whose index is computed. */
  | { readonly kind: 'element'; readonly range: SlotRange; readonly index: Form }
  | { readonly kind: 'operator'; readonly operator: string; readonly operands: readonly Form[] };

export function formOf(expression: Expression, scope: ExpressionScope): Form {
  switch (expression.kind) {
    case 'integer':
    case 'boolean':
      return { kind: 'value', value: expression.value };
    case 'name': {
      const { slot, constant = 0 } = compile(expression, scope);
      return slot === undefined ? { kind: 'value', value: constant } : { kind: 'slot', slot };
    }
    case 'element': {
      const meaning = scope.names.get(expression.name);
      if (meaning?.kind !== 'array') throw new Error('An expression that was checked has an element of no array.');
      return elementOf({ first: meaning.first, count: meaning.size }, expression.index, scope);
    }
    case 'at': {
      const { firstSlot, copies, locations } = scope.processes!.get(expression.process.name)!;
      const location: Form = { kind: 'value', value: locations.indexOf(expression.location.name) };
      const { index } = expression;
      const place: Form =
        index === undefined
          ? { kind: 'slot', slot: firstSlot }
          : elementOf({ first: firstSlot, count: copies }, index, scope);
      return { kind: 'operator', operator: '==', operands: [place, location] };
    }
    case 'unary':
      return { kind: 'operator', operator: expression.operator, operands: [formOf(expression.operand, scope)] };
    case 'binary':
      return {
        kind: 'operator',
        operator: expression.operator,
        operands: [formOf(expression.left, scope), formOf(expression.right, scope)],
      };
    case 'choice': {
      const parts = [expression.condition, expression.yes, expression.no];
      return { kind: 'operator', operator: '?:', operands: parts.map(it => formOf(it, scope)) };
    }
  }
}

function elementOf(range: SlotRange, index: Expression, scope: ExpressionScope): Form {
  const { constant } = compileAs('int', index, scope);
  if (constant !== undefined && constant >= 0 && constant < range.count) {
    return { kind: 'slot', slot: range.first + constant };
  }
  return { kind: 'element', range, index: formOf(index, scope) };
}

/** Those whose operands may stand in either order. */
const EITHER_ORDER: ReadonlySet<string> = new Set<BinaryOperator>(['+', '*', '==', '!=', '&&', '||']);

/** A text that equal forms share, each slot in the place of another. */
export function textOfForm(form: Form, placeOf: (slot: number) => number): string {
  switch (form.kind) {
    case 'value':
      return `${form.value}`;
    case 'slot':
      return `#${placeOf(form.slot)}`;
    case 'element':
      return `#${form.range.first}+${form.range.count}[${textOfForm(form.index, placeOf)}]`;
    case 'operator': {
      const { operator } = form;
      const operands = operandsOf(form).map(it => textOfForm(it, placeOf));
      const isFree = EITHER_ORDER.has(operator) && (!isLogical(operator) || !mayFail(form));
      return `${operator}(${(isFree ? operands.sort() : operands).join()})`;
    }
  }
}

/** Of a chain of one logical operator all operands. */
function operandsOf(form: Extract<Form, { readonly kind: 'operator' }>): readonly Form[] {
  const { operator, operands } = form;
  if (!isLogical(operator)) return operands;
  return operands.flatMap(it => (it.kind === 'operator' && it.operator === operator ? operandsOf(it) : [it]));
}

const isLogical = (operator: string): boolean => operator === '&&' || operator === '||';

const SAFE: ReadonlySet<string> = new Set(['!', '<', '<=', '>', '>=', '==', '!=', '&&', '||', '?:']);

/** Whether the expression may have no value. The operands of `&&` and `||` are then evaluated from the left. */
function mayFail(form: Form): boolean {
  if (form.kind === 'element') return true;
  return form.kind === 'operator' && (!SAFE.has(form.operator) || form.operands.some(mayFail));
}

/** The slots whose place matters; those of computed elements are `ranges`. */
export function slotsOfForm(form: Form): { readonly slots: readonly number[]; readonly ranges: readonly SlotRange[] } {
  if (form.kind === 'value') return { slots: [], ranges: [] };
  if (form.kind === 'slot') return { slots: [form.slot], ranges: [] };
  if (form.kind === 'element') {
    const { slots, ranges } = slotsOfForm(form.index);
    return { slots, ranges: [...ranges, form.range] };
  }
  const parts = form.operands.map(slotsOfForm);
  return { slots: parts.flatMap(it => it.slots), ranges: parts.flatMap(it => it.ranges) };
}
