import { toText } from './conversions';
import { allParts, type PartsLeft, take } from './partsLeft';
import {
  CelDuration,
  CelFailure,
  CelList,
  CelMap,
  CelTimestamp,
  CelUint,
  type CelValue,
  isFailure,
  typeName,
} from './values';

/** `'…'.format([…])`. Upstream: ext.parseFormatString with the locale en_US. */
export function format(text: string, args: CelList): CelValue {
  const steps = allParts();
  const parts: string[] = [];
  let used = 0;
  let end = 0;
  for (const clause of text.matchAll(/%%|%(?:\.(\d*))?(.?)/gsu)) {
    const [whole, precision, letter = ''] = clause;
    parts.push(text.slice(end, clause.index));
    end = clause.index + whole.length;
    if (whole === '%%') {
      parts.push('%');
      continue;
    }
    if (used >= args.size) return new CelFailure(`index ${used} out of range`);
    const arg = args.at(used++);
    if (whole === '%') return new CelFailure('unexpected end of string');
    const formatted = formattedClause(arg, precision, letter, steps);
    if (isFailure(formatted)) return formatted;
    parts.push(formatted);
  }
  return parts.join('') + text.slice(end);
}

type Formatted = string | CelFailure;

function formattedClause(arg: CelValue, precision: string | undefined, letter: string, steps: PartsLeft): Formatted {
  const parse = 'could not parse formatting clause: ';
  if (precision === '' || letter === '') {
    const why =
      letter === ''
        ? 'could not find end of precision specifier'
        : 'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax';
    return new CelFailure(`${parse}error while parsing precision: ${why}`);
  }
  const clause = Object.hasOwn(CLAUSES, letter) ? CLAUSES[letter] : undefined;
  if (clause === undefined) return new CelFailure(`${parse}unrecognized formatting clause "${letter}"`);
  const made = clause(arg, precision === undefined ? 6 : Number(precision), steps);
  if (typeof made === 'string') return made;
  return made instanceof CelFailure
    ? made
    : new CelFailure(`error during formatting: ${made.rule}, was given ${typeName(arg)}`);
}

type Clause = (arg: CelValue, precision: number, steps: PartsLeft) => string | CelFailure | { readonly rule: string };

const CLAUSES: Readonly<Record<string, Clause>> = {
  s: (arg, _, steps) => printed(arg, steps) ?? { rule: STRING_RULE },
  d: arg => integerOf(arg)?.toString() ?? { rule: 'decimal clause can only be used on integers' },
  f: (arg, precision) => {
    const value = doubleOf(arg);
    return value === undefined
      ? { rule: 'fixed-point clause can only be used on doubles' }
      : (unusual(value) ?? grouped(fixed(value, precision)));
  },
  e: (arg, precision) => {
    const value = doubleOf(arg);
    return value === undefined
      ? { rule: 'scientific clause can only be used on doubles' }
      : (unusual(value) ?? scientific(value, precision));
  },
  b: arg => {
    if (typeof arg === 'boolean') return arg ? '1' : '0';
    return integerOf(arg)?.toString(2) ?? { rule: 'only integers and bools can be formatted as binary' };
  },
  o: arg => integerOf(arg)?.toString(8) ?? { rule: 'octal clause can only be used on integers' },
  x: arg => hex(arg) ?? { rule: HEX_RULE },
  X: arg => hex(arg)?.toUpperCase() ?? { rule: HEX_RULE },
};

const HEX_RULE = 'only integers, byte buffers, and strings can be formatted as hex';
const STRING_RULE =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';

const integerOf = (arg: CelValue): bigint | undefined =>
  typeof arg === 'bigint' ? arg : arg instanceof CelUint ? arg.value : undefined;

function hex(arg: CelValue): string | undefined {
  if (typeof arg === 'string') return Buffer.from(arg).toString('hex');
  return arg instanceof Uint8Array ? Buffer.from(arg).toString('hex') : integerOf(arg)?.toString(16);
}

function doubleOf(arg: CelValue): number | undefined {
  if (typeof arg === 'number') return arg;
  if (arg === 'NaN') return Number.NaN;
  if (arg === 'Infinity') return Number.POSITIVE_INFINITY;
  return arg === '-Infinity' ? Number.NEGATIVE_INFINITY : undefined;
}

const unusual = (value: number): string | undefined =>
  Number.isNaN(value) ? 'NaN' : Number.isFinite(value) ? undefined : value > 0 ? '∞' : '-∞';

/** The longest fraction that JavaScript prints. */
const LONGEST = 100;

const fixed = (value: number, precision: number): string =>
  bigFixed(value) ?? value.toFixed(Math.min(precision, LONGEST)) + '0'.repeat(Math.max(0, precision - LONGEST));

/** From 1e21 on, JavaScript prints an exponent. */
const bigFixed = (value: number): string | undefined =>
  Math.abs(value) < 1e21 ? undefined : `${BigInt(value)}.000000`;

function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? thousands : `${thousands}.${fraction}`;
}

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function scientific(value: number, precision: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential(Math.min(precision, LONGEST)).split('e');
  const digits = exponent
    .replace(/^[+-]/, '')
    .padStart(2, '0')
    .replace(/\d/g, it => RAISED[Number(it)] ?? it);
  return `${mantissa}\u202f×\u202f10${exponent.startsWith('-') ? '⁻' : ''}${digits}`;
}

/** Upstream: FormatString. undefined for a value that cannot be printed. */
function printed(arg: CelValue, steps: PartsLeft): Formatted | undefined {
  take(steps);
  if (arg === null) return 'null';
  if (arg instanceof CelList) return printedList(arg, steps);
  if (arg instanceof CelMap) return printedMap(arg, steps);
  const text = toText(arg);
  if (typeof text === 'string') return text;
  return arg instanceof Uint8Array
    ? new CelFailure(
        'error during formatting: could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string',
      )
    : undefined;
}

/** A value inside of a list or a map, as CEL writes it. */
function nested(arg: CelValue, steps: PartsLeft): Formatted {
  if (typeof arg === 'number') {
    return Number.isFinite(arg) ? fixed(arg, 6) : `"${arg > 0 ? '+Inf' : arg < 0 ? '-Inf' : 'NaN'}"`;
  }
  const text = printed(arg, steps);
  if (text === undefined) {
    return isFailure(arg)
      ? arg
      : new CelFailure(`error during formatting: no formatting function for ${typeName(arg)}`);
  }
  if (isFailure(text)) return text;
  if (arg instanceof CelTimestamp) return `timestamp(${JSON.stringify(text)})`;
  if (arg instanceof CelDuration) return `duration(${JSON.stringify(text)})`;
  if (typeof arg === 'string') return JSON.stringify(text);
  return arg instanceof Uint8Array ? `b${JSON.stringify(text)}` : text;
}

function printedList(list: CelList, steps: PartsLeft): Formatted {
  const parts: string[] = [];
  for (let i = 0; i < list.size; i++) {
    const part = nested(list.at(i), steps);
    if (isFailure(part)) return part;
    parts.push(part);
  }
  return `[${parts.join(', ')}]`;
}

function printedMap(map: CelMap, steps: PartsLeft): Formatted {
  const parts: (readonly [string, string])[] = [];
  for (const key of map.keys()) {
    if (!['string', 'bool', 'int', 'uint'].includes(typeName(key))) {
      return new CelFailure(`error during formatting: no formatting function for map key of type ${typeName(key)}`);
    }
    const [name, value] = [nested(key, steps), nested(map.find(key) ?? null, steps)];
    if (isFailure(name)) return name;
    if (isFailure(value)) return value;
    parts.push([name, value]);
  }
  const sorted = parts.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${sorted.map(([name, value]) => `${name}:${value}`).join(', ')}}`;
}
