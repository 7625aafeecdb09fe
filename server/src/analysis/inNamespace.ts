import type { JsonObject } from '../cluster/model';
import type { Kube } from '../kube/kube';
import { printed } from '../text/printed';

/** An object that names no namespace goes where its environment sends it. */
export function inNamespace(object: JsonObject, namespace: string | undefined, kube: Kube): JsonObject {
  if (namespace === undefined) return object;
  const metadata = (object.metadata ?? {}) as JsonObject;
  const isSent = kube.kindOf(printed(object.apiVersion), printed(object.kind))?.namespaced === true;
  return isSent && !metadata.namespace ? { ...object, metadata: { ...metadata, namespace } } : object;
}
