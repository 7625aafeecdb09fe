import { asObject, type JsonObject } from '../../base/json';
import { holdsPods, podKinds, podSpecPath } from '../../kube/podTemplates';
import { FieldPath } from '../../manifest/fieldPath';
import { valueAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import type { RuleTarget } from '../framework/rule';

export interface PodSpecLocation {
  readonly spec: JsonObject;
  readonly at: FieldPath;
}

const PATHS: ReadonlyMap<string, FieldPath> = new Map(
  podKinds.map(kind => [kind, FieldPath.of(...(podSpecPath(kind) ?? []))]),
);

/** The PodSpec of a Pod, or of a workload's template. */
export function podSpecOf({ object, value }: RuleTarget): PodSpecLocation | undefined {
  const at = PATHS.get(object.kind);
  if (at === undefined || !holdsPods(object.group, object.kind)) return undefined;
  const spec = asObject(valueAt(value, at));
  return spec && { spec, at };
}

/** The PodSpec of an object as it is written. */
export function writtenPodSpec(object: WorkspaceObject): JsonObject | undefined {
  return podSpecOf({ object, value: object.manifest.value, kind: undefined })?.spec;
}
