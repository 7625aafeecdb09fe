import { t } from '../../../base/l10n';
import type { Span } from '../../../text/span';
import { type Evaluate, EvaluationFailure, type SlotBound, type SlotRange } from '../../core/model';
import { guessInWords } from '../guess';
import { ARITHMETIC, inRange, negated } from './arithmetic';
import { type AtExpression, type BinaryExpression, type BinaryOperator, type Expression, ExpressionError } from './ast';
import { comparison } from './comparison';

export type ValueType = 'int' | 'bool';

/** What a name means where an expression stands. */
export type NameMeaning =
  | { readonly kind: 'constant'; readonly type: ValueType; readonly value: number }
  | { readonly kind: 'variable'; readonly type: ValueType; readonly slot: number }
  | { readonly kind: 'array'; readonly type: ValueType; readonly first: number; readonly size: number };

export interface ProcessMeaning {
  readonly copies: number;
  /** The slot of the location of the first copy; those of the others follow. */
  readonly firstSlot: number;
  readonly locations: readonly string[];
}

/** Meanings by name. */
export type NameScope = Pick<ReadonlyMap<string, NameMeaning>, 'get' | 'keys'>;

/** The names that an expression may use. */
export interface ExpressionScope {
  readonly names: NameScope;
  /** undefined: `at()` may not stand here. */
  readonly processes: ReadonlyMap<string, ProcessMeaning> | undefined;
}

/** An expression ready to be evaluated. */
export interface Compiled {
  readonly type: ValueType;
  readonly evaluate: Evaluate;
  /** The value, where it is the same in every state. */
  readonly constant?: number;
  readonly reads: readonly SlotRange[];
  /** Of a condition on one slot: for which of its values it is true. */
  readonly bound?: SlotBound;
  /** Of an expression that is the value of a slot. */
  readonly slot?: number;
}

/** Checks the types of an expression and makes functions of it. Throws ExpressionError. */
export function compile(expression: Expression, scope: ExpressionScope): Compiled {
  switch (expression.kind) {
    case 'integer':
      return constantOf('int', expression.value);
    case 'boolean':
      return constantOf('bool', expression.value);
    case 'name':
      return nameOf(expression.name, expression, scope);
    case 'element':
      return elementOf(expression, scope);
    case 'at':
      return locationTest(expression, scope);
    case 'unary':
      return unaryOf(expression.operator, expression.operand, scope);
    case 'binary':
      return binaryOf(expression, scope);
    case 'choice':
      return choiceOf(expression, scope);
  }
}

/** As `compile`, where a type is needed. Throws ExpressionError. */
export function compileAs(type: ValueType, expression: Expression, scope: ExpressionScope): Compiled {
  const compiled = compile(expression, scope);
  if (compiled.type !== type) {
    throw new ExpressionError(
      t`this must be ${typeInWords(type)}, and it is ${typeInWords(compiled.type)}`,
      expression,
    );
  }
  return compiled;
}

export const typeInWords = (type: ValueType): string => (type === 'int' ? t('an integer') : t('a boolean'));

const constantOf = (type: ValueType, value: number): Compiled => ({
  type,
  evaluate: () => value,
  constant: value,
  reads: [],
});

const slotOf = (type: ValueType, slot: number): Compiled => ({
  type,
  evaluate: values => values[slot]!,
  reads: [{ first: slot, count: 1 }],
  slot,
  ...(type === 'bool' && { bound: { slot, min: 1, max: 1, isOutside: false } }),
});

/** The result of an operator: its value at once where all operands are constant and it has one. */
function folded(type: ValueType, operands: readonly Compiled[], evaluate: Evaluate): Compiled {
  const reads = operands.flatMap(it => it.reads);
  if (operands.some(it => it.constant === undefined)) return { type, evaluate, reads };
  try {
    return constantOf(type, evaluate(NO_VALUES));
  } catch (error) {
    // It fails when it is evaluated, which may be never.
    if (error instanceof EvaluationFailure) return { type, evaluate, reads };
    throw error;
  }
}

const NO_VALUES = new Int32Array(0);

function meaningOf(name: string, span: Span, { names }: ExpressionScope): NameMeaning {
  const meaning = names.get(name);
  if (meaning !== undefined) return meaning;
  throw unknown(t`there is no "${name}" here`, name, names.keys(), span);
}

function unknown(sentence: string, name: string, names: Iterable<string>, { start, end }: Span): ExpressionError {
  return new ExpressionError(`${sentence}${guessInWords(name, names)}`, { start, end });
}

function nameOf(name: string, span: Span, scope: ExpressionScope): Compiled {
  const meaning = meaningOf(name, span, scope);
  if (meaning.kind === 'constant') return constantOf(meaning.type, meaning.value);
  if (meaning.kind === 'variable') return slotOf(meaning.type, meaning.slot);
  throw new ExpressionError(t`${name} is an array: an element is written ${name}[0]`, span);
}

function elementOf(expression: Expression & { readonly kind: 'element' }, scope: ExpressionScope): Compiled {
  const { type, place, reads } = compileElement(expression, scope);
  if (typeof place === 'number') return { ...slotOf(type, place), reads };
  return { type, evaluate: values => values[place(values)]!, reads };
}

/** The slot of an element, or what computes it. Throws ExpressionError. */
export function compileElement(
  { name, start, nameEnd, index }: Expression & { readonly kind: 'element' },
  scope: ExpressionScope,
): {
  readonly type: ValueType;
  readonly place: number | Evaluate;
  readonly reads: readonly SlotRange[];
  readonly range: SlotRange;
} {
  const meaning = meaningOf(name, { start, end: nameEnd }, scope);
  if (meaning.kind !== 'array') throw new ExpressionError(t`${name} is no array`, { start, end: nameEnd });
  const { first, size, type } = meaning;
  const { constant, evaluate, reads } = compileAs('int', index, scope);
  if (constant !== undefined && constant >= 0 && constant < size) {
    const range = { first: first + constant, count: 1 };
    return { type, place: first + constant, reads: [range], range };
  }
  const range = { first, count: size };
  return { type, place: values => first + inRange(evaluate(values), size, name), reads: [...reads, range], range };
}

function locationTest({ process: named, index, location, start, end }: AtExpression, scope: ExpressionScope): Compiled {
  const { processes } = scope;
  if (processes === undefined)
    throw new ExpressionError(t('at() can stand in steps and properties alone'), { start, end });
  const found = processes.get(named.name);
  if (found === undefined) {
    throw unknown(t`there is no process "${named.name}"`, named.name, processes.keys(), named);
  }
  const { copies, firstSlot, locations } = found;
  const wanted = locations.indexOf(location.name);
  if (wanted < 0) {
    throw unknown(t`${named.name} has no location "${location.name}"`, location.name, locations, location);
  }
  if (index === undefined) {
    if (copies > 1) {
      const sentence = t`${named.name} has ${copies} copies: one is written ${named.name}[0]`;
      throw new ExpressionError(sentence, named);
    }
    return testOf(firstSlot, wanted);
  }
  const { constant, evaluate, reads } = compileAs('int', index, scope);
  if (constant !== undefined && constant >= 0 && constant < copies) return testOf(firstSlot + constant, wanted);
  return {
    type: 'bool',
    evaluate: values => (values[firstSlot + inRange(evaluate(values), copies, named.name)] === wanted ? 1 : 0),
    reads: [...reads, { first: firstSlot, count: copies }],
  };
}

const testOf = (slot: number, value: number): Compiled => ({
  type: 'bool',
  evaluate: values => (values[slot] === value ? 1 : 0),
  reads: [{ first: slot, count: 1 }],
  bound: { slot, min: value, max: value, isOutside: false },
});

function unaryOf(operator: '!' | '-', operand: Expression, scope: ExpressionScope): Compiled {
  if (operator === '-') {
    const inner = compileAs('int', operand, scope);
    return folded('int', [inner], values => negated(inner.evaluate(values)));
  }
  const inner = compileAs('bool', operand, scope);
  const { bound, evaluate } = inner;
  const negation = folded('bool', [inner], values => (evaluate(values) === 0 ? 1 : 0));
  return bound === undefined ? negation : { ...negation, bound: { ...bound, isOutside: !bound.isOutside } };
}

function binaryOf(expression: BinaryExpression, scope: ExpressionScope): Compiled {
  const { operator, left, right } = expression;
  if (operator === '&&' || operator === '||') return logical(operator, left, right, scope);
  if (operator === '==' || operator === '!=') {
    const a = compile(left, scope);
    const b = compile(right, scope);
    if (a.type !== b.type) {
      const [one, other] = [typeInWords(a.type), typeInWords(b.type)];
      throw new ExpressionError(
        t`${operator} compares two of one type, and here stand ${one} and ${other}`,
        expression,
      );
    }
    return compared(operator, a, b);
  }
  const a = compileAs('int', left, scope);
  const b = compileAs('int', right, scope);
  if (isComparison(operator)) return compared(operator, a, b);
  const apply = ARITHMETIC[operator];
  const one = a.evaluate;
  const two = b.evaluate;
  if (a.slot !== undefined && b.constant !== undefined) {
    const { slot } = a;
    const { constant } = b;
    return folded('int', [a, b], values => apply(values[slot]!, constant));
  }
  return folded('int', [a, b], values => apply(one(values), two(values)));
}

const isComparison = (operator: BinaryOperator): operator is '<' | '<=' | '>' | '>=' => /[<>]/.test(operator);

function compared(operator: '<' | '<=' | '>' | '>=' | '==' | '!=', a: Compiled, b: Compiled): Compiled {
  const { evaluate, bound } = comparison(operator, a, b);
  const result = folded('bool', [a, b], evaluate);
  return bound === undefined || result.constant !== undefined ? result : { ...result, bound };
}

/** The second operand is evaluated only where the first does not decide. */
function logical(operator: '&&' | '||', left: Expression, right: Expression, scope: ExpressionScope): Compiled {
  const a = compileAs('bool', left, scope);
  const b = compileAs('bool', right, scope);
  const deciding = operator === '&&' ? 0 : 1;
  if (a.constant !== undefined) return a.constant === deciding ? a : b;
  const one = a.evaluate;
  const two = b.evaluate;
  const evaluate: Evaluate =
    operator === '&&'
      ? values => (one(values) !== 0 && two(values) !== 0 ? 1 : 0)
      : values => (one(values) !== 0 || two(values) !== 0 ? 1 : 0);
  return folded('bool', [a, b], evaluate);
}

function choiceOf(expression: Expression & { readonly kind: 'choice' }, scope: ExpressionScope): Compiled {
  const condition = compileAs('bool', expression.condition, scope);
  const yes = compile(expression.yes, scope);
  const no = compile(expression.no, scope);
  if (yes.type !== no.type) {
    const [one, other] = [typeInWords(yes.type), typeInWords(no.type)];
    throw new ExpressionError(t`?: gives one type, and here stand ${one} and ${other}`, expression);
  }
  if (condition.constant !== undefined) return condition.constant === 0 ? no : yes;
  const test = condition.evaluate;
  const one = yes.evaluate;
  const two = no.evaluate;
  return folded(yes.type, [condition, yes, no], values => (test(values) !== 0 ? one(values) : two(values)));
}
