import type { JsonValue } from '../../base/json';
import { jsonText } from '../../base/printed';
import type { FieldPath } from '../../manifest/fieldPath';
import type { Fix } from '../framework/problem';
import type { EditTools, RuleTarget } from '../framework/rule';

/** A change that mends one place. */
export interface FieldFix {
  readonly title: string;
  readonly safety: Fix['safety'];
  readonly at: FieldPath;
  /** What to write there; `remove` takes the field away, `append` adds to the list. */
  readonly change: { readonly write: JsonValue } | { readonly append: JsonValue } | 'remove';
}

/** Writes what is missing. */
export const add = (at: FieldPath, value: JsonValue): FieldFix => ({
  title: `Set ${at} to ${shown(value)}`,
  safety: 'safe',
  at,
  change: { write: value },
});

/** Another way to mend the same, which nobody should take without a look. */
export const addInstead = (at: FieldPath, value: JsonValue): FieldFix => ({ ...add(at, value), safety: 'unsafe' });

/** Takes back what someone wrote on purpose. */
export const change = addInstead;

export const remove = (at: FieldPath): FieldFix => ({ title: `Remove ${at}`, safety: 'unsafe', at, change: 'remove' });

/** The fix that makes a mend's change in the text of an object. */
export function fixOf({ title, safety, at, change }: FieldFix, object: RuleTarget['object'], edit: EditTools): Fix {
  const edited = (): Fix['edits'][number] => {
    if (change === 'remove') return edit.remove(object, at);
    return 'write' in change ? edit.write(object, at, change.write) : edit.append(object, at, change.append);
  };
  return { title, safety, edits: [edited()] };
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? value : jsonText(value);
}
