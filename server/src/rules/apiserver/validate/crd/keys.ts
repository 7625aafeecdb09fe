import { compareText } from '../../../../base/compareText';
import { asObject, type JsonValue } from '../../../../base/json';

/** A text that is equal for equal values. */
export function keyOf(value: JsonValue): string {
  return JSON.stringify(value, (_, it) => {
    if (typeof it === 'bigint') return Number(it);
    const object = asObject(it);
    return object === undefined ? it : Object.fromEntries(Object.entries(object).sort(([a], [b]) => compareText(a, b)));
  });
}
