import { groupOfPodKind, holdsPods } from '../kube/podTemplates';
import type { JsonObject, Note } from './model';
import { withoutNulls } from './shape';
import { ANY_OBJECT, GROUPS, SHAPES } from './shapes';

/**
 * The objects of a scenario, lists opened, each with a namespace and of the shape of its kind. What does not have it is
 * left out and said: the server would not decode it.
 */
export function objectsOf(documents: readonly JsonObject[], onNote: (note: Note) => void): readonly JsonObject[] {
  const res: JsonObject[] = [];
  for (const document of documents) {
    for (const object of opened(document, onNote)) {
      const found = fitting(object, onNote);
      if (found) res.push(found);
    }
  }
  return res;
}

function opened(document: JsonObject, onNote: (note: Note) => void): readonly JsonObject[] {
  if (document === null || typeof document !== 'object' || Array.isArray(document)) {
    onNote({ message: 'A document is not an object, so it is left out.' });
    return [];
  }
  const { kind, items } = document;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [document];
  return (items as readonly unknown[] as readonly JsonObject[]).flatMap(it => opened(it, onNote));
}

function fitting(object: JsonObject, onNote: (note: Note) => void): JsonObject | undefined {
  const { kind } = object;
  if (typeof kind !== 'string' || isForeign(kind, object.apiVersion)) return object;
  const shape = SHAPES[kind] ?? (Object.hasOwn(GROUPS, kind) ? ANY_OBJECT : undefined);
  if (!shape) return object;
  const found = shape(object);
  if (!found) return object;
  if (found.isNull) {
    const bare = withoutNulls(object) as JsonObject;
    return bare === object ? bare : fitting(bare, onNote);
  }
  const { namespace, name } = (object.metadata ?? {}) as { readonly namespace?: unknown; readonly name?: unknown };
  const id = `${typeof namespace === 'string' ? namespace : 'default'}/${String(name)}`;
  const what = typeof name === 'string' ? `${kind} ${name}` : `A ${kind} without a name`;
  onNote({
    ...(kind === 'Pod' && typeof name === 'string' && { pod: id }),
    message: `${what}: ${found.path || 'it'} is not ${found.wanted}, so the object is left out.`,
  });
  return undefined;
}

/** Whether it is a custom resource that only shares the name of a kind that placement reads. */
export function isForeign(kind: string, apiVersion: unknown): boolean {
  if (typeof apiVersion !== 'string') return false;
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  if (groupOfPodKind(kind) !== undefined) return !holdsPods(group, kind);
  return Object.hasOwn(GROUPS, kind) && GROUPS[kind] !== group;
}
