import type { JsonObject, JsonValue } from '../base/json';
import { isObject } from '../base/json';
import { jsonText } from '../base/printed';
import { FieldPath } from '../manifest/fieldPath';
import type { WorkspaceObject } from '../workspace/object';

/** What a policy makes of an object before it is stored. */
export interface MutationPreview {
  /** As the policy's own project names it. */
  readonly policy: string;
  /** What kind of policy it is: `MutatingAdmissionPolicy`, `Assign`. */
  readonly kind: string;
  readonly changes: readonly FieldChange[];
  /** The policy itself. */
  readonly source?: WorkspaceObject;
  /** The policy was asked a second time, after others had changed what it saw first. */
  readonly isAgain?: boolean;
  /** Another object that is meant, because this one is there; without it the object itself is. */
  readonly affectedObject?: AffectedObject;
}

/** An object that a policy changes, or makes, because of another one. */
export interface AffectedObject {
  readonly kind: string;
  /** With its namespace before it: `prod/web`. */
  readonly name: string;
  /** The whole object, where the policy makes it; there are no `changes` then. */
  readonly made?: JsonObject;
}

/** A field that a policy adds (no `before`), removes (no `after`) or changes. */
export interface FieldChange {
  readonly at: FieldPath;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** The smallest changes that lead from one object to the other; a list whose length changes is one change. */
export function changesBetween(before: JsonObject, after: JsonObject): readonly FieldChange[] {
  return changesOf(FieldPath.root, before, after);
}

function changesOf(at: FieldPath, before: JsonValue, after: JsonValue): readonly FieldChange[] {
  if (before === after) return [];
  if (isObject(before) && isObject(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(name =>
      changeOfField(at.child(name), before[name], after[name]),
    );
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length <= after.length) {
    return (after as readonly JsonValue[]).flatMap((it, i) => changeOfField(at.index(i), before[i] as JsonValue, it));
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
