import type { JsonObject, JsonValue } from '../../../base/json';
import { isList, isMap } from '../go/goValues';
import { KyvernoError } from '../results/failures';

/** Returns the replacement for a text (a leaf or a key) at a path. */
export type TextAction = (text: string, path: string) => JsonValue;

/**
 * Replaces every text, leaf or key. Lists and maps without a change keep their identity. Upstream:
 * jsonutils.Traversal.
 */
export function traverse(element: JsonValue, path: string, action: TextAction): JsonValue {
  const value = typeof element === 'string' ? action(element, path) : element;
  if (!isList(value)) return isMap(value) ? traverseMap(value, path, action) : value;
  const made = value.map((it, i) => traverse(it, `${path}/${i}`, action));
  return made.every((it, i) => it === value[i]) ? value : made;
}

/** Whether a text of a document, leaf or key, passes a test. */
export function hasText(element: JsonValue, test: (text: string) => boolean): boolean {
  if (typeof element === 'string') return test(element);
  if (isList(element)) return element.some(it => hasText(it, test));
  if (!isMap(element)) return false;
  for (const key of Object.keys(element)) if (test(key) || hasText(element[key] ?? null, test)) return true;
  return false;
}

function traverseMap(map: JsonObject, path: string, action: TextAction): JsonObject {
  const written = Object.entries(map);
  const made = written.map(([key, it]): [string, JsonValue] => {
    const name = action(key, path) ?? key;
    if (typeof name !== 'string') {
      throw new KyvernoError(`expected string after substituting variables in key ${JSON.stringify(key)}`);
    }
    return [name, traverse(it, `${path}/${key.includes('/') ? key.replaceAll('/', '\\/') : key}`, action)];
  });
  const isSame = made.every(([name, it], i) => name === written[i]?.[0] && it === written[i]?.[1]);
  return isSame ? map : Object.fromEntries(made);
}
