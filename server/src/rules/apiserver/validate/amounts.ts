import type { JsonObject, JsonValue } from '../../../base/json';
import { mapField } from '../../../kube/goFields';
import { formatQuantity, isPlainQuantity, quantityOf, roundUpToMilli } from '../../../kube/quantity';

/** Limits and requests as the server keeps them: thousandths at the finest. Upstream: SetDefaults_ResourceList. */
export function defaultAmounts(resources: JsonObject): JsonObject {
  return ['limits', 'requests'].reduce((it, name) => mapField(it, name, defaultResourceList), resources);
}

/** One of the two, or the overhead of a Pod. */
export function defaultResourceList(list: JsonObject): JsonObject {
  if (Object.values(list).every(isPlain)) return list;
  return Object.fromEntries(Object.entries(list).map(([name, value]) => [name, rounded(value)]));
}

/** A whole number with a suffix above one thousandth has nothing to round, as nearly every amount. */
const isPlain = (value: JsonValue): boolean => typeof value === 'string' && isPlainQuantity(value);

function rounded(value: JsonValue): JsonValue {
  const quantity = quantityOf(value);
  return quantity === undefined ? value : formatQuantity(roundUpToMilli(quantity));
}
