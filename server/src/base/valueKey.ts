import { printed } from './printed';

/** Makes a function that gives equal values the same key. A list or an object that several errors share is printed once. */
export function createValueKey(): (value: unknown) => string {
  const ofObjects = new WeakMap<object, string>();
  const numbers = new Map<string, number>();
  return value => {
    if (typeof value !== 'object' || value === null)
      return typeof value === 'string' ? JSON.stringify(value) : printed(value);
    const found = ofObjects.get(value);
    if (found !== undefined) return found;
    const text = printed(value);
    const order = numbers.get(text) ?? numbers.size;
    numbers.set(text, order);
    const key = `#${order}`;
    ofObjects.set(value, key);
    return key;
  };
}
