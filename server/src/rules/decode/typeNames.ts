import type { JsonValue } from '../../base/json';
import type { ExpectedType } from './decode';

/** A type in plain words. */
export function wantedName(wanted: ExpectedType): string {
  const names: Readonly<Record<ExpectedType, string>> = {
    object: 'a mapping',
    map: 'a mapping',
    list: 'a list',
    string: 'text',
    integer: 'an integer',
    int32: 'a 32-bit integer',
    int64: 'a 64-bit integer',
    number: 'a number',
    boolean: 'true or false',
    quantity: 'a quantity such as 500m or 2Gi',
    intOrString: 'a 32-bit integer or text',
    time: 'a time such as 2026-01-31T08:00:00Z',
    microTime: 'a time with six digits of a second, such as 2026-01-31T08:00:00.000000Z',
    duration: 'a duration such as 1h30m',
    bytes: 'base64',
    any: 'anything',
  };
  return names[wanted];
}

/** A value of another type in plain words. */
export function valueName(value: JsonValue, wanted: ExpectedType): string {
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return ['quantity', 'time', 'microTime', 'duration', 'bytes'].includes(wanted)
        ? JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
        : `text (${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)})`;
    case 'number':
    case 'bigint':
      return `the number ${value}`;
    case 'boolean':
      return `the boolean ${value}`;
    default:
      return 'a mapping';
  }
}
