import type { JsonValue } from '../../../base/json';
import {
  addQuantities,
  canonicalText,
  isZeroQuantity,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from '../../../kube/quantity';
import { formatDuration, isNumber, parseDuration } from '../go/goValues';
import { KyvernoError } from '../results/failures';
import { functions } from './signature';

/** A number, a quantity or a duration (nanoseconds). As upstream, quantities are tried before durations. */
type Operand =
  | { readonly kind: 'scalar'; readonly value: number }
  | { readonly kind: 'quantity'; readonly value: Quantity }
  | { readonly kind: 'duration'; readonly value: bigint };

/** Upstream: pkg/engine/jmespath/arithmetic.go. */
export const arithmeticFunctions = functions({
  add: ['any any', (a: JsonValue, b: JsonValue) => add('add', a, b)],
  sum: ['array', sum],
  subtract: ['any any', subtract],
  multiply: ['any any', multiply],
  divide: ['any any', divide],
  modulo: ['any any', modulo],
  round: ['number number', round],
});

const refused = (name: string, reason: string): KyvernoError =>
  new KyvernoError(`JMESPath function '${name}': ${reason}`);
const mismatch = (name: string): KyvernoError => refused(name, 'Types mismatch');
const zeroDivisor = (name: string): KyvernoError => refused(name, 'Zero divisor passed');
const notWhole = (name: string): KyvernoError => refused(name, 'Non-integer argument(s) passed for modulo');

function operand(name: string, it: JsonValue): Operand {
  if (isNumber(it)) return { kind: 'scalar', value: Number(it) };
  const quantity = typeof it === 'string' ? parseQuantity(it) : undefined;
  if (quantity !== undefined) return { kind: 'quantity', value: quantity };
  const duration = typeof it === 'string' ? parseDuration(it) : undefined;
  if (duration !== undefined) return { kind: 'duration', value: duration };
  throw refused(name, 'invalid operand');
}

function add(name: string, left: JsonValue, right: JsonValue): JsonValue {
  const [a, b] = [operand(name, left), operand(name, right)];
  if (a.kind === 'scalar' && b.kind === 'scalar') return a.value + b.value;
  if (a.kind === 'quantity' && b.kind === 'quantity') return canonicalText(addQuantities(a.value, b.value));
  if (a.kind === 'duration' && b.kind === 'duration') return formatDuration(a.value + b.value);
  throw mismatch(name);
}

function sum(items: readonly JsonValue[]): JsonValue {
  const [first, ...rest] = items;
  if (first === undefined) throw refused('sum', 'at least one element in the array is required');
  return rest.reduce((total, it) => add('sum', total, it), first);
}

function subtract(left: JsonValue, right: JsonValue): JsonValue {
  const [a, b] = [operand('subtract', left), operand('subtract', right)];
  if (a.kind === 'scalar' && b.kind === 'scalar') return a.value - b.value;
  if (a.kind === 'quantity' && b.kind === 'quantity') return canonicalText(subtractQuantities(a.value, b.value));
  if (a.kind === 'duration' && b.kind === 'duration') return formatDuration(a.value - b.value);
  throw mismatch('subtract');
}

function multiply(left: JsonValue, right: JsonValue): JsonValue {
  const [a, b] = [operand('multiply', left), operand('multiply', right)];
  if (a.kind === 'scalar' && b.kind === 'scalar') return a.value * b.value;
  const [amount, factor] = a.kind === 'scalar' ? [b, a.value] : [a, b.kind === 'scalar' ? b.value : undefined];
  if (factor === undefined || amount.kind === 'scalar') throw mismatch('multiply');
  if (amount.kind === 'duration') return secondsText((Number(amount.value) / 1e9) * factor);
  const by = quantityOf('multiply', factor);
  return canonicalText(decimal(amount.value.amount * by.amount, amount.value.scale + by.scale, amount.value));
}

function divide(left: JsonValue, right: JsonValue): JsonValue {
  const [a, b] = [operand('divide', left), operand('divide', right)];
  if (b.kind === 'scalar' ? b.value === 0 : b.kind === 'duration' ? b.value === 0n : isZeroQuantity(b.value)) {
    throw zeroDivisor('divide');
  }
  if (a.kind === 'scalar' && b.kind === 'scalar') return a.value / b.value;
  if (a.kind === 'duration' && b.kind === 'duration') return Number(a.value) / Number(b.value);
  if (a.kind === 'duration' && b.kind === 'scalar') return secondsText(Number(a.value) / 1e9 / b.value);
  if (a.kind === 'quantity' && b.kind === 'quantity') return approximately(a.value) / approximately(b.value);
  if (a.kind === 'quantity' && b.kind === 'scalar')
    return canonicalText(quotient(a.value, quantityOf('divide', b.value)));
  throw mismatch('divide');
}

/** Truncated to the decimals of the operand that has more of them. */
function quotient(a: Quantity, b: Quantity): Quantity {
  const scale = Math.min(a.scale, b.scale);
  const shift = a.scale - b.scale - scale;
  const numerator = shift >= 0 ? a.amount * 10n ** BigInt(shift) : a.amount;
  const denominator = shift >= 0 ? b.amount : b.amount * 10n ** BigInt(-shift);
  return decimal(numerator / denominator, scale, a);
}

function modulo(left: JsonValue, right: JsonValue): JsonValue {
  const [a, b] = [operand('modulo', left), operand('modulo', right)];
  if (a.kind === 'duration' && b.kind === 'duration') {
    if (b.value === 0n) throw zeroDivisor('modulo');
    return formatDuration(a.value % b.value);
  }
  if (a.kind === 'scalar' && b.kind === 'scalar') return wholeModulo(a.value, b.value);
  if (a.kind !== 'quantity' || b.kind !== 'quantity') throw mismatch('modulo');
  const rest = wholeModulo(approximately(a.value), approximately(b.value));
  return canonicalText(decimal(BigInt(rest), 0, a.value));
}

function wholeModulo(a: number, b: number): number {
  if (!Number.isInteger(a) || !Number.isInteger(b)) throw notWhole('modulo');
  if (b === 0) throw zeroDivisor('modulo');
  return a % b;
}

function round(value: number, length: number): number {
  if (!Number.isInteger(length)) throw refused('round', 'Non-integer argument(s) passed for round off');
  if (length < 0) throw refused('round', 'argument is out of bounds');
  const shift = 10 ** length;
  return (Math.sign(value) * Math.round(Math.abs(value) * shift)) / shift;
}

const secondsText = (seconds: number): string => formatDuration(BigInt(Math.trunc(seconds * 1e9)));
const approximately = (it: Quantity): number => Number(`${it.amount}e${it.scale}`);

function quantityOf(name: string, value: number): Quantity {
  const quantity = parseQuantity(String(value));
  if (quantity === undefined) throw refused(name, 'invalid operand');
  return quantity;
}

const decimal = (amount: bigint, scale: number, { format }: Quantity): Quantity => ({
  amount,
  scale,
  format,
  form: 'decimal',
});
