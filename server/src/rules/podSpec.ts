import { holdsPods, podSpecPath } from '../kube/podTemplates';
import { FieldPath } from '../manifest/fieldPath';
import type { JsonObject } from '../manifest/manifest';
import type { Target } from './rule';
import { asObject, valueAt } from './values';

export interface PodSpecPlace {
  readonly spec: JsonObject;
  readonly at: FieldPath;
}

/** The PodSpec that an object is, or holds in its template. */
export function podSpecOf({ object, value }: Target): PodSpecPlace | undefined {
  if (!holdsPods(object.group, object.kind)) return undefined;
  const path = podSpecPath(object.kind);
  if (path === undefined) return undefined;
  const at = FieldPath.of(...path);
  const spec = asObject(valueAt(value, at));
  return spec && { spec, at };
}
