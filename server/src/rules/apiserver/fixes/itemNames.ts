import { asObject, asText, type JsonValue } from '../../../base/json';
import { lazyByObject } from '../../../base/lazy';

/** The names of the items of a list, each once. Made once for all problems of the list. */
export const itemNames: (items: readonly JsonValue[]) => ReadonlySet<string> = lazyByObject(
  items => new Set(items.flatMap(it => asText(asObject(it)?.name) ?? [])),
);
