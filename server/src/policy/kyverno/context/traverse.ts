import type { JsonObject, JsonValue } from '../../../base/json';
import { lazyByObject } from '../../../base/lazy';
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

/** Replaces every text of a document that holds a mark. Most documents hold none, and are returned without a copy. */
export function traverseMarked(document: JsonValue, mark: keyof typeof hasMarkWithin, action: TextAction): JsonValue {
  const isMarked =
    typeof document === 'object' && document !== null ? hasMarkWithin[mark](document) : hasMark(document, mark);
  if (!isMarked) return document;
  return traverse(document, '', (text, path) => (text.includes(mark) ? action(text, path) : text));
}

const marking = (mark: string) => lazyByObject((document: object) => hasMark(document as JsonValue, mark));

/** By the mark. A part of a policy is looked through once, and not for each resource. */
const hasMarkWithin = { '{{': marking('{{'), '$(': marking('$(') };

function hasMark(element: JsonValue, mark: string): boolean {
  if (typeof element === 'string') return element.includes(mark);
  if (isList(element)) return element.some(it => hasMark(it, mark));
  if (!isMap(element)) return false;
  for (const key of Object.keys(element)) if (key.includes(mark) || hasMark(element[key] ?? null, mark)) return true;
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
