import type { UnknownObject } from '../../base/json';
import { printed } from '../../base/printed';
import type { Kube } from '../../kube/kube';

/** An object that names no namespace goes where its environment sends it. */
export function inNamespace(object: UnknownObject, namespace: string | undefined, kube: Kube): UnknownObject {
  if (namespace === undefined) return object;
  const metadata = (object.metadata ?? {}) as UnknownObject;
  const isSent = kube.kindOf(printed(object.apiVersion), printed(object.kind))?.namespaced === true;
  return isSent && !metadata.namespace ? { ...object, metadata: { ...metadata, namespace } } : object;
}
