import type { JsonObject, JsonValue } from '../../../../base/json';
import { entries, has, without } from '../../../../kube/goFields';
import { FieldPath } from '../../../../manifest/fieldPath';
import type { Dropped } from '../gatedFields';

export type { Dropped };

/** PrepareForCreate of a kind whose status has an endpoint of its own: the status is dropped. */
export function dropStatus(object: JsonObject): Dropped {
  return resetStatus(object, {});
}

/** PrepareForCreate of a kind that starts with a fixed status: a written status that differs is dropped. */
export function resetStatus(object: JsonObject, initial: JsonObject): Dropped {
  if (!has(object, 'status')) return { object, dropped: [] };
  const isKept = entries(object, 'status').every(([name, value]) => isZero(value) || value === initial[name]);
  return { object: without(object, 'status'), dropped: isKept ? [] : [FieldPath.of('status')] };
}

/** Whether Go would omit the decoded value again: it consists of zero values only. */
export function isZero(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return !value;
  return Array.isArray(value) ? value.length === 0 : Object.values(value).every(isZero);
}
