import { asObject, type JsonObject, type JsonValue } from '../../../base/json';
import type { KindInfo, Kube } from '../../../kube/kube';
import type { FieldPath } from '../../../manifest/fieldPath';
import { valueAt } from '../../../manifest/valueAt';
import { strategyOf } from '../../../rules/apiserver/validate/engine';

/**
 * The server's default for a field of this object if it were left out; undefined: none, or the kind's defaulting is
 * unknown. Runs the server's own defaulting, so that defaults that depend on other fields are right (the pull policy on the
 * image's tag, a request on its limit).
 */
export function defaultOf(value: JsonObject, path: FieldPath, kind: KindInfo, kube: Kube): JsonValue | undefined {
  const defaults = strategyOf(kind, kube)?.defaults;
  if (defaults === undefined || typeof path.segments.at(-1) === 'number') return undefined;
  const left = asObject(withoutField(value, path, 0));
  if (left === undefined) return undefined;
  try {
    return valueAt(defaults(left, { kube, isOn: gate => kube.isGateOn(gate) }), path);
  } catch {
    // A wrong type is reported as a problem.
    return undefined;
  }
}

function withoutField(value: JsonValue | undefined, path: FieldPath, depth: number): JsonValue | undefined {
  const segment = path.segments[depth];
  const isLast = depth === path.segments.length - 1;
  if (segment === undefined) return value;
  if (typeof segment === 'number') {
    if (!Array.isArray(value)) return value;
    return (value as readonly JsonValue[]).map((it, i) =>
      i === segment ? (withoutField(it, path, depth + 1) ?? null) : it,
    );
  }
  const name = typeof segment === 'object' ? segment.key : segment;
  const object = asObject(value);
  if (object === undefined || !Object.hasOwn(object, name)) return value;
  const { [name]: inner, ...rest } = object;
  return isLast ? rest : { ...object, [name]: withoutField(inner, path, depth + 1) ?? null };
}
