import type { JsonObject, JsonValue } from '../../../base/json';
import { mergeKeyOf } from '../../../kube/mergeKeys';
import { deepEqual, isList, isMap } from '../go/goValues';

/** Lists of texts that are merged instead of replaced. */
const mergedTexts: ReadonlySet<string> = new Set(['finalizers']);

/**
 * Applies a strategic merge patch: maps are merged, null removes, known lists are merged item by item with new items
 * first, other lists are replaced. Written by hand: no library for JavaScript has kustomize's order of items.
 * Upstream: kustomize's patchstrategicmerge.Filter.
 */
export function strategicMerge(object: JsonValue, patch: JsonValue): JsonValue {
  return merge(object, patch, '') ?? null;
}

function merge(object: JsonValue | undefined, patch: JsonValue, name: string): JsonValue | undefined {
  if (patch === null) return undefined;
  if (isMap(patch)) return mergeMaps(isMap(object) ? object : {}, patch);
  if (isList(patch)) return mergeLists(isList(object) ? object : [], patch, name);
  return patch;
}

function mergeMaps(object: JsonObject, patch: JsonObject): JsonObject | undefined {
  const { $patch: directive, ...fields } = patch;
  if (directive === 'delete') return undefined;
  const base = directive === 'replace' ? {} : object;
  const res: Record<string, JsonValue> = { ...base };
  for (const [key, it] of Object.entries(fields)) {
    const merged = merge(base[key], it, key);
    if (merged === undefined) delete res[key];
    else res[key] = merged;
  }
  return res;
}

function mergeLists(items: readonly JsonValue[], patch: readonly JsonValue[], name: string): readonly JsonValue[] {
  if (mergedTexts.has(name)) return [...patch.filter(it => !items.some(item => deepEqual(item, it))), ...items];
  const key = mergeKeyOf(name, [...patch, ...items]);
  const directives = patch.filter(it => isMap(it) && Object.keys(it).length === 1 && it.$patch === 'replace');
  if (key === undefined || directives.length > 0) return patch.filter(it => !directives.includes(it));
  const elements = patch.filter(isMap);
  const keyOf = (it: JsonValue) => (isMap(it) ? it[key] : undefined);
  const merged = items.flatMap(item => {
    const own = elements.filter(it => keyOf(it) === keyOf(item));
    const res = own.reduce<JsonValue | undefined>((value, it) => value && mergeMaps(value as JsonObject, it), item);
    return res === undefined ? [] : [res];
  });
  const fresh = elements.filter(it => it.$patch !== 'delete' && !items.some(item => keyOf(item) === keyOf(it)));
  return [...fresh.flatMap(it => mergeMaps({}, it) ?? []), ...merged];
}
