import { asList, asObject, asText, type JsonValue } from '../../base/json';

/** Each text with how often it is counted, longer texts first: a shorter one may be a part of a longer one. */
export type TextCounts = readonly (readonly [text: string, count: number])[];

/** A tag that is a version: rules only tell it from `latest`, from no tag and from a digest. */
const PLAIN_TAG = /^v?\d{1,6}\.\d{1,6}\.\d{1,6}$/;

/** Words in one piece, which YAML reads as a text and which refer to no other variable. */
const PLAIN_VALUE = /^(?=.{3,63}$)[a-z][a-z0-9]*(-[a-z0-9]+)+$/;

/** The versions that containers' images have as their tags, also where a label is the same version. */
export function plainTags(containers: readonly JsonValue[], labels: readonly (JsonValue | undefined)[]): TextCounts {
  const tags = containers.flatMap(it => plainTagOf(asText(asObject(it)?.image)) ?? []);
  const own = new Set<JsonValue | undefined>(tags);
  return countsOf([...tags, ...labels.flatMap(it => (typeof it === 'string' && own.has(it) ? [it] : []))]);
}

function plainTagOf(image = ''): string | undefined {
  const [, tag, ...rest] = image.slice(image.lastIndexOf('/') + 1).split(':');
  return tag !== undefined && rest.length === 0 && PLAIN_TAG.test(tag) ? tag : undefined;
}

/** The values of variables that containers are given: rules only tell them from none and from references. */
export function plainValues(containers: readonly JsonValue[]): TextCounts {
  return countsOf(containers.flatMap(valuesOf).filter(it => PLAIN_VALUE.test(it)));
}

/** The values that are written out for the variables of a container. */
export const valuesOf = (container: JsonValue): readonly string[] =>
  asList(asObject(container)?.env).flatMap(it => asText(asObject(it)?.value) ?? []);

function countsOf(texts: readonly string[]): TextCounts {
  const counts = new Map<string, number>();
  for (const it of texts) counts.set(it, (counts.get(it) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => b.length - a.length);
}
