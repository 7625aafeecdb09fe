import type { JsonObject, JsonValue } from '../../../base/json';
import { lazyByObject } from '../../../base/lazy';
import { hasWildcard, matchesWildcard } from '../../../base/wildcard';
import { isMap } from '../go/goValues';
import { anchored, parseAnchor } from './anchor';

/**
 * Replaces wildcards in the label and annotation keys of a pattern by the matching keys of the object. Upstream:
 * wildcards.ExpandInMetadata.
 */
export function expandWildcardsInMetadata(pattern: JsonObject, value: JsonObject): JsonObject {
  const metadataKey = keyFor('metadata', pattern);
  const metadata = metadataKey === undefined ? undefined : pattern[metadataKey];
  if (metadataKey === undefined || !isMap(metadata) || !isMap(value.metadata)) return pattern;
  const expanded = ['labels', 'annotations'].flatMap(tag => expandTag(tag, metadata, value.metadata as JsonObject));
  return expanded.length === 0
    ? pattern
    : { ...pattern, [metadataKey]: { ...metadata, ...Object.fromEntries(expanded) } };
}

/** The key as written in the pattern, with its anchor. Upstream: getPatternValue. */
function keyFor(tag: string, pattern: JsonObject): string | undefined {
  return Object.keys(pattern).find(it => it === tag || parseAnchor(it)?.key === tag);
}

function expandTag(tag: string, pattern: JsonObject, metadata: JsonObject): readonly (readonly [string, JsonObject])[] {
  const key = keyFor(tag, pattern);
  const wanted = key === undefined ? undefined : pattern[key];
  const have = metadata[tag];
  if (key === undefined || !isMap(wanted) || !isMap(have) || staysAsWritten(wanted)) return [];
  const keys = Object.entries(have).flatMap(([name, it]) => (typeof it === 'string' ? [name] : []));
  const texts = Object.entries(wanted).filter((it): it is [string, JsonValue] => typeof it[1] === 'string');
  return [[key, Object.fromEntries(texts.map(([name, it]) => [expandKey(name, keys), it]))]];
}

const staysAsWritten = lazyByObject((wanted: JsonObject): boolean =>
  Object.entries(wanted).every(([name, it]) => typeof it === 'string' && !hasWildcard(name)),
);

function expandKey(written: string, keys: readonly string[]): string {
  if (!hasWildcard(written)) return written;
  const anchor = parseAnchor(written);
  const pattern = anchor?.key ?? written;
  const key = keys.find(it => matchesWildcard(pattern, it)) ?? pattern;
  return anchor === undefined ? key : anchored(anchor, key);
}
