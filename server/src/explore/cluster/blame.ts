import type { UnknownObject } from '../../base/json';
import { type ObjectRef, type PathStep, refOf } from '../../scheduler/whatIf/edits';

/** A field that a trouble comes from. */
export interface Blame {
  readonly object: ObjectRef;
  /** From the object's root; the nearest field above it that is written counts. */
  readonly path: readonly PathStep[];
}

export const blaming = (object: UnknownObject, ...path: readonly PathStep[]): Blame => ({
  object: refOf(object),
  path,
});
