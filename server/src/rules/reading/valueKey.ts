import { printed } from '../../base/printed';

/** Gives values that say the same the same key; a list or an object that several errors hold is written out once. */
export function createValueKey(): (value: unknown) => string {
  const ofObjects = new WeakMap<object, string>();
  const numbers = new Map<string, number>();
  return value => {
    if (typeof value !== 'object' || value === null)
      return typeof value === 'string' ? JSON.stringify(value) : printed(value);
    const known = ofObjects.get(value);
    if (known !== undefined) return known;
    const text = printed(value);
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    const key = `#${number}`;
    ofObjects.set(value, key);
    return key;
  };
}
