import type { JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import { jsonText } from '../../base/printed';
import type { FieldPath } from '../../manifest/fieldPath';
import type { Fix } from '../framework/problem';
import type { EditTools, RuleTarget } from '../framework/rule';

/** A fix that changes one field. */
export interface FieldFix {
  readonly title: string;
  readonly safety: Fix['safety'];
  readonly at: FieldPath;
  /** `write` sets the value, `append` adds it to the list, `remove` removes the field. */
  readonly change: { readonly write: JsonValue } | { readonly append: JsonValue } | 'remove';
}

/** Writes a missing value. */
export const add = (at: FieldPath, value: JsonValue): FieldFix => ({
  title: t`Set ${at} to ${shown(value)}`,
  safety: 'safe',
  at,
  change: { write: value },
});

/** An alternative fix, which should not be applied without review. */
export const addInstead = (at: FieldPath, value: JsonValue): FieldFix => ({ ...add(at, value), safety: 'unsafe' });

/** Replaces a value that was written deliberately. */
export const change = addInstead;

export const remove = (at: FieldPath): FieldFix => ({ title: t`Remove ${at}`, safety: 'unsafe', at, change: 'remove' });

/** The fix with the change as an edit of the object's text. */
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
