import { asText, type JsonObject } from '../../base/json';
import type { Kube } from '../../kube/kube';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';

/** Wraps an object that is in no file, such as a Pod that a controller creates, as a workspace object. */
export function objectWithoutFile(value: JsonObject, kube: Kube): WorkspaceObject {
  const [apiVersion = '', kind = ''] = [asText(value.apiVersion), asText(value.kind)];
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/', 2) : ['', apiVersion];
  const [name, namespace] = [
    asText(fieldAt(value, 'metadata', 'name')),
    asText(fieldAt(value, 'metadata', 'namespace')),
  ];
  const isNamespaced = kube.kindOf(apiVersion, kind)?.namespaced !== false;
  const nowhere = { start: 0, end: 0 };
  return {
    manifest: {
      uri: '',
      document: 0,
      value,
      contentId: value,
      span: nowhere,
      spanOf: () => nowhere,
      pathAt: () => undefined,
      has: () => false,
      entries: () => [],
    },
    apiVersion,
    group: group ?? '',
    version: version ?? '',
    kind,
    ...(isNamespaced && { namespace: namespace ?? 'default' }),
    ...(name !== undefined && { name }),
  };
}
