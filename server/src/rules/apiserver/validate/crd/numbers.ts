import type { Kube, StructuralSchema } from '../../../../kube/kube';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { type FieldError, invalid } from '../errors';

/** Whether a number is an integer for the decoder, which reads what does not fit into 64 bits as a fraction. */
export const isInteger = (value: number | bigint): boolean =>
  typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);

/** Upstream: swag.IsFloat64AJSONInteger. */
function isWhole(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const rounded = Math.round(value);
  return value === rounded || (rounded !== 0 && Math.abs(value - rounded) < 1e-9 * Math.abs(rounded));
}

/**
 * The errors of a number. `name` gives the path in messages, `composite` makes those for which upstream has no path. A bound that does not fit the type is
 * reported for every value. Upstream: numberValidator.
 */
export function numberErrors(
  value: number | bigint,
  schema: StructuralSchema,
  { at, name }: { readonly at: FieldPath; readonly name: () => string },
  composite: (detail: string) => FieldError,
  kube: Pick<Kube, 'minor'>,
): readonly FieldError[] {
  const hasRanges = applies(minorChanges.formatsOfNumbers, kube);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const say = (rule: string, shown: number | bigint = value): FieldError =>
    invalid(at, shown, `${name()} in body ${rule}`);
  const errors: FieldError[] = [];
  const checkRange = (it: number | bigint, what: string): void => {
    const problem = hasRanges ? rangeProblem(it, schema) : undefined;
    if (problem !== undefined) errors.push(composite(`${what} value must be of type ${problem} in ${name()}`));
  };
  // A bound of an integer loses its fraction, if it fits the type at all. Upstream: MinimumNativeType.
  const bound = (it: number): number =>
    isInteger(value) && !(hasRanges && rangeProblem(it, schema) !== undefined) ? Math.trunc(it) : it;
  const n = Number(value);
  checkRange(value, 'Checked');
  if (multipleOf !== undefined) {
    checkRange(multipleOf, 'MultipleOf');
    errors.push(...multipleErrors(value, bound(multipleOf), say));
  }
  if (minimum !== undefined) {
    checkRange(minimum, 'Minimum boundary');
    if (exclusiveMinimum ? n <= bound(minimum) : n < bound(minimum))
      errors.push(say(`should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`));
  }
  if (maximum !== undefined) {
    checkRange(maximum, 'Maximum boundary');
    if (exclusiveMaximum ? n >= bound(maximum) : n > bound(maximum))
      errors.push(say(`should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`));
  }
  return errors;
}

function multipleErrors(
  value: number | bigint,
  of: number,
  say: (rule: string, shown?: number) => FieldError,
): readonly FieldError[] {
  if (of <= 0) return [say(`must be greater than 0: ${of}`, of)];
  const n = Number(value);
  // Integers are divided as such, without the tolerance for fractions. Upstream: MultipleOfInt.
  const isExact = isInteger(value) && Number.isInteger(of);
  const isMultiple = isExact ? BigInt(value) % BigInt(of) === 0n : of < 1 ? isWhole((1 / of) * n) : isWhole(n / of);
  return isMultiple ? [] : [say(`should be a multiple of ${of}`)];
}

/** The type that a number does not fit. Upstream: IsValueValidAgainstRange. */
function rangeProblem(value: number | bigint, { type, format }: StructuralSchema): string | undefined {
  if (type === 'number') {
    const isOver = format === 'float' && Math.abs(Number(value)) > 3.4028235677973366e38;
    return isOver ? 'number with format float' : undefined;
  }
  if (type !== 'integer') return undefined;
  const limit = format === 'int32' ? 2 ** 31 : 2 ** 63;
  const n = Number(value);
  const fits = Number.isInteger(n) && n >= -limit && n < limit && (typeof value === 'number' || isInteger(value));
  if (fits) return undefined;
  return format === 'int32' || format === 'int64' ? `integer with format ${format}` : 'integer (default format)';
}
