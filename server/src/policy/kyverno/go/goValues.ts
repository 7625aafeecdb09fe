import { isObject, type JsonObject, type JsonValue } from '../../../base/json';

/** Parsing, printing and comparing as Go's standard library does, as far as Kyverno depends on it. */

const second = 1_000_000_000n;
const unitsOfDuration: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: second,
  m: 60n * second,
  h: 3600n * second,
};
const mostNanoseconds = 2n ** 63n;

/** Nanoseconds; undefined for a text that is not a duration. Upstream: time.ParseDuration. */
export function parseDuration(text: string): bigint | undefined {
  const sign = /^[-+]/.exec(text)?.[0];
  const body = sign === undefined ? text : text.slice(1);
  if (body === '0') return 0n;
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(body)) return undefined;
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of body.matchAll(/(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g)) {
    const scale = unitsOfDuration[unit] ?? 0n;
    total += BigInt(whole === '' ? '0' : whole) * scale;
    if (fraction !== '') total += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
  }
  const limit = sign === '-' ? mostNanoseconds : mostNanoseconds - 1n;
  if (total > limit) return undefined;
  return sign === '-' ? -total : total;
}

/** As Go prints a duration: `1h0m0s`, `1.5s`, `20ms`. Upstream: time.Duration.String. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const n = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (n < second) {
    const [scale, unit] =
      n < 1000n ? ([1n, 'ns'] as const) : n < 1_000_000n ? ([1000n, 'µs'] as const) : ([1_000_000n, 'ms'] as const);
    return `${sign}${withFraction(n, scale)}${unit}`;
  }
  const minutes = n / (60n * second);
  const rest = `${withFraction(n % (60n * second), second)}s`;
  if (minutes === 0n) return `${sign}${rest}`;
  if (minutes < 60n) return `${sign}${minutes}m${rest}`;
  return `${sign}${minutes / 60n}h${minutes % 60n}m${rest}`;
}

function withFraction(n: bigint, scale: bigint): string {
  const fraction = (n % scale)
    .toString()
    .padStart(scale.toString().length - 1, '0')
    .replace(/0+$/, '');
  return fraction === '' || scale === 1n ? `${n / scale}` : `${n / scale}.${fraction}`;
}

/** undefined for a text that is not a number. Upstream: strconv.ParseFloat. */
export function parseFloat64(text: string): number | undefined {
  if (/^[-+]?(?:inf|infinity)$/i.test(text))
    return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (!/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** undefined for a text that is not a 64-bit integer. Upstream: strconv.ParseInt with base 10. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[-+]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** Formats a value inside a sentence. Upstream: fmt.Sprint. */
export function sprint(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(sprint).join(' ')}]`;
  if (typeof value === 'object') {
    const entries = Object.entries(value as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1));
    return `map[${entries.map(([key, it]) => `${key}:${sprint(it)}`).join(' ')}]`;
  }
  return String(value);
}

/** JSON with sorted keys and with `<`, `>`, `&` escaped. Upstream: encoding/json.Marshal. */
export function marshal(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(marshal).join(',')}]`;
  if (typeof value === 'object') {
    const entries = Object.entries(value as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, it]) => `${marshal(key)}:${marshal(it)}`).join(',')}}`;
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    it => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The value of a JSON text; undefined for invalid JSON. Upstream: encoding/json.Unmarshal. */
export function unmarshalAny(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

export const isMap = isObject;

export const isList = (value: unknown): value is readonly JsonValue[] => Array.isArray(value);

/** A number in either representation. */
export const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

/** Upstream: reflect.DeepEqual of decoded JSON. */
export function deepEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((it, i) => deepEqual(it, b[i]));
  if (!isMap(a) || !isMap(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every(it => Object.hasOwn(b, it) && deepEqual(a[it], b[it]));
}

/** The name of a value's Go type. Upstream: the verb %T. */
export function goType(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (isList(value)) return '[]interface {}';
  if (isMap(value)) return 'map[string]interface {}';
  if (isNumber(value)) return typeof value === 'number' && !Number.isInteger(value) ? 'float64' : 'int64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}
