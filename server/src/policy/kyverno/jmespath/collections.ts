import type { JsonObject, JsonValue } from '../../../base/json';
import { compareSemvers, parseSemver, type Semver } from '../../../kube/cel/semver';
import { isLoopback, parseIp } from '../../../kube/ip';
import { md5, sha1, sha256 } from '../../hashes';
import { x509Decode } from '../go/certificates';
import { deepEqual, isList, isNumber } from '../go/goValues';
import { imageOf, imageText } from '../resource/images';
import { Indeterminate, KyvernoError } from '../results/failures';
import { functions } from './signature';

type List = readonly JsonValue[];

/** Functions about lists, maps, versions, images and addresses. Upstream: pkg/engine/jmespath. */
export const collectionFunctions = functions({
  label_match: ['object object', labelMatch],
  lookup: ['object|array string|number', lookup],
  items: ['object|array string string', items],
  object_from_lists: ['array array', objectFromLists],
  semver_compare: ['string string', semverCompare],
  image_normalize: ['string', imageNormalize],
  is_external_url: ['string', isExternalUrl],
  sha256: ['string', sha256],
  sha1: ['string', sha1],
  md5: ['string', md5],
  random: ['string', () => refuse('random makes a different text each time')],
  x509_decode: ['string', x509Decode],
});

function refuse(reason: string): never {
  throw new Indeterminate(reason);
}

function labelMatch(wanted: JsonObject, have: JsonObject): boolean {
  return Object.entries(wanted).every(([key, it]) => Object.hasOwn(have, key) && deepEqual(have[key], it));
}

function lookup(where: JsonObject | List, key: string | number): JsonValue {
  if (!isList(where)) {
    if (typeof key === 'string') return where[key] ?? null;
    throw new KyvernoError("JMESPath function 'lookup': argument #2 is not of type String");
  }
  if (typeof key === 'string') throw new KyvernoError("JMESPath function 'lookup': argument #2 is not of type Number");
  if (!Number.isInteger(key)) {
    throw new KyvernoError(`JMESPath function 'lookup': argument #2: expected an integer number but got: ${key}`);
  }
  return where[key] ?? null;
}

function items(of: JsonObject | List, keyName: string, valueName: string): JsonValue {
  if (isList(of)) return of.map((it, i) => ({ [keyName]: i, [valueName]: it }));
  return Object.keys(of)
    .sort()
    .map(key => ({ [keyName]: key, [valueName]: of[key] ?? null }));
}

function objectFromLists(keys: List, values: List): JsonValue {
  return Object.fromEntries(
    keys.map((key, i) => {
      if (typeof key !== 'string' && typeof key !== 'boolean' && !isNumber(key)) {
        throw new KyvernoError("JMESPath function 'object_from_lists': argument #1 is not of type StringArray");
      }
      return [String(key), values[i] ?? null];
    }),
  );
}

const comparators: Readonly<Record<string, (order: number) => boolean>> = {
  '': it => it === 0,
  '=': it => it === 0,
  '==': it => it === 0,
  '!': it => it !== 0,
  '!=': it => it !== 0,
  '>': it => it > 0,
  '>=': it => it >= 0,
  '<': it => it < 0,
  '<=': it => it <= 0,
};

/** `>=1.2.0 <2.0.0 || 3.x`. A text that is not a version counts as 0.0.0. Upstream: blang/semver.ParseRange. */
function semverCompare(text: string, range: string): boolean {
  const version = parseSemver(text) ?? { major: 0n, minor: 0n, patch: 0n, pre: [], build: [] };
  const alternatives = range.split('||').map(it =>
    it
      .replace(/([<>=!])\s+/g, '$1')
      .split(' ')
      .filter(part => part !== ''),
  );
  if (alternatives.some(it => it.length === 0))
    throw new KyvernoError(`Could not parse Range ${JSON.stringify(range)}`);
  return alternatives
    .map(parts => parts.flatMap(expandWildcard).map(readComparison))
    .some(all => all.every(it => it(version)));
}

function readComparison(part: string): (version: Semver) => boolean {
  const [, operator = '', text = ''] = /^([^0-9]*)(.*)$/.exec(part) ?? [];
  const holds = comparators[operator.trim()];
  const limit = parseSemver(text);
  if (holds === undefined || limit === undefined)
    throw new KyvernoError(`Could not parse Range ${JSON.stringify(part)}`);
  return version => holds(compareSemvers(version, limit));
}

/** `1.2.x` is `>=1.2.0 <1.3.0`. Upstream: expandWildcardVersion. */
function expandWildcard(part: string): readonly string[] {
  const [, operator = '', text = ''] = /^([^0-9]*)(.*)$/.exec(part) ?? [];
  if (!part.includes('x')) return [part];
  const [major = '0', minor = 'x'] = text.split('.');
  const low = minor === 'x' ? `${major}.0.0` : `${major}.${minor}.0`;
  const high = minor === 'x' ? `${Number(major) + 1}.0.0` : `${major}.${Number(minor) + 1}.0`;
  const expanded: Readonly<Record<string, readonly string[]>> = {
    '>': [`>=${high}`],
    '>=': [`>=${low}`],
    '<': [`<${low}`],
    '<=': [`<${high}`],
    '!': [`<${low}`, `>=${high}`],
    '!=': [`<${low}`, `>=${high}`],
  };
  return expanded[operator] ?? [`>=${low}`, `<${high}`];
}

function imageNormalize(text: string): string {
  const image = imageOf(text);
  if (image === undefined) throw new KyvernoError(`JMESPath function 'image_normalize': bad image: ${text}`);
  return imageText(image);
}

/** Kyverno resolves names by DNS; offline only addresses are supported. */
function isExternalUrl(text: string): boolean {
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]*)/i.exec(text)?.[1] ?? '';
  const ip = parseIp(host.replace(/^\[|\]$/g, ''));
  if (ip === undefined) throw new Indeterminate('is_external_url asks the network for the address of a name');
  return !isLoopback(ip) && !isPrivate(ip.bytes);
}

function isPrivate(bytes: readonly number[]): boolean {
  const [a = 0, b = 0] = bytes.length === 16 && bytes.slice(0, 10).every(it => it === 0) ? bytes.slice(12) : bytes;
  if (bytes.length === 16 && (bytes[0] ?? 0) !== 0) return (a & 0xfe) === 0xfc;
  return a === 10 || (a === 172 && (b & 0xf0) === 16) || (a === 192 && b === 168);
}
