import { asList, asObject, asText, type JsonObject, type JsonValue } from '../../base/json';
import { fieldAt } from '../../manifest/valueAt';

/** A kind of objects in a namespace, which refer. */
interface GrantedFrom {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
}

/** An object that is referred to. */
interface GrantedTo {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** Whether a ReferenceGrant allows a reference: one `from` and one `to` match, and a `to` without a name matches any. */
export function isGranted(grant: JsonObject, from: GrantedFrom, to: GrantedTo): boolean {
  const text = (it: JsonValue | undefined, field: string) => asText(asObject(it)?.[field]) ?? '';
  const isFrom = asList(fieldAt(grant, 'spec', 'from')).some(
    it =>
      text(it, 'group') === from.group && text(it, 'kind') === from.kind && text(it, 'namespace') === from.namespace,
  );
  const isTo = asList(fieldAt(grant, 'spec', 'to')).some(
    it => text(it, 'group') === to.group && text(it, 'kind') === to.kind && ['', to.name].includes(text(it, 'name')),
  );
  return isFrom && isTo;
}

/** A document with the grant that allows one reference. */
export function grantText(from: GrantedFrom, to: GrantedTo & { readonly namespace?: string | undefined }): string {
  return [
    'apiVersion: gateway.networking.k8s.io/v1beta1',
    'kind: ReferenceGrant',
    'metadata:',
    `  name: ${from.namespace}-to-${to.name}`,
    `  namespace: ${to.namespace}`,
    'spec:',
    '  from:',
    `    - group: ${from.group === '' ? '""' : from.group}`,
    `      kind: ${from.kind}`,
    `      namespace: ${from.namespace}`,
    '  to:',
    `    - group: ${to.group === '' ? '""' : to.group}`,
    `      kind: ${to.kind}`,
    `      name: ${to.name}`,
    '',
  ].join('\n');
}
