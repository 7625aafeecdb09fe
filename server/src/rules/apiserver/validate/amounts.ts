import type { JsonObject, JsonValue } from '../../../base/json';
import { mapField } from '../../../kube/goFields';
import { formatQuantity, isPlainQuantity, isPrintedInMilli, quantityOf, roundUpToMilli } from '../../../kube/quantity';

/** Limits and requests as the API server stores them: rounded up to thousandths. Upstream: SetDefaults_ResourceList. */
export function defaultAmounts(resources: JsonObject): JsonObject {
  return ['limits', 'requests'].reduce((it, name) => mapField(it, name, defaultResourceList), resources);
}

/** A map of amounts: limits, requests, or the overhead of a Pod. */
export function defaultResourceList(list: JsonObject): JsonObject {
  if (Object.values(list).every(isPlain)) return list;
  return Object.fromEntries(Object.entries(list).map(([name, value]) => [name, rounded(value)]));
}

/** Whole numbers, with a suffix of at least one thousandth, need no rounding; nearly all amounts are such. */
const isPlain = (value: JsonValue): boolean =>
  typeof value === 'string' && (isPlainQuantity(value) || isPrintedInMilli(value));

function rounded(value: JsonValue): JsonValue {
  const quantity = quantityOf(value);
  return quantity === undefined ? value : formatQuantity(roundUpToMilli(quantity));
}
