import { isObject, type JsonObject, type JsonValue } from '../base/json';
import { ownOf } from '../base/ownOf';
import { jsonText } from '../base/printed';
import { FieldPath } from '../manifest/fieldPath';
import type { WorkspaceObject } from '../workspace/object';

/** The change that a policy makes to an object before it is stored. */
export interface MutationPreview {
  /** The policy's name in its own project's form. */
  readonly policy: string;
  /** The kind of policy: `MutatingAdmissionPolicy`, `Assign`. */
  readonly kind: string;
  readonly changes: readonly FieldChange[];
  /** The policy itself. */
  readonly source?: WorkspaceObject;
  /** The policy was called a second time, after other policies had changed the object. */
  readonly isAgain?: boolean;
  /**
   * The other object that is changed or created because this one is admitted; without it, the object itself is
   * changed.
   */
  readonly affectedObject?: AffectedObject;
}

/** An object that a policy changes or creates because of another one. */
export interface AffectedObject {
  readonly kind: string;
  /** Prefixed with its namespace: `prod/web`. */
  readonly name: string;
  /** The whole object, when the policy creates it; `changes` is empty then. */
  readonly made?: JsonObject;
}

/** A field that a policy adds (no `before`), removes (no `after`) or changes. */
export interface FieldChange {
  readonly at: FieldPath;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** The smallest changes from one object to the other. A list whose length changes is one change. */
export function changesBetween(before: JsonObject, after: JsonObject): readonly FieldChange[] {
  return changesOf(FieldPath.root, before, after);
}

function changesOf(at: FieldPath, before: JsonValue, after: JsonValue): readonly FieldChange[] {
  if (before === after) return [];
  if (isObject(before) && isObject(after)) {
    const names = Object.keys(before).filter(it => before[it] !== ownOf(after, it));
    const added = Object.keys(after).filter(it => !Object.hasOwn(before, it));
    return [...names, ...added].flatMap(it => changeOfField(at.child(it), ownOf(before, it), ownOf(after, it)));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length <= after.length) {
    return (after as readonly JsonValue[]).flatMap((it, i) =>
      it === before[i] ? [] : changeOfField(at.index(i), before[i] as JsonValue, it),
    );
  }
  return jsonText(before) === jsonText(after) ? [] : [{ at, before, after }];
}

function changeOfField(
  at: FieldPath,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): readonly FieldChange[] {
  if (before === undefined) return after === undefined ? [] : [{ at, after }];
  return after === undefined ? [{ at, before }] : changesOf(at, before, after);
}
