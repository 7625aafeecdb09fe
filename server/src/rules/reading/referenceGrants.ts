import { asList, asObject, asText, type JsonObject, type JsonValue } from '../../base/json';
import { fieldAt } from '../../manifest/valueAt';

/** Whether a ReferenceGrant allows a reference: one `from` and one `to` match, and a `to` without a name matches any. */
export function isGranted(
  grant: JsonObject,
  from: { readonly group: string; readonly kind: string; readonly namespace: string },
  to: { readonly group: string; readonly kind: string; readonly name: string },
): boolean {
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
