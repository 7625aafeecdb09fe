import type { JsonValue } from '../base/json';
import { isPaddedBase64 } from '../text/base64';

/**
 * The types of plain scalars as the API server reads them: YAML 1.1 as in go.yaml.in/yaml/v2 (resolve.go), which
 * sigs.k8s.io/yaml uses. A number that JSON cannot represent (.inf, .nan) is the symbol `NOT_JSON`.
 */
export const NOT_JSON = Symbol('not JSON');

const WORDS: ReadonlyMap<string, JsonValue | typeof NOT_JSON> = new Map<string, JsonValue | typeof NOT_JSON>([
  ...words(true, ['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']),
  ...words(false, ['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']),
  ...words(null, ['', '~', 'null', 'Null', 'NULL']),
  ...words(NOT_JSON, ['.nan', '.NaN', '.NAN', '.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF']),
  ...words(NOT_JSON, ['-.inf', '-.Inf', '-.INF']),
]);

function words<T>(value: T, all: readonly string[]): (readonly [string, T])[] {
  return all.map(word => [word, value] as const);
}

/** Which characters can start a plain scalar that is not a string: 1 a word, 2 a number. */
const HINTS: readonly number[] = Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if ('yYnNtTfFoO~'.includes(char)) return 1;
  return '0123456789+-.'.includes(char) ? 2 : 0;
});

const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const INTEGER = /^[-+]?(0|[1-9][0-9]*)$/;
const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
const MAX_UINT64 = 2n ** 64n - 1n;

/** The value of a plain scalar. */
export function resolvePlain(text: string): JsonValue | typeof NOT_JSON {
  if (text === '') return null;
  const hint = HINTS[text.charCodeAt(0)] ?? 0;
  if (hint === 0) return text;
  if (hint === 1) return text.length > 5 ? text : (WORDS.get(text) ?? wordOrText(text));
  return resolveNumber(text);
}

function wordOrText(text: string): JsonValue {
  const value = WORDS.get(text);
  return value === null ? null : text;
}

function resolveNumber(text: string): JsonValue | typeof NOT_JSON {
  if (text.length < 16 && INTEGER.test(text)) return Number(text) + 0;
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (text.charCodeAt(0) === 46) return parseGoFloat(text) ?? text;
  const plain = text.includes('_') ? text.replaceAll('_', '') : text;
  const integer = parseInteger(plain);
  if (integer !== undefined) return integer;
  if (FLOAT.test(plain)) {
    const float = Number(plain);
    return Number.isFinite(float) ? float : text;
  }
  return text;
}

/** strconv.ParseFloat of a text that begins with a dot: decimal digits; `_` is skipped. */
function parseGoFloat(text: string): number | undefined {
  const plain = text.replaceAll('_', '');
  if (!FLOAT.test(plain)) return undefined;
  const float = Number(plain);
  return Number.isFinite(float) ? float : undefined;
}

/** The number of digits of 2 ** 64 - 1. */
const MOST_DIGITS = 20;

/** strconv.ParseInt and ParseUint with base 0: 0x, 0o, 0b, and a leading 0 for octal. */
function parseInteger(plain: string): number | bigint | undefined {
  const match = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/.exec(plain);
  if (match === null) return undefined;
  const [, sign, hex, binary, octal, decimal] = match;
  const digits = hex ? `0x${hex}` : binary ? `0b${binary}` : octal ? `0o${octal}` : decimal!;
  // Converting a million decimal digits takes long; other bases are converted in linear time.
  if (decimal !== undefined && decimal.length > MOST_DIGITS) return undefined;
  const magnitude = BigInt(digits);
  const value = sign === '-' ? -magnitude : magnitude;
  if (value < MIN_INT64 || value > MAX_UINT64) return undefined;
  if (sign === '+' && value > MAX_INT64) return undefined;
  return smallest(value);
}

/** A number if that is exact, else the bigint. */
export function smallest(value: bigint): number | bigint {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

const SHORT_TAGS: Readonly<Record<string, string>> = {
  'tag:yaml.org,2002:': '!!',
};

/** `!!str` for both `!!str` and `!<tag:yaml.org,2002:str>`. */
export function shortTag(tag: string): string {
  const verbatim = /^!<(.*)>$/.exec(tag)?.[1] ?? tag;
  for (const [long, short] of Object.entries(SHORT_TAGS)) {
    if (verbatim.startsWith(long)) return short + verbatim.slice(long.length);
  }
  return verbatim;
}

/** The value of a tagged scalar, or a sentence that explains why the tag is not valid for it. */
export function resolveTagged(tag: string, text: string): { readonly value: JsonValue } | { readonly error: string } {
  const short = shortTag(tag);
  const plain = resolvePlain(text);
  const misfit = { error: `"${text}" can't be read as ${short}: correct the value or remove the tag.` };
  switch (short) {
    case '!!str':
      return { value: text };
    case '!!binary':
      return decodeBase64(text);
    case '!!int':
      return (typeof plain === 'number' && Number.isInteger(plain) && !/[.eE]/.test(text.replace(/^0x.*/i, ''))) ||
        typeof plain === 'bigint'
        ? { value: plain }
        : misfit;
    case '!!float':
      return typeof plain === 'number' || typeof plain === 'bigint' ? { value: Number(plain) } : misfit;
    case '!!bool':
      return typeof plain === 'boolean' ? { value: plain } : misfit;
    case '!!null':
      return plain === null ? { value: null } : misfit;
    case '!!timestamp':
      return /^\d{4}-\d\d?-\d\d?(?:[Tt\s]|$)/.test(text) ? { value: text } : misfit;
    default:
      return { value: text };
  }
}

function decodeBase64(text: string): { readonly value: JsonValue } | { readonly error: string } {
  const digits = text.replace(/[\r\n]/g, '');
  if (!isPaddedBase64(digits)) {
    return { error: 'This is no base64 text: !!binary wants padded base64.' };
  }
  return { value: Buffer.from(digits, 'base64').toString('utf8') };
}
