import { isObject, type UnknownObject } from '../../base/json';
import { type Memo, noMemo } from '../../base/memo';
import { eachInSteps, type Steps } from '../../base/steps';
import { groupOf } from '../../kube/apiVersion';
import { groupOfPodKind, holdsPods } from '../../kube/podTemplates';
import type { Note } from '../pods/note';
import { objectOf, type Shape, type TypeMismatch, text, withoutNulls } from './shape';
import { ANY_OBJECT, GROUPS, SHAPES } from './shapes';

/**
 * The objects of a scenario with Lists expanded, each with a namespace and with valid types. Objects that the server
 * could not decode are left out with a note.
 */
export function* readObjectSteps(
  documents: readonly UnknownObject[],
  memory: Memo,
  onNote: (note: Note) => void,
): Steps<readonly UnknownObject[]> {
  const res: UnknownObject[] = [];
  yield* eachInSteps(documents, document => {
    for (const object of opened(document, onNote)) {
      const { fits, notes } = memory.of('object', object, [], () => {
        const notes: Note[] = [];
        return { fits: fitting(object, it => notes.push(it)), notes };
      });
      notes.forEach(onNote);
      if (fits) res.push(fits);
    }
  });
  return res;
}

/** What the server could not decode of some objects, and what a scenario of them is therefore without: a sentence each. */
export function* unreadableSteps(documents: readonly UnknownObject[]): Steps<readonly string[]> {
  const res: string[] = [];
  yield* readObjectSteps(documents, noMemo(), it => res.push(it.message));
  return res;
}

function opened(document: UnknownObject, onNote: (note: Note) => void): readonly UnknownObject[] {
  if (document === null || typeof document !== 'object' || Array.isArray(document)) {
    onNote({ message: 'A document is not an object, so it is left out.' });
    return [];
  }
  const { kind, items } = document;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [document];
  return (items as readonly unknown[] as readonly UnknownObject[]).flatMap(it => opened(it, onNote));
}

function fitting(object: UnknownObject, onNote: (note: Note) => void): UnknownObject | undefined {
  const found = decoded(object);
  if ('object' in found) return found.object;
  const { kind, metadata } = object;
  const { namespace, name } = (metadata ?? {}) as { readonly namespace?: unknown; readonly name?: unknown };
  const what = typeof kind === 'string' ? kind : 'document';
  const id = `${typeof namespace === 'string' ? namespace : 'default'}/${typeof name === 'string' ? name : ''}`;
  onNote({
    ...(kind === 'Pod' && typeof name === 'string' && { pod: id }),
    message: `${typeof name === 'string' ? `${what} ${name}` : `A ${what} without a name`}: ${found.path || 'it'} is not ${found.wanted}, so the object is left out.`,
  });
  return undefined;
}

/** The object without null fields, or where it does not match its kind's type. */
export function decoded(object: UnknownObject): { readonly object: UnknownObject } | TypeMismatch {
  const found = TYPE(object) ?? shapeOf(object.kind, object.apiVersion)?.(object);
  if (!found) return { object };
  return found.isNull && isObject(object) ? decoded(withoutNulls(object) as UnknownObject) : found;
}

const TYPE = objectOf({ apiVersion: text, kind: text });

/** undefined for a kind that placement does not read, or whose reader checks the types itself. */
function shapeOf(kind: unknown, apiVersion: unknown): Shape | undefined {
  if (typeof kind !== 'string' || isForeign(kind, apiVersion)) return undefined;
  if (Object.hasOwn(SHAPES, kind)) return SHAPES[kind];
  return Object.hasOwn(GROUPS, kind) ? ANY_OBJECT : undefined;
}

/** Whether it is a custom resource that merely has the name of a kind that placement reads. */
export function isForeign(kind: string, apiVersion: unknown): boolean {
  if (typeof apiVersion !== 'string') return false;
  const group = groupOf(apiVersion);
  if (groupOfPodKind(kind) !== undefined) return !holdsPods(group, kind);
  return Object.hasOwn(GROUPS, kind) && GROUPS[kind] !== group;
}
