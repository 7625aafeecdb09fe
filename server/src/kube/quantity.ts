/**
 * Exact Kubernetes quantities, with upstream's rounding, caps and overflow. Upstream:
 * k8s.io/apimachinery/pkg/api/resource.Quantity. Written by hand: @kubernetes/client-node computes quantities as
 * floating-point numbers.
 */

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/**
 * amount × 10^scale. Upstream keeps most quantities as an int64 with a scale and the rest as an arbitrary decimal; the
 * form affects how Value() rounds negative numbers and overflows, so it is kept here, too.
 */
export interface Quantity {
  readonly amount: bigint;
  readonly scale: number;
  readonly form: 'int64' | 'decimal';
  readonly format: QuantityFormat;
  /** The text as written, if upstream prints it unchanged. */
  readonly text?: string;
}

const formatWrong = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const numericWrong = 'unable to parse numeric part of quantity';
const suffixWrong = "unable to parse quantity's suffix";

const nano = -9;
const maxInt64 = 2n ** 63n - 1n;
/** Upstream: positiveScaleInt64 multiplies once for these. */
const wrappingScales: ReadonlySet<number> = new Set([1, 2, 3, 6, 9]);
/** Of an int64. */
const MOST_DIGITS = 19;
const minInt64 = -(2n ** 63n);
/**
 * Beyond this many orders of magnitude upstream would need gigabytes; such a difference is never multiplied out here.
 */
const widestShift = 4000;

const decimalSuffixes: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);

const binarySuffixes: ReadonlyMap<string, number> = new Map([
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
]);

const suffixOfPower: ReadonlyMap<number, string> = new Map([...decimalSuffixes].map(([text, power]) => [power, text]));
const suffixOfShift: ReadonlyMap<number, string> = new Map([...binarySuffixes].map(([text, shift]) => [shift, text]));

export const zeroQuantity: Quantity = { amount: 0n, scale: 0, form: 'int64', format: 'DecimalSI', text: '0' };

interface Parts {
  readonly negative: boolean;
  /** The input of upstream's decimal parser: sign and digits as written. */
  readonly value: string;
  readonly whole: string;
  readonly fraction: string;
  readonly suffix: string;
}

interface Suffix {
  readonly format: QuantityFormat;
  /** Power of ten, or of two for BinarySI. */
  readonly exponent: number;
}

/** The quantity, or upstream's parse error. Upstream: resource.ParseQuantity. */
export function readQuantity(text: string): Quantity | { readonly error: string } {
  if (text === '0') return zeroQuantity;
  const read = partsOf(text);
  if ('error' in read) return read;
  const { parts, suffix } = read;
  return smallQuantity(text, parts, suffix) ?? largeQuantity(parts, suffix);
}

/**
 * The quantity of a text; undefined if upstream cannot parse it. Surrounding white space is not allowed here
 * (`quantityOf` trims as decoding does).
 */
export function parseQuantity(text: string): Quantity | undefined {
  const result = readQuantity(text);
  return 'error' in result ? undefined : result;
}

/**
 * The quantity of a decoded value, as Quantity.UnmarshalJSON reads it: a string with white space trimmed, a bare
 * number, or null for zero. undefined for anything else and for an invalid text.
 */
export function quantityOf(value: unknown): Quantity | undefined {
  if (value === null) return { amount: 0n, scale: 0, form: 'int64', format: 'DecimalSI' };
  if (typeof value === 'string') return parseQuantity(value.trim());
  if (typeof value === 'number' || typeof value === 'bigint') return parseQuantity(String(value));
  return undefined;
}

/** Whether `quantityOf` has an answer. The number is not computed, which takes long if it has very many digits. */
export function isQuantity(value: unknown): boolean {
  if (value === null) return true;
  if (typeof value === 'string') return quantityError(value.trim()) === undefined;
  return quantityOf(value) !== undefined;
}

/** A quick test for quantities in whole units or thousandths, as nearly all amounts are. */
export function isPlainQuantity(text: string): boolean {
  return /^\d{1,15}(m|k|[MGTPE]i?|Ki)?$/.test(text);
}

/** Whether a text is what upstream prints for its amount rounded up to thousandths. Not told of all that are. */
export function isPrintedInMilli(text: string): boolean {
  return /^[1-9]\d*(?<!000)[mkMGTPE]?$/.test(text);
}

/** Upstream's message for an invalid text; undefined for a valid one. */
export function quantityError(text: string): string | undefined {
  const read = partsOf(text);
  return 'error' in read ? read.error : undefined;
}

/** Value(): whole units, fractions rounded up, wrapped or zero on overflow as upstream's int64. */
export function quantityInt64(q: Quantity): bigint {
  return scaledInt64(q, 0);
}

/** MilliValue(): thousandths, fractions rounded up, wrapped or zero on overflow as upstream's int64. */
export function quantityMilliInt64(q: Quantity): bigint {
  return scaledInt64(q, -3);
}

/** Value() as a number: exact up to 2^53, the nearest number beyond. */
export function quantityValue(q: Quantity): number {
  return Number(quantityInt64(q));
}

/** MilliValue() as a number: exact up to 2^53, the nearest number beyond. */
export function quantityMilliValue(q: Quantity): number {
  return Number(quantityMilliInt64(q));
}

/** Negative, zero or positive if a is less than, equal to or greater than b. Exact. Upstream: Quantity.Cmp. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  if (a.scale === b.scale) return signOf(a.amount - b.amount);
  const sign = signOf(a.amount) - signOf(b.amount);
  if (sign !== 0 || a.amount === 0n) return Math.sign(sign);
  const aboveZero = signOf(a.amount);
  const orders = digits(a.amount) + a.scale - (digits(b.amount) + b.scale);
  if (orders !== 0) return Math.sign(orders) * aboveZero;
  const scale = Math.min(a.scale, b.scale);
  return signOf(a.amount * tenTo(a.scale - scale) - b.amount * tenTo(b.scale - scale));
}

/** The sum, in the format of `a` unless that is zero. Upstream: Quantity.Add. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const format = a.amount === 0n ? b.format : a.format;
  if (a.form === 'int64' && b.form === 'int64') {
    const sum = addInt64(a, b);
    // Without a spread, which takes several times as long: quotas add for each Pod.
    if (sum) return { amount: sum.amount, scale: sum.scale, form: 'int64', format };
  }
  if (Math.abs(a.scale - b.scale) > widestShift) {
    const { amount, scale } = compareQuantities(absolute(a), absolute(b)) < 0 ? b : a;
    return { amount, scale, form: 'decimal', format };
  }
  const scale = Math.min(a.scale, b.scale);
  const amount = a.amount * tenTo(a.scale - scale) + b.amount * tenTo(b.scale - scale);
  return { amount, scale, form: 'decimal', format };
}

/** The difference a − b. Upstream: Quantity.Sub. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, negateQuantity(b));
}

/** Upstream: Quantity.Neg. */
export function negateQuantity(q: Quantity): Quantity {
  return { amount: -q.amount, scale: q.scale, form: q.form, format: q.format };
}

/** The amount rounded to thousandths, away from zero. Upstream: Quantity.RoundUp(resource.Milli). */
export function roundUpToMilli(q: Quantity): Quantity {
  if (q.scale >= -3 || q.amount === 0n) return q;
  return { amount: awayFromZero(q.amount, -3 - q.scale), scale: -3, form: q.form, format: q.format };
}

export function isZeroQuantity(q: Quantity): boolean {
  return q.amount === 0n;
}

/** The text that upstream prints: the written text if that counts as canonical, else the canonical form. */
export function formatQuantity(q: Quantity): string {
  return q.text ?? canonicalText(q);
}

/** The canonical form, whatever was written. Upstream: Quantity.CanonicalizeBytes. */
export function canonicalText(q: Quantity): string {
  if (q.amount === 0n) return '0';
  if (q.format === 'BinarySI') {
    const whole = wholeAmount(q);
    if (whole !== undefined && (whole <= -1024n || whole >= 1024n)) {
      const { rest, times } = withoutFactor(whole, 1024n);
      return `${rest}${suffixOfShift.get(times * 10) ?? ''}`;
    }
  }
  const { rest, times } = withoutFactor(q.amount, 10n);
  const power = Math.floor((q.scale + times) / 3) * 3;
  const mantissa = rest * tenTo(q.scale + times - power);
  if (q.format === 'DecimalExponent') return `${mantissa}${power === 0 ? '' : `e${power}`}`;
  return `${mantissa}${suffixOfPower.get(power) ?? ''}`;
}

/**
 * A quantity in plain words: `536,870,912 bytes (512 × 1,048,576)`, `0.25 CPU (250 ÷ 1,000)`. The resource name (`cpu`,
 * `memory`, `storage`, …) determines the unit; without one a binary suffix means bytes and anything else has no unit.
 * undefined for an invalid text.
 */
export function explainQuantity(text: string, resource?: string): string | undefined {
  const q = parseQuantity(text.trim());
  const parts = split(text.trim());
  if (q === undefined || parts === undefined) return undefined;
  const unit = unitOf(resource, q.format);
  if (Math.abs(q.scale) > 60) return `${canonicalText(q)}${unit === '' ? '' : ` ${unit}s`}`;
  const amount = decimalText(q);
  const said = unit === '' ? amount : `${amount} ${/^-?1$/.test(amount) || unit === 'CPU' ? unit : `${unit}s`}`;
  const notes = [working(parts), roundingNote(q, amount, unit)].filter(it => it !== undefined);
  return notes.length === 0 ? said : `${said} (${notes.join('; ')})`;
}

/** What a valid text is made of, or upstream's parse error. */
function partsOf(text: string): { readonly parts: Parts; readonly suffix: Suffix } | { readonly error: string } {
  if (text === '') return { error: formatWrong };
  const parts = split(text);
  if (parts === undefined) return { error: formatWrong };
  const suffix = interpretSuffix(parts.suffix);
  if (suffix === undefined) return { error: suffixWrong };
  // Upstream's fast path reads no digit as 0.
  if (!isSmall(parts, suffix) && !/[0-9]/.test(parts.value)) return { error: numericWrong };
  return { parts, suffix };
}

function split(text: string): Parts | undefined {
  const match = /^([+-]?)(0*)([0-9]*)(\.?)([0-9]*)/.exec(text);
  if (match === null) return undefined;
  const [written = '', sign, , whole = '', , fraction = ''] = match;
  const suffix = text.slice(written.length);
  // Upstream scans letters of any suffix, a sign and digits, and reports only the rest as an error.
  if (!/^[eEinumkKMGTP]*[-+]?[0-9]*$/.test(suffix)) return undefined;
  return { negative: sign === '-', value: written, whole: whole === '' ? '0' : whole, fraction, suffix };
}

function interpretSuffix(suffix: string): Suffix | undefined {
  const power = decimalSuffixes.get(suffix);
  if (power !== undefined) return { format: 'DecimalSI', exponent: power };
  const shift = binarySuffixes.get(suffix);
  if (shift !== undefined) return { format: 'BinarySI', exponent: shift };
  const [, sign, digits] = /^[eE]([-+]?)0*([0-9]+)$/.exec(suffix) ?? [];
  if (digits === undefined || digits.length > MOST_DIGITS) return undefined;
  const exponent = BigInt(sign === '-' ? `-${digits}` : digits);
  if (!isInt64(exponent)) return undefined;
  return { format: 'DecimalExponent', exponent: Number(BigInt.asIntN(32, exponent)) };
}

/** Whether upstream takes its fast path, as the quantity certainly fits an int64. */
function isSmall({ whole, fraction }: Parts, { format, exponent }: Suffix): boolean {
  if (format === 'BinarySI') return fraction === '' && 15 - whole.length - Math.trunc((exponent * 3) / 10) - 1 >= 0;
  return whole.length + fraction.length <= 18 && exponent - fraction.length >= nano;
}

/** Upstream's fast path. */
function smallQuantity(text: string, parts: Parts, suffix: Suffix): Quantity | undefined {
  if (!isSmall(parts, suffix)) return undefined;
  const { whole, fraction } = parts;
  const { format, exponent } = suffix;
  const binary = format === 'BinarySI';
  const scale = binary ? 0 : exponent - fraction.length;
  const shifted = whole + fraction;
  const value = BigInt(shifted);
  const product = binary ? value << BigInt(exponent) : value;
  const q: Quantity = { amount: parts.negative ? -product : product, scale, form: 'int64', format };
  const asWritten = binary
    ? (value & 7n) !== 0n
    : scale % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0');
  return asWritten ? { ...q, text } : q;
}

/** Upstream's slow path: any size, rounded up to nano, binary ones capped at 2^63 − 1. */
function largeQuantity(parts: Parts, { format, exponent }: Suffix): Quantity {
  const binary = format === 'BinarySI';
  const digitsWritten = BigInt(parts.whole + parts.fraction);
  const unscaled = binary ? digitsWritten << BigInt(exponent) : digitsWritten;
  const power = (binary ? 0 : exponent) - parts.fraction.length;
  const rounded = toNano(unscaled, power);
  const signed = (amount: bigint) => (parts.negative ? -amount : amount);
  if (!binary) return { amount: signed(rounded.amount), scale: rounded.scale, form: 'decimal', format };
  const one = tenTo(Math.max(0, -rounded.scale));
  if (rounded.amount > maxInt64 * one) return { amount: signed(maxInt64), scale: 0, form: 'decimal', format };
  const belowOne = rounded.amount > 0n && rounded.amount < one;
  return { ...rounded, amount: signed(rounded.amount), form: 'decimal', format: belowOne ? 'DecimalSI' : format };
}

function toNano(amount: bigint, power: number): { readonly amount: bigint; readonly scale: number } {
  if (amount === 0n) return { amount, scale: power };
  if (power - nano > widestShift) return { amount, scale: power };
  if (power >= nano) return { amount: amount * tenTo(power - nano), scale: nano };
  if (nano - power >= digits(amount)) return { amount: 1n, scale: nano };
  const divisor = tenTo(nano - power);
  return { amount: (amount + divisor - 1n) / divisor, scale: nano };
}

/** Upstream: Quantity.ScaledValue. */
function scaledInt64(q: Quantity, scale: number): bigint {
  if (q.amount === 0n) return 0n;
  const up = q.scale - scale;
  if (q.form === 'int64') {
    if (up < 0) return awayFromZero(q.amount, -up);
    const product = up > 19 ? undefined : q.amount * tenTo(up);
    if (product === undefined) return 0n;
    // On overflow upstream returns the wrapped result of a single multiplication, but zero if it multiplies step by
    // step.
    return isInt64(product) ? product : wrappingScales.has(up) ? BigInt.asIntN(64, product) : 0n;
  }
  // A power of ten beyond an int64 becomes the lowest int64 if upstream runs on amd64.
  if (up >= 0) return BigInt.asIntN(64, q.amount * (up > 18 ? minInt64 : tenTo(up)));
  const divisor = tenTo(-up);
  // Upstream truncates towards zero and then adds one if anything was cut off, even below zero.
  if (q.amount < maxInt64 && -up < 19) {
    const low = BigInt.asIntN(64, q.amount);
    return low % divisor === 0n ? low / divisor : low / divisor + 1n;
  }
  const cut = q.amount % divisor !== 0n;
  const floor = cut && q.amount < 0n ? q.amount / divisor - 1n : q.amount / divisor;
  return BigInt.asIntN(64, cut ? floor + 1n : floor);
}

function awayFromZero(amount: bigint, places: number): bigint {
  // The digits of a long amount take longer to count than a power of ten to compare with.
  if (places > 40 && places >= digits(amount)) return amount > 0n ? 1n : -1n;
  const divisor = tenTo(places);
  if (amount % divisor === 0n) return amount / divisor;
  return amount / divisor + (amount > 0n ? 1n : -1n);
}

function addInt64(a: Quantity, b: Quantity): { readonly amount: bigint; readonly scale: number } | undefined {
  if (b.amount === 0n) return { amount: a.amount, scale: a.scale };
  if (a.amount === 0n) return { amount: b.amount, scale: b.scale };
  if (Math.abs(a.scale - b.scale) > 19) return undefined;
  if (a.scale === b.scale) {
    const amount = a.amount + b.amount;
    return isInt64(amount) ? { amount, scale: a.scale } : undefined;
  }
  const scale = Math.min(a.scale, b.scale);
  const left = a.amount * tenTo(a.scale - scale);
  const right = b.amount * tenTo(b.scale - scale);
  if (!isInt64(left) || !isInt64(right) || !isInt64(left + right)) return undefined;
  return { amount: left + right, scale };
}

/** The amount as a whole number, if it has no fraction. */
function wholeAmount(q: Quantity): bigint | undefined {
  if (q.scale >= 0) return q.scale > widestShift ? undefined : q.amount * tenTo(q.scale);
  const divisor = tenTo(-q.scale);
  return q.amount % divisor === 0n ? q.amount / divisor : undefined;
}

/** Divides by the factor as often as that leaves no remainder. The divisor doubles in length, as an amount may have a million digits. */
function withoutFactor(amount: bigint, factor: bigint): { readonly rest: bigint; readonly times: number } {
  if (amount === 0n || amount % factor !== 0n) return { rest: amount, times: 0 };
  const { rest, times } = withoutFactor(amount / factor, factor * factor);
  const isLeft = rest % factor === 0n;
  return { rest: isLeft ? rest / factor : rest, times: 1 + 2 * times + (isLeft ? 1 : 0) };
}

function unitOf(resource: string | undefined, format: QuantityFormat): 'CPU' | 'byte' | '' {
  const name = resource?.replace(/^(requests|limits)\./, '');
  if (name === undefined) return format === 'BinarySI' ? 'byte' : '';
  if (name === 'cpu') return 'CPU';
  if (['memory', 'storage', 'ephemeral-storage'].includes(name) || name.startsWith('hugepages-')) return 'byte';
  return '';
}

function working({ value, suffix }: Parts): string | undefined {
  const number = group(value.replace(/^\+/, ''));
  const power = decimalSuffixes.get(suffix);
  if (power === 0) return undefined;
  if (power !== undefined) return `${number} ${power < 0 ? '÷' : '×'} ${group(String(10n ** BigInt(Math.abs(power))))}`;
  const shift = binarySuffixes.get(suffix);
  if (shift !== undefined) return `${number} × ${group(String(1n << BigInt(shift)))}`;
  return `${number} × 10^${Number(suffix.slice(1))}`;
}

function roundingNote(q: Quantity, amount: string, unit: string): string | undefined {
  if (unit === 'CPU') {
    const milli = quantityMilliInt64(q);
    const exact = compareQuantities(q, { amount: milli, scale: -3, form: 'int64', format: 'DecimalSI' }) === 0;
    return exact ? undefined : `counted as ${group(String(milli))}m`;
  }
  if (!amount.includes('.')) return undefined;
  const whole = quantityInt64(q);
  return `counted as ${group(String(whole))}${unit === '' ? '' : whole === 1n ? ` ${unit}` : ` ${unit}s`}`;
}

/** The exact amount as a plain decimal number with grouped thousands. */
function decimalText(q: Quantity): string {
  if (q.scale >= 0) return group(String(q.amount * tenTo(q.scale)));
  const sign = q.amount < 0n ? '-' : '';
  const text = String(q.amount < 0n ? -q.amount : q.amount).padStart(1 - q.scale, '0');
  const fraction = text.slice(q.scale).replace(/0+$/, '');
  return `${sign}${group(text.slice(0, q.scale))}${fraction === '' ? '' : `.${fraction}`}`;
}

function group(number: string): string {
  const [whole = '', fraction] = number.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction ? `${grouped}.${fraction}` : grouped;
}

function absolute(q: Quantity): Quantity {
  return q.amount < 0n ? negateQuantity(q) : q;
}

function signOf(amount: bigint): number {
  return amount > 0n ? 1 : amount < 0n ? -1 : 0;
}

function digits(amount: bigint): number {
  return String(amount < 0n ? -amount : amount).length;
}

function isInt64(amount: bigint): boolean {
  return amount >= minInt64 && amount <= maxInt64;
}

function tenTo(power: number): bigint {
  return 10n ** BigInt(power);
}
