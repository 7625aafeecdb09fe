import type { JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import { elided } from '../../base/shortened';
import type { ExpectedType } from './decode';

/** A type in plain words. */
export function wantedName(wanted: ExpectedType): string {
  const names: Readonly<Record<ExpectedType, () => string>> = {
    object: () => t('a mapping'),
    map: () => t('a mapping'),
    list: () => t('a list'),
    string: () => t('text'),
    integer: () => t('an integer'),
    int32: () => t('a 32-bit integer'),
    int64: () => t('a 64-bit integer'),
    number: () => t('a number'),
    boolean: () => t('true or false'),
    quantity: () => t('a quantity such as 500m or 2Gi'),
    intOrString: () => t('a 32-bit integer or text'),
    time: () => t('a time such as 2026-01-31T08:00:00Z'),
    microTime: () => t('a time with six digits of a second, such as 2026-01-31T08:00:00.000000Z'),
    duration: () => t('a duration such as 1h30m'),
    bytes: () => t('base64'),
    any: () => t('anything'),
  };
  return names[wanted]();
}

const MOST_CHARACTERS = 41;

/** A value of another type in plain words. */
export function valueName(value: JsonValue, wanted: ExpectedType): string {
  if (Array.isArray(value)) return t('a list');
  switch (typeof value) {
    case 'string':
      return ['quantity', 'time', 'microTime', 'duration', 'bytes'].includes(wanted)
        ? JSON.stringify(elided(value, MOST_CHARACTERS))
        : t`text (${JSON.stringify(elided(value, MOST_CHARACTERS))})`;
    case 'number':
    case 'bigint':
      return t`the number ${value}`;
    case 'boolean':
      return t`the boolean ${value}`;
    default:
      return t('a mapping');
  }
}
