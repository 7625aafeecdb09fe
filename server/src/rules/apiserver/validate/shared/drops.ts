import type { JsonObject, JsonValue } from '../../../../base/json';
import { entries, has, without } from '../../../../kube/goFields';
import { FieldPath } from '../../../../manifest/fieldPath';
import type { Dropped } from '../gatedFields';

export type { Dropped };

/** PrepareForCreate of a kind whose status is another endpoint's: the status goes. */
export function dropStatus(object: JsonObject): Dropped {
  return resetStatus(object, {});
}

/** PrepareForCreate of a kind that starts with a status of the server's own: what is written is lost where it differs. */
export function resetStatus(object: JsonObject, initial: JsonObject): Dropped {
  if (!has(object, 'status')) return { object, dropped: [] };
  const isKept = entries(object, 'status').every(([name, value]) => isZero(value) || value === initial[name]);
  return { object: without(object, 'status'), dropped: isKept ? [] : [FieldPath.of('status')] };
}

/** Whether Go would leave a decoded value out again: nothing but zero values in it. */
export function isZero(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return !value;
  return Array.isArray(value) ? value.length === 0 : Object.values(value).every(isZero);
}
