import type { FieldPath } from '../../manifest/fieldPath';
import type { JsonValue } from '../../manifest/manifest';
import type { Mend } from './check';

/** Writes what is missing. */
export const add = (at: FieldPath, value: JsonValue): Mend => ({
  title: `Set ${at} to ${shown(value)}`,
  safety: 'safe',
  at,
  change: { write: value },
});

/** Another way to mend the same, which nobody should take without a look. */
export const addInstead = (at: FieldPath, value: JsonValue): Mend => ({ ...add(at, value), safety: 'unsafe' });

/** Takes back what someone wrote on purpose. */
export const change = addInstead;

export const remove = (at: FieldPath): Mend => ({ title: `Remove ${at}`, safety: 'unsafe', at, change: 'remove' });

function shown(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
