import { asList, asObject, asText, type JsonObject } from '../base/json';
import type { KindInfo, Kube } from '../kube/kube';
import { fieldAt } from '../manifest/valueAt';
import { createdObject, requestedObject } from '../rules/apiserver/validate/engine';
import type { WorkspaceObject } from '../workspace/object';

/** The object of a create request: defaulted, and in `default` when no namespace is written. */
export function admittedObject(object: WorkspaceObject, kube: Kube): JsonObject {
  return admittedValue(object, object.manifest.value, kube);
}

/** The same for the output of mutating policies: fields that they left out get their defaults. */
export function admittedValue(object: WorkspaceObject, value: JsonObject, kube: Kube): JsonObject {
  return inNamespace(object, inOwnVersion(createdObject(value, kindOf(object, kube), kube), value));
}

/** What a mutating policy sees of such a value: with defaults, and before the server prepares the object to be stored. */
export function requestedValue(object: WorkspaceObject, value: JsonObject, kube: Kube): JsonObject {
  return inNamespace(object, inOwnVersion(requestedObject(value, kindOf(object, kube), kube), value));
}

const kindOf = ({ apiVersion, kind }: WorkspaceObject, kube: Kube): KindInfo | undefined =>
  kube.kindOf(apiVersion, kind);

function inNamespace({ namespace }: WorkspaceObject, value: JsonObject): JsonObject {
  if (namespace === undefined || asText(fieldAt(value, 'metadata', 'namespace')) !== undefined) return value;
  const metadata = fieldAt(value, 'metadata');
  return { ...value, metadata: { ...(metadata as JsonObject | undefined), namespace } };
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
