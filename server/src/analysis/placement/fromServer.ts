import { asObject, type JsonObject } from '../../base/json';

/** Whether a server gave out an object, which it let in before. */
export function isFromServer({ metadata }: JsonObject): boolean {
  const { uid, resourceVersion } = asObject(metadata) ?? {};
  return uid !== undefined || resourceVersion !== undefined;
}
