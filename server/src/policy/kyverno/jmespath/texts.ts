import { compileRegex, type Regex, TOO_LONG } from '../../../kube/cel/regex';
import type { JsonValue } from '../../../manifest/manifest';
import { parseManifests } from '../../../manifest/parse';
import { matchesWildcard } from '../../wildcard';
import { Refusal, Undecided } from '../failures';
import { marshal, unmarshalAny } from '../goValues';
import { functions, type QueryFunction } from './signature';

type Scalar = string | number | bigint;

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
  regex_replace_all: ['string string|number string|number', replacing('regex_replace_all', expand)],
  regex_replace_all_literal: ['string string|number string|number', replacing('regex_replace_all_literal', by => by)],
  regex_match: ['string string|number', regexMatch],
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

/** Upstream: ifaceToString, which keeps 32 bits of a fraction. */
function scalarText(it: Scalar): string {
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

function regexFor(name: string, pattern: string): Regex {
  const made = compileRegex(pattern, 'g');
  if ('error' in made) throw new Refusal(`JMESPath function '${name}': ${made.error}`);
  if ('unsupported' in made) throw new Undecided(`${name} with ${made.unsupported}`);
  return made.regex;
}

function inTime<T>(name: string, told: T | undefined): T {
  if (told === undefined) throw new Undecided(`${name} with ${TOO_LONG}`);
  return told;
}

function regexMatch(pattern: string, it: Scalar): boolean {
  return inTime('regex_match', regexFor('regex_match', pattern).matches(scalarText(it)));
}

function replacing(name: string, expanded: (by: string, match: RegExpMatchArray) => string): QueryFunction['run'] {
  return (pattern: string, it: Scalar, by: Scalar) => {
    const text = scalarText(it);
    let last = 0;
    let res = '';
    for (const match of text.matchAll(inTime(name, regexFor(name, pattern).finderFor(text)))) {
      const follows = match[0] === '' && match.index === last && last > 0;
      res += text.slice(last, match.index) + (follows ? '' : expanded(scalarText(by), match));
      last = match.index + match[0].length;
    }
    return res + text.slice(last);
  };
}

/** `$1`, `${1}`, `$name`, `$$`. Upstream: regexp.Expand. */
function expand(template: string, match: RegExpMatchArray): string {
  return template.replace(/\$(?:\{(\w+)\}|(\w+)|(\$))/g, (_, braced?: string, bare?: string, dollar?: string) => {
    if (dollar !== undefined) return '$';
    const name = braced ?? bare ?? '';
    return (/^\d+$/.test(name) ? match[Number(name)] : match.groups?.[name]) ?? '';
  });
}

function toBoolean(it: string): boolean {
  const text = it.toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Refusal(`JMESPath function 'to_boolean': lowercase argument must be 'true' or 'false' (provided: '${it}')`);
}

function base64Decode(it: string): string {
  const text = it.replace(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) {
    throw new Refusal('illegal base64 data at input byte 0');
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
  if (value === undefined) throw new Refusal(`invalid JSON in ${marshal(it.slice(0, 40))}`);
  return value;
}

function parseYaml(it: string): JsonValue {
  const [document] = parseManifests('parse_yaml', it).documents;
  const problem = document?.problems.find(({ severity }) => severity === 'error');
  if (problem !== undefined) throw new Refusal(`error converting YAML to JSON: ${problem.message}`);
  return document?.value ?? null;
}
