import type { JsonValue } from '../../../base/json';
import type { FieldPath } from '../../../manifest/fieldPath';
import { type FieldError, invalid } from './errors';

export const isPercent = (text: string): boolean => /^[0-9]+%$/.test(text);

const percentRule =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** Upstream: apps validation.ValidatePositiveIntOrPercent. */
export function* intOrPercent(value: JsonValue | undefined, at: FieldPath): Iterable<FieldError> {
  if (typeof value === 'string' && !isPercent(value)) yield invalid(at, value, percentRule);
  if (typeof value === 'number' && value < 0) yield invalid(at, value, 'must be greater than or equal to 0');
}

/** Upstream: apps validation.IsNotMoreThan100Percent. */
export function* atMostAll(value: JsonValue | undefined, at: FieldPath): Iterable<FieldError> {
  if (typeof value === 'string' && isPercent(value) && Number(value.slice(0, -1)) > 100) {
    yield invalid(at, value, 'must not be greater than 100%');
  }
}
