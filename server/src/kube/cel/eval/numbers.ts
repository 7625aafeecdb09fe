/** Numbers as Go reads and prints them. */

const MOST_INT = 2n ** 63n - 1n;

export const isInt64 = (it: bigint): boolean => it <= MOST_INT && it >= -MOST_INT - 1n;
export const isUint64 = (it: bigint): boolean => it >= 0n && it < 2n ** 64n;

/** Upstream: strconv.ParseInt with base 10. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return isInt64(value) ? value : undefined;
}

/** Upstream: strconv.ParseUint with base 10. */
export function parseUint64(text: string): bigint | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const value = BigInt(text);
  return isUint64(value) ? value : undefined;
}

/** Upstream: strconv.ParseFloat, without hexadecimal numbers. */
export function parseDouble(text: string): number | undefined {
  const [, sign = '', name] = /^([+-]?)(inf|infinity|nan)$/i.exec(text) ?? [];
  if (name !== undefined) {
    if (name.toLowerCase() === 'nan') return sign === '' ? Number.NaN : undefined;
    return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

interface Decimal {
  readonly sign: '' | '-';
  readonly digits: string;
  /** The power of ten of the first digit. */
  readonly exponent: number;
}

function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toExponential().split('e');
  return {
    sign: value < 0 || Object.is(value, -0) ? '-' : '',
    digits: mantissa.replace('.', ''),
    exponent: Number(exponent),
  };
}

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return undefined;
  return value > 0 ? '+Inf' : '-Inf';
}

/** Upstream: strconv.FormatFloat(value, 'f', -1, 64). */
export function plainDouble(value: number): string {
  const other = special(value);
  if (other !== undefined) return other;
  const { sign, digits, exponent } = decimalOf(value);
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return sign + digits.padEnd(exponent + 1, '0');
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

/** The exponent from which `%g` prints one. */
const MOST_PLAIN = 6;

/** Upstream: fmt's %g, whose precision is the shortest that is exact. */
export function shortDouble(value: number): string {
  const other = special(value);
  if (other !== undefined) return other;
  const { sign, digits, exponent } = decimalOf(value);
  if (exponent >= -4 && exponent < MOST_PLAIN) return plainDouble(value);
  const rest = digits.length > 1 ? `.${digits.slice(1)}` : '';
  return `${sign}${digits[0]}${rest}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
