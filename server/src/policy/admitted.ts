import type { Kube } from '../kube/kube';
import type { JsonObject } from '../manifest/manifest';
import { createdObject } from '../rules/apiserver/validate/engine';
import { asText, fieldAt } from '../rules/values';
import type { WorkspaceObject } from '../workspace/workspace';

/** The object of a create request. What is written without a namespace goes into `default`, as the server has it. */
export function admittedObject(object: WorkspaceObject, kube: Kube): JsonObject {
  const { value } = object.manifest;
  const created = createdObject(value, kube.kindOf(object.apiVersion, object.kind), kube);
  if (object.namespace === undefined || asText(fieldAt(created, 'metadata', 'namespace')) !== undefined) return created;
  const metadata = fieldAt(created, 'metadata');
  return { ...created, metadata: { ...(metadata as JsonObject | undefined), namespace: object.namespace } };
}
