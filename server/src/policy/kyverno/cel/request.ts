import type { JsonObject } from '../../../base/json';
import { celValue } from '../../../kube/cel/values';
import type { Operation, Resource } from '../resource/resource';
import type { KyvernoWorld } from '../world';

/** The variables of every expression. Upstream: cel.VariableAccessor's data. */
export function celVariables(resource: Resource, world: KyvernoWorld): Readonly<Record<string, unknown>> {
  const operation = world.operation ?? 'CREATE';
  const object = resource.celObject();
  return {
    // Upstream: AdmissionRequestShape.
    object: operation === 'DELETE' ? null : object,
    oldObject: operation === 'DELETE' || operation === 'UPDATE' ? object : null,
    request: celValue(requestOf(resource, world, operation)),
    namespaceObject: celValue(namespaceOf(resource, world)),
    params: null,
    variables: {},
    exceptions: { allowedImages: [], allowedValues: [] },
  };
}

function requestOf(
  { group, version, kind, subresource, name, namespace }: Resource,
  world: KyvernoWorld,
  operation: Operation,
): JsonObject {
  const resource = { group, version, resource: world.resourceName(group, version, kind) };
  const gvk = { group, version, kind };
  return {
    uid: '',
    kind: gvk,
    requestKind: gvk,
    resource,
    requestResource: resource,
    subResource: subresource,
    requestSubResource: subresource,
    name,
    namespace,
    operation,
    userInfo: { username: world.user?.username ?? '', uid: '', groups: world.user?.groups ?? [], extra: {} },
    dryRun: false,
    options: null,
  };
}

/** The Namespace as it is described, else as the API server creates it. */
function namespaceOf({ kind, group, namespace }: Resource, world: KyvernoWorld): JsonObject | null {
  if (namespace === '' || (kind === 'Namespace' && group === '')) return null;
  const found = world.namespace(namespace);
  const metadata = { name: namespace, labels: { 'kubernetes.io/metadata.name': namespace } };
  return found ?? { apiVersion: 'v1', kind: 'Namespace', metadata };
}
