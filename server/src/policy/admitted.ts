import { asList, asObject, asText, type JsonObject } from '../base/json';
import type { Kube } from '../kube/kube';
import { fieldAt } from '../manifest/valueAt';
import { createdObject } from '../rules/apiserver/validate/engine';
import type { WorkspaceObject } from '../workspace/object';

/** The object of a create request: defaulted, and in `default` when no namespace is written. */
export function admittedObject(object: WorkspaceObject, kube: Kube): JsonObject {
  return admittedValue(object, object.manifest.value, kube);
}

/** The same for the output of a mutating policy: fields that it left out get their defaults. */
export function admittedValue(object: WorkspaceObject, value: JsonObject, kube: Kube): JsonObject {
  const created = inOwnVersion(createdObject(value, kube.kindOf(object.apiVersion, object.kind), kube), value);
  if (object.namespace === undefined || asText(fieldAt(created, 'metadata', 'namespace')) !== undefined) return created;
  const metadata = fieldAt(created, 'metadata');
  return { ...created, metadata: { ...(metadata as JsonObject | undefined), namespace: object.namespace } };
}

/** Defaulting converts autoscaling/v1 to v2; admission sees autoscalers in the version that was written. */
function inOwnVersion(created: JsonObject, original: JsonObject): JsonObject {
  if (created.apiVersion !== 'autoscaling/v1' || created.kind !== 'HorizontalPodAutoscaler') return created;
  const { metrics, behavior: _, ...spec } = asObject(created.spec) ?? {};
  const utilization = asList(metrics)
    .filter(it => fieldAt(it, 'resource', 'name') === 'cpu')
    .map(it => fieldAt(it, 'resource', 'target', 'averageUtilization'))
    .find(it => it !== undefined);
  const annotations = fieldAt(original, 'metadata', 'annotations');
  return {
    ...created,
    metadata: { ...asObject(created.metadata), ...(annotations !== undefined && { annotations }) },
    spec: { ...spec, ...(utilization !== undefined && { targetCPUUtilizationPercentage: utilization }) },
  };
}
