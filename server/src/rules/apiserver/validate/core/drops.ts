import { FieldPath } from '../../../../manifest/fieldPath';
import type { JsonObject, JsonValue } from '../../../../manifest/manifest';
import { has, without } from '../read';

export interface Dropped {
  readonly object: JsonObject;
  readonly dropped: readonly FieldPath[];
}

/** PrepareForCreate of a kind whose status is another endpoint's: the status goes. */
export function dropStatus(object: JsonObject): Dropped {
  if (isZero(object.status)) return { object: without(object, 'status'), dropped: [] };
  return { object: without(object, 'status'), dropped: [FieldPath.of('status')] };
}

/** Removes the fields of `spec` whose gate is off. */
export function dropSpecFields(object: JsonObject, names: readonly string[]): Dropped {
  const spec = object.spec;
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec)) return { object, dropped: [] };
  const present = names.filter(it => has(spec as JsonObject, it));
  if (present.length === 0) return { object, dropped: [] };
  return {
    object: { ...object, spec: present.reduce(without, spec as JsonObject) },
    dropped: present.map(it => FieldPath.of('spec', it)),
  };
}

/** Whether Go would leave a decoded value out again: nothing but zero values in it. */
function isZero(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return !value;
  return Array.isArray(value) ? value.length === 0 : Object.values(value).every(isZero);
}
