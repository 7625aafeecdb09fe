import { isObject, type JsonObject, type JsonValue } from './json';

/**
 * The value `now`, with the parts of `before` that are equal to those in their place, the order of keys included. It is
 * `before` itself if all is equal, so that identity shows what changed. Items of lists are compared by index.
 */
export function keptParts(before: JsonValue | undefined, now: JsonValue): JsonValue {
  return kept(before, now, new Map());
}

/** Parts that occur several times, as aliases do, are compared once. */
type Seen = Map<JsonValue, JsonValue>;

function kept(before: JsonValue | undefined, now: JsonValue, seen: Seen): JsonValue {
  if (before === undefined || Object.is(before, now)) return now;
  if (typeof before !== 'object' || typeof now !== 'object' || before === null || now === null) return now;
  const known = seen.get(now);
  if (known !== undefined) return known;
  const made =
    Array.isArray(before) && Array.isArray(now)
      ? keptItems(before, now, seen)
      : isObject(before) && isObject(now)
        ? keptFields(before, now, seen)
        : now;
  seen.set(now, made);
  return made;
}

function keptItems(before: readonly JsonValue[], now: readonly JsonValue[], seen: Seen): readonly JsonValue[] {
  const items = now.map((it, i) => kept(before[i], it, seen));
  const isSame = items.length === before.length && items.every((it, i) => Object.is(it, before[i]));
  return isSame ? before : items;
}

function keptFields(before: JsonObject, now: JsonObject, seen: Seen): JsonObject {
  const names = Object.keys(now);
  if (Object.hasOwn(now, '__proto__') || Object.hasOwn(before, '__proto__')) return now;
  const old = Object.keys(before);
  let isSame = names.length === old.length;
  let copy: Record<string, JsonValue> | undefined;
  for (const [i, name] of names.entries()) {
    const item = now[name] ?? null;
    const own = Object.hasOwn(before, name) ? before[name] : undefined;
    const made = kept(own, item, seen);
    if (made !== item) {
      copy ??= { ...now };
      copy[name] = made;
    }
    if (old[i] !== name || !Object.is(made, own)) isSame = false;
  }
  return isSame ? before : (copy ?? now);
}
