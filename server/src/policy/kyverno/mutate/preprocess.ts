import type { JsonObject, JsonValue } from '../../../base/json';
import { isList, isMap, isNumber } from '../go/goValues';
import { type Anchor, type AnchorType, isAnchor, parseAnchor } from '../pattern/anchor';
import { matchPattern } from '../pattern/matchPattern';

/** A condition of the patch does not hold: the patch, or the list element, is left out. */
class Unmet {
  constructor(readonly kind: 'condition' | 'global') {}
}

const conditions: readonly AnchorType[] = ['condition', 'global'];
const patchAnchors: readonly AnchorType[] = [...conditions, 'addIfNotPresent'];

/**
 * Resolves the anchors of a patch against an object: conditions that hold are removed, `+()` fields are kept where
 * they are missing, and a conditional list element becomes one element for each matching item. undefined when a
 * condition of the whole patch does not hold. Upstream: patch.PreProcessPattern.
 */
export function resolveAnchors(patch: JsonValue, object: JsonValue): JsonValue | undefined {
  const walked = walk(patch, object);
  if (walked instanceof Unmet) return undefined;
  return isMap(walked) ? withoutConditions(walked) : walked;
}

type Walked = JsonValue | Unmet;

function walk(patch: JsonValue, value: JsonValue | undefined): Walked {
  if (isMap(patch)) return walkMap(patch, value);
  return isList(patch) && isMap(patch[0]) ? walkItems(patch, value) : patch;
}

/** Upstream: walkMap. */
function walkMap(written: JsonObject, value: JsonValue | undefined): JsonObject | Unmet {
  const patch = added(written, value);
  for (const kind of ['global', 'condition'] as const) {
    if (!conditionsHold(patch, value, kind)) return new Unmet(kind);
  }
  const res: Record<string, JsonValue> = {};
  for (const [key, it] of Object.entries(patch)) {
    const anchor = parseAnchor(key);
    const walked = conditionOf(key)
      ? addedInside(it, isMap(value) && anchor ? value[anchor.key] : undefined)
      : walk(it, isMap(value) ? value[key] : undefined);
    if (walked instanceof Unmet) return walked;
    res[key] = walked;
  }
  return res;
}

/**
 * `+(key)` becomes `key` when the object lacks the key, and is removed otherwise. Upstream:
 * handleAddIfNotPresentAnchor.
 */
function added(patch: JsonObject, value: JsonValue | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(patch).flatMap(([key, it]): [string, JsonValue][] => {
      const anchor = parseAnchor(key);
      if (anchor?.type !== 'addIfNotPresent') return [[key, it]];
      return isMap(value) && Object.hasOwn(value, anchor.key) ? [] : [[anchor.key, it]];
    }),
  );
}

/** The value of a condition may contain fields to add. */
const addedInside = (patch: JsonValue, value: JsonValue | undefined): JsonValue =>
  isMap(patch) ? added(patch, value) : patch;

/** Upstream: validateConditionsInternal. */
function conditionsHold(patch: JsonObject, value: JsonValue | undefined, kind: AnchorType): boolean {
  return Object.entries(patch).every(([written, wanted]) => {
    const anchor = parseAnchor(written);
    if (anchor?.type !== kind) return true;
    if (!isMap(value) || !Object.hasOwn(value, anchor.key)) return false;
    if (isMap(wanted) && Object.keys(wanted).some(it => isAnchor(it, ['addIfNotPresent']))) return true;
    return matchPattern(asWritten(value[anchor.key] ?? null), asWritten(wanted)) === undefined;
  });
}

/** Scalars are compared in their written form. Upstream: convertRNodeToInterface. */
const asWritten = (value: JsonValue): JsonValue =>
  isNumber(value) || typeof value === 'boolean' ? String(value) : value;

/** Upstream: processListOfMaps. */
function walkItems(patch: readonly JsonValue[], value: JsonValue | undefined): readonly JsonValue[] | Unmet {
  const items = isList(value) ? value : [];
  const made: JsonValue[] = [];
  for (const element of patch) {
    if (!hasAnchors(element, patchAnchors)) continue;
    const isGlobal = hasAnchors(element, ['global']);
    const walked = (value === undefined ? [undefined] : items).map(item => ({ item, patch: walk(element, item) }));
    const met = walked.filter(it => !(it.patch instanceof Unmet));
    const lastGlobal = walked.some(it => it.patch instanceof Unmet && it.patch.kind === 'global');
    if (met.length === 0 && lastGlobal) return new Unmet('global');
    if (!isGlobal) for (const it of met) made.push(...namedElement(it.patch as JsonValue, it.item));
  }
  return [...patch, ...made];
}

/** The patch element for one item, identified by name. Upstream: handlePatternName. */
function namedElement(patch: JsonValue, item: JsonValue | undefined): readonly JsonValue[] {
  const name = isMap(item) ? item.name : undefined;
  if (name === undefined || name === null || name === '' || !isMap(patch)) return [];
  const cleaned = cleanMap(patch);
  return cleaned === undefined ? [] : [{ ...cleaned, name }];
}

function hasAnchors(patch: JsonValue, types: readonly AnchorType[]): boolean {
  if (isList(patch)) return patch.some(it => hasAnchors(it, types));
  if (isMap(patch)) return Object.entries(patch).some(([key, it]) => isAnchor(key, types) || hasAnchors(it, types));
  return typeof patch === 'string' && isAnchor(patch, conditions);
}

/** Upstream: deleteConditionElements. */
function withoutConditions(patch: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(patch).flatMap(([key, it]): [string, JsonValue][] => {
      const cleaned = isAnchor(key, conditions) ? cleanCondition(it) : clean(it);
      return cleaned === undefined ? [] : [[key, cleaned]];
    }),
  );
}

/** undefined for a value to remove. Upstream: deleteAnchors. */
function clean(patch: JsonValue): JsonValue | undefined {
  if (isMap(patch)) return cleanMap(patch);
  return isList(patch) ? cleanList(patch) : patch;
}

/** The same for the value of a condition, which is removed when nothing is left in it. */
const cleanCondition = (patch: JsonValue): JsonValue | undefined =>
  isMap(patch) || isList(patch) ? clean(patch) : undefined;

/** Conditions on maps with more than conditions become plain fields. Upstream: deleteAnchorsInMap. */
function cleanMap(patch: JsonObject): JsonObject | undefined {
  const entries = Object.entries(patch).flatMap(([key, it]): [string, JsonValue][] => {
    const anchor = conditionOf(key);
    const cleaned = anchor === undefined ? clean(it) : cleanCondition(it);
    return cleaned === undefined ? [] : [[anchor?.key ?? key, cleaned]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function conditionOf(key: string): Anchor | undefined {
  const anchor = parseAnchor(key);
  return anchor !== undefined && conditions.includes(anchor.type) ? anchor : undefined;
}

/** Elements with anchors were replaced by one element for each item. Upstream: deleteAnchorsInList. */
function cleanList(patch: readonly JsonValue[]): readonly JsonValue[] | undefined {
  const res = patch.flatMap(it => (hasAnchors(it, patchAnchors) ? [] : [clean(it)])).filter(it => it !== undefined);
  return res.length === 0 && patch.length > 0 ? undefined : res;
}
