import { asObject, asText, type JsonObject, type JsonValue } from '../../../base/json';
import { lazyByObject } from '../../../base/lazy';
import type { IssueFunction } from './issueFunction';

/** Whether a `secretKeyRef` or `secretRef` names a Secret with a value that is no UTF-8. */
export const isBinarySecret: IssueFunction = (self, { object }, { snapshot }) => {
  const reference = asObject(self);
  const name = asText(reference?.name);
  if (name === undefined) return false;
  const key = asText(reference?.key);
  return snapshot.find('', 'Secret', object.namespace ?? 'default', name).some(({ manifest }) => {
    const data = asObject(manifest.value.data) ?? {};
    return key === undefined ? hasBinary(data) : Object.hasOwn(data, key) && isBinary(data[key]);
  });
};

/** Any number of references may read the same Secret. */
const hasBinary = lazyByObject((data: JsonObject) => Object.values(data).some(isBinary));

/** Not for what is no base64, which the API server refuses. */
function isBinary(base64: JsonValue | undefined): boolean {
  if (typeof base64 !== 'string' || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
    return false;
  } catch {
    return true;
  }
}
