import type { JsonValue } from '../../../base/json';
import { matchesWildcard } from '../../../base/wildcard';
import { parseManifests } from '../../../manifest/parse';
import { isPaddedBase64 } from '../../../text/base64';
import { marshal, unmarshalAny } from '../go/goValues';
import { KyvernoError } from '../results/failures';
import { functions } from './signature';

export type Scalar = string | number | bigint;

/** Functions about texts. Upstream: pkg/engine/jmespath. */
export const textFunctions = functions({
  compare: ['string string', (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)],
  equal_fold: ['string string', (a: string, b: string) => a.toLowerCase() === b.toLowerCase()],
  replace: ['string string string number', replace],
  replace_all: ['string string string', (text: string, old: string, by: string) => text.split(old).join(by)],
  to_upper: ['string', (it: string) => it.toUpperCase()],
  to_lower: ['string', (it: string) => it.toLowerCase()],
  trim: ['string string', trim],
  trim_prefix: [
    'string string',
    (it: string, prefix: string) => (it.startsWith(prefix) ? it.slice(prefix.length) : it),
  ],
  split: ['string string', (it: string, separator: string) => (separator === '' ? [...it] : it.split(separator))],
  pattern_match: ['string string|number', (pattern: string, it: Scalar) => matchesWildcard(pattern, scalarText(it))],
  to_boolean: ['string', toBoolean],
  base64_decode: ['string', base64Decode],
  base64_encode: ['string', (it: string) => Buffer.from(it, 'utf8').toString('base64')],
  path_canonicalize: ['string', cleanPath],
  truncate: [
    'string number',
    (it: string, length: number) => [...it].slice(0, Math.max(0, Math.trunc(length))).join(''),
  ],
  parse_json: ['string', parseJson],
  parse_yaml: ['string', parseYaml],
});

/** Upstream: ifaceToString, which formats with 32-bit precision. */
export function scalarText(it: Scalar): string {
  return typeof it === 'number' && !Number.isInteger(it) ? String(Number(Math.fround(it).toPrecision(8))) : String(it);
}

function replace(text: string, old: string, by: string, times: number): string {
  const parts = text.split(old);
  if (times < 0 || old === '') return parts.join(by);
  const kept = Math.min(Math.trunc(times), parts.length - 1);
  return [...parts.slice(0, kept).map(it => it + by), parts.slice(kept).join(old)].join('');
}

function trim(text: string, cutset: string): string {
  const cut = new Set(cutset);
  const chars = [...text];
  const first = chars.findIndex(it => !cut.has(it));
  return first < 0 ? '' : chars.slice(first, chars.findLastIndex(it => !cut.has(it)) + 1).join('');
}

function toBoolean(it: string): boolean {
  const text = it.toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw new KyvernoError(
    `JMESPath function 'to_boolean': lowercase argument must be 'true' or 'false' (provided: '${it}')`,
  );
}

function base64Decode(it: string): string {
  const text = it.replace(/[\r\n]/g, '');
  if (!isPaddedBase64(text)) {
    throw new KyvernoError('illegal base64 data at input byte 0');
  }
  return Buffer.from(text, 'base64').toString('utf8');
}

/** Upstream: path.Clean. */
function cleanPath(it: string): string {
  if (it === '') return '';
  const isAbsolute = it.startsWith('/');
  const res: string[] = [];
  for (const part of it.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') res.push(part);
    else if (res.length > 0 && res.at(-1) !== '..') res.pop();
    else if (!isAbsolute) res.push('..');
  }
  const joined = res.join('/');
  return isAbsolute ? `/${joined}` : joined === '' ? '.' : joined;
}

function parseJson(it: string): JsonValue {
  const value = unmarshalAny(it);
  if (value === undefined) throw new KyvernoError(`invalid JSON in ${marshal(it.slice(0, 40))}`);
  return value;
}

function parseYaml(it: string): JsonValue {
  const [document] = parseManifests('parse_yaml', it).documents;
  const problem = document?.problems.find(({ severity }) => severity === 'error');
  if (problem !== undefined) throw new KyvernoError(`error converting YAML to JSON: ${problem.message}`);
  return document?.value ?? null;
}
