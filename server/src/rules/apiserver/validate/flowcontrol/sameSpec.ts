import { asList, asObject, type JsonValue } from '../../../../base/json';

/** Whether two values decode to the same Go value: zero values and missing fields are equal. */
export function isSameValue(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (Array.isArray(a) || Array.isArray(b)) {
    const [x, y] = [asList(a), asList(b)];
    return x.length === y.length && x.every((it, i) => isSameValue(it, y[i]));
  }
  const [x, y] = [asObject(a), asObject(b)];
  if (x === undefined && y === undefined) return (a ?? zeroOf(b)) === (b ?? zeroOf(a));
  // A struct behind a pointer differs from none, even if it has no fields.
  if (x === undefined || y === undefined) return false;
  return [...new Set([...Object.keys(x), ...Object.keys(y)])].every(it => isSameValue(x[it], y[it]));
}

function zeroOf(other: JsonValue | undefined): JsonValue | undefined {
  if (typeof other === 'string') return '';
  if (typeof other === 'boolean') return false;
  return undefined;
}
