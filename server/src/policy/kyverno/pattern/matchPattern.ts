import type { JsonObject, JsonValue } from '../../../base/json';
import { lazyByObject } from '../../../base/lazy';
import { goType, isList, isMap, sprint } from '../go/goValues';
import { type Anchor, isAnchor, parseAnchor } from './anchor';
import { expandWildcards, type Wildcards, wildcardsIn } from './metadata';
import { matchesScalar } from './scalar';

/**
 * Why a value does not match. `skip`: the rule does not apply, because a condition or a global anchor did not hold.
 * `path` is in Kyverno's form, `/spec/containers/0/image/`; '' if there is none.
 */
export interface PatternMismatch {
  readonly kind: 'fail' | 'skip' | 'error';
  readonly path: string;
  readonly message: string;
}

/** A mismatch inside the walk. `isGathered`: it combines the skips of several fields. */
interface Miss {
  readonly path: string;
  readonly message: string;
  readonly isGathered?: true;
}

/** Anchors of the pattern by key, and whether any object had the key. */
type FoundAnchors = Map<string, boolean>;

/** undefined when the value matches. Upstream: validate.MatchPattern. */
export function matchPattern(value: JsonValue | undefined, pattern: JsonValue): PatternMismatch | undefined {
  const anchors: FoundAnchors = new Map();
  const miss = matchElement(value, pattern, '/', anchors);
  if (miss === undefined) return undefined;
  const { path, message } = miss;
  if (isSkip(miss)) return { kind: 'skip', path: '', message };
  if (message.includes(negationMismatch)) return { kind: 'fail', path, message };
  const isMissing = [...anchors].some(([key, isThere]) => !isThere && !isAnchor(key, ['negation']));
  return isMissing || path === '' ? { kind: 'error', path: '', message } : { kind: 'fail', path, message };
}

const conditionMismatch = 'conditional anchor mismatch';
const globalMismatch = 'global anchor mismatch';
const negationMismatch = 'negation anchor matched in resource';

/** Upstream: anchor.IsConditionalAnchorError, anchor.IsGlobalAnchorError; they check the message, too. */
const isSkip = ({ message }: Miss): boolean => message.includes(conditionMismatch) || message.includes(globalMismatch);

/** Upstream: validateResourceElement. */
function matchElement(
  value: JsonValue | undefined,
  pattern: JsonValue,
  path: string,
  anchors: FoundAnchors,
): Miss | undefined {
  if (isMap(pattern)) {
    if (!isMap(value)) {
      const message = `pattern and resource have different structures. Path: ${path}. Expected ${goType(pattern)}, found ${goType(value)}`;
      return { path, message };
    }
    const keys = keysOf(pattern);
    noteAnchors(keys, value, anchors);
    return matchMap(value, pattern, keys, path, anchors);
  }
  if (isList(pattern)) {
    if (!isList(value)) {
      return {
        path,
        message: `validation rule failed at path ${path}, resource does not satisfy the expected overlay pattern`,
      };
    }
    return matchList(value, pattern, path, anchors);
  }
  const isMatch = isList(value) ? value.every(it => matchesScalar(it, pattern)) : matchesScalar(value, pattern);
  if (isMatch) return undefined;
  return { path, message: `resource value '${sprint(value)}' does not match '${sprint(pattern)}' at path ${path}` };
}

/** Upstream: AnchorMap.CheckAnchorInResource. */
function noteAnchors({ noted }: Keys, value: JsonObject, anchors: FoundAnchors): void {
  for (const [key, anchor] of noted) anchors.set(key, anchors.get(key) === true || Object.hasOwn(value, anchor.key));
}

/** The keys of a map of a pattern. */
interface Keys {
  /** Those that are noted when they are found. */
  readonly noted: readonly (readonly [string, Anchor])[];
  /** Those that are matched first. */
  readonly anchors: readonly string[];
  /** The others in the order in which they are matched. */
  readonly others: readonly string[];
  readonly wildcards: Wildcards | undefined;
}

/** A pattern is matched with many resources. */
const keysOf = lazyByObject((pattern: JsonObject): Keys => {
  const keys = Object.keys(pattern);
  const sorted = keys.toSorted();
  const anchors = sorted.filter(it => isAnchor(it, ['condition', 'existence', 'equality', 'negation']));
  const others = sorted.filter(it => !anchors.includes(it));
  const noted = keys.flatMap((key): Keys['noted'] => {
    const anchor = parseAnchor(key);
    return anchor && ['condition', 'existence', 'negation'].includes(anchor.type) ? [[key, anchor]] : [];
  });
  return { noted, anchors, others: inOrder(pattern, others), wildcards: wildcardsIn(pattern) };
});

/** Matches conditional fields first, then the others. Upstream: validateMap. */
function matchMap(
  value: JsonObject,
  written: JsonObject,
  keys: Keys,
  path: string,
  found: FoundAnchors,
): Miss | undefined {
  const pattern = keys.wildcards === undefined ? written : expandWildcards(written, keys.wildcards, value);
  const { anchors, others } = pattern === written ? keys : keysOf(pattern);
  const skips: Miss[] = [];
  let applied = 0;
  for (const key of anchors) {
    const miss = matchKey(value, key, pattern[key] ?? null, path, found);
    if (miss === undefined) applied += 1;
    else if (isSkip(miss)) skips.push(miss);
    else if (skips.every(it => it.isGathered)) return miss;
  }
  if (skips.length > 0 && (applied === 0 || skips.some(it => !it.isGathered))) return gathered(skips, path);
  for (const key of others) {
    const miss = matchKey(value, key, pattern[key] ?? null, path, found);
    if (miss !== undefined) return miss;
  }
  return undefined;
}

const gathered = (skips: readonly Miss[], path: string): Miss => ({
  path,
  message: skips.map(it => it.message).join('; '),
  isGathered: true,
});

/** Fields that contain anchors come first, in reverse order. Upstream: getSortedNestedAnchorResource. */
function inOrder(pattern: JsonObject, keys: readonly string[]): readonly string[] {
  const isEarly = (key: string) => isAnchor(key, ['global']) || hasAnchors(pattern[key]);
  return [...keys.filter(isEarly).reverse(), ...keys.filter(it => !isEarly(it))];
}

/** Upstream: hasNestedAnchors. */
function hasAnchors(pattern: JsonValue | undefined): boolean {
  if (isList(pattern)) return pattern.some(hasAnchors);
  if (!isMap(pattern)) return false;
  return Object.entries(pattern).some(
    ([key, it]) => isAnchor(key, ['condition', 'existence', 'equality', 'negation', 'global']) || hasAnchors(it),
  );
}

/** Upstream: anchor.CreateElementHandler and the handlers. */
function matchKey(
  value: JsonObject,
  written: string,
  pattern: JsonValue,
  path: string,
  anchors: FoundAnchors,
): Miss | undefined {
  const anchor = parseAnchor(written);
  if (anchor === undefined || anchor.type === 'addIfNotPresent')
    return matchField(value, written, pattern, path, anchors);
  const at = `${path}${anchor.key}/`;
  if (!Object.hasOwn(value, anchor.key)) return missOfAbsent(anchor, at);
  const inner = value[anchor.key] ?? null;
  switch (anchor.type) {
    case 'negation':
      return { path: at, message: `${negationMismatch}: ${at} is not allowed` };
    case 'equality':
      return matchElement(inner, pattern, at, anchors);
    case 'existence':
      return matchExistence(inner, pattern, at, anchors);
    default: {
      const miss = matchElement(inner, pattern, at, anchors);
      if (miss === undefined) return undefined;
      const prefix = anchor.type === 'global' ? globalMismatch : conditionMismatch;
      return { path: miss.path, message: `${prefix}: ${miss.message}` };
    }
  }
}

function missOfAbsent({ type }: Anchor, at: string): Miss | undefined {
  if (type !== 'condition') return undefined;
  return { path: at, message: `${conditionMismatch}: conditional anchor key doesn't exist in the resource` };
}

function matchField(
  value: JsonObject,
  key: string,
  pattern: JsonValue,
  path: string,
  anchors: FoundAnchors,
): Miss | undefined {
  if (pattern !== '*') return matchElement(value[key], pattern, `${path}${key}/`, anchors);
  if (value[key] !== undefined && value[key] !== null) return undefined;
  return { path, message: `${path}/${key} not found` };
}

/** Each map of the pattern has to match at least one item. Upstream: existenceHandler.Handle. */
function matchExistence(value: JsonValue, pattern: JsonValue, path: string, anchors: FoundAnchors): Miss | undefined {
  if (!isList(value)) {
    const message = `invalid resource type ${goType(value)}: Existence ^ () anchor can be used only on list/array type resource`;
    return { path, message };
  }
  if (!isList(pattern)) {
    const message = `invalid pattern type ${goType(pattern)}: Pattern has to be of list to compare against resource`;
    return { path, message };
  }
  for (const wanted of pattern) {
    if (!isMap(wanted)) {
      const message = `invalid pattern type ${goType(pattern)}: Pattern has to be of type map to compare against items in resource`;
      return { path, message };
    }
    const isThere = value.some((it, i) => matchElement(it, wanted, `${path}${i}/`, anchors) === undefined);
    if (!isThere) return { path, message: `existence anchor validation failed at path ${path}` };
  }
  return undefined;
}

/** The first element of the pattern applies to all items of a list of maps or scalars. Upstream: validateArray. */
function matchList(
  value: readonly JsonValue[],
  pattern: readonly JsonValue[],
  path: string,
  anchors: FoundAnchors,
): Miss | undefined {
  const [first] = pattern;
  if (first === undefined) return { path, message: 'pattern Array empty' };
  if (isMap(first)) return matchItems(value, () => first, path, anchors);
  if (!isList(first)) return matchElement(value, first, path, anchors);
  if (value.length < pattern.length) {
    const message = `validate Array failed, array length mismatch, resource Array len is ${value.length} and pattern Array len is ${pattern.length}`;
    return { path: '', message };
  }
  return matchItems(value.slice(0, pattern.length), i => pattern[i] ?? null, path, anchors);
}

/** Items to which the pattern does not apply are left out, unless it applies to none. Upstream: validateArrayOfMaps. */
function matchItems(
  items: readonly JsonValue[],
  patternOf: (index: number) => JsonValue,
  path: string,
  anchors: FoundAnchors,
): Miss | undefined {
  const skips: Miss[] = [];
  for (const [i, item] of items.entries()) {
    const miss = matchElement(item, patternOf(i), `${path}${i}/`, anchors);
    if (miss === undefined) continue;
    if (!isSkip(miss)) return miss;
    skips.push(miss);
  }
  return skips.length > 0 && skips.length === items.length ? gathered(skips, path) : undefined;
}
