import type { JsonObject, JsonValue } from '../../../base/json';
import { hasWildcard, matchesWildcard } from '../../../base/wildcard';
import { isMap } from '../go/goValues';
import { anchored, parseAnchor } from './anchor';

/** The part of `metadata` whose keys have wildcards, with the keys as the pattern has them. */
export interface Wildcards {
  readonly key: string;
  readonly metadata: JsonObject;
  readonly tags: readonly Tag[];
}

interface Tag {
  readonly name: string;
  readonly key: string;
  readonly wanted: JsonObject;
}

/** undefined for most patterns. */
export function wildcardsIn(pattern: JsonObject): Wildcards | undefined {
  const key = keyFor('metadata', pattern);
  const metadata = key === undefined ? undefined : pattern[key];
  if (key === undefined || !isMap(metadata)) return undefined;
  const tags = ['labels', 'annotations'].flatMap((name): readonly Tag[] => {
    const tag = keyFor(name, metadata);
    const wanted = tag === undefined ? undefined : metadata[tag];
    return tag === undefined || !isMap(wanted) || staysAsWritten(wanted) ? [] : [{ name, key: tag, wanted }];
  });
  return tags.length === 0 ? undefined : { key, metadata, tags };
}

/**
 * Replaces wildcards in the label and annotation keys of a pattern by the matching keys of the object. Upstream:
 * wildcards.ExpandInMetadata.
 */
export function expandWildcards(pattern: JsonObject, wildcards: Wildcards, value: JsonObject): JsonObject {
  const { key, metadata, tags } = wildcards;
  const have = value.metadata;
  const expanded = isMap(have) ? tags.flatMap(it => expandTag(it, have)) : [];
  return expanded.length === 0 ? pattern : { ...pattern, [key]: { ...metadata, ...Object.fromEntries(expanded) } };
}

/** The key as written in the pattern, with its anchor. Upstream: getPatternValue. */
function keyFor(tag: string, pattern: JsonObject): string | undefined {
  return Object.keys(pattern).find(it => it === tag || parseAnchor(it)?.key === tag);
}

function expandTag({ name, key, wanted }: Tag, metadata: JsonObject): readonly (readonly [string, JsonObject])[] {
  const have = metadata[name];
  if (!isMap(have)) return [];
  const keys = Object.entries(have).flatMap(([name, it]) => (typeof it === 'string' ? [name] : []));
  const texts = Object.entries(wanted).filter((it): it is [string, JsonValue] => typeof it[1] === 'string');
  return [[key, Object.fromEntries(texts.map(([name, it]) => [expandKey(name, keys), it]))]];
}

const staysAsWritten = (wanted: JsonObject): boolean =>
  Object.entries(wanted).every(([name, it]) => typeof it === 'string' && !hasWildcard(name));

function expandKey(written: string, keys: readonly string[]): string {
  if (!hasWildcard(written)) return written;
  const anchor = parseAnchor(written);
  const pattern = anchor?.key ?? written;
  const key = keys.find(it => matchesWildcard(pattern, it)) ?? pattern;
  return anchor === undefined ? key : anchored(anchor, key);
}
