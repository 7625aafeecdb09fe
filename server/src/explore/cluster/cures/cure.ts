import type { UnknownObject } from '../../../base/json';
import {
  documentsOf,
  type Edit,
  type ObjectRef,
  type PathStep,
  refOf,
  withEdits,
} from '../../../scheduler/whatIf/edits';
import type { WorkloadModel } from '../world';

/** What cures may be taken from. */
export interface CureInputs {
  readonly objects: readonly UnknownObject[];
  readonly workloads: readonly WorkloadModel[];
}

/** A change of the objects that may end a trouble. */
export interface Cure {
  /** An imperative. */
  readonly title: string;
  readonly edits: readonly Edit[];
  /** Objects that are new. */
  readonly adds: readonly UnknownObject[];
  /** Objects that go. */
  readonly deletes: readonly ObjectRef[];
}

/** A cure that changes one field of one object. `value` undefined: the field goes. */
export function changing(title: string, object: UnknownObject, path: readonly PathStep[], value: unknown): Cure {
  const ref = refOf(object);
  const edit: Edit =
    value === undefined ? { object: ref, path, action: 'remove' } : { object: ref, path, action: 'set', value };
  return { title, edits: [edit], adds: [], deletes: [] };
}

/** A cure with the changes of several. */
export function together(title: string, cures: readonly Cure[]): Cure {
  return {
    title,
    edits: cures.flatMap(it => it.edits),
    adds: cures.flatMap(it => it.adds),
    deletes: cures.flatMap(it => it.deletes),
  };
}

export const adding = (title: string, object: UnknownObject): Cure => ({
  title,
  edits: [],
  adds: [object],
  deletes: [],
});

export const deleting = (title: string, object: UnknownObject): Cure => ({
  title,
  edits: [],
  adds: [],
  deletes: [refOf(object)],
});

/** The objects after a cure. */
export function curedBy({ edits, adds, deletes }: Cure, objects: readonly UnknownObject[]): readonly UnknownObject[] {
  const isGone = (it: UnknownObject): boolean => {
    const ref = refOf(it);
    return deletes.some(
      other =>
        other.kind === ref.kind &&
        other.name === ref.name &&
        other.namespace === ref.namespace &&
        other.group === ref.group,
    );
  };
  const kept = deletes.length === 0 ? objects : objects.filter(it => !isGone(it));
  return [...(edits.length === 0 ? kept : withEdits(documentsOf(kept), edits)), ...adds];
}

/** `Deployment web`, with the namespace where that is not `default`. */
export function titleOfObject(object: UnknownObject): string {
  const { kind, namespace, name } = refOf(object);
  return `${kind} ${namespace === 'default' ? '' : `${namespace}/`}${name}`.trim();
}
