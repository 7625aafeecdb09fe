import { compareText } from '../../../../base/compareText';
import { asObject, type JsonObject, type JsonValue } from '../../../../base/json';
import { jsonText } from '../../../../base/printed';
import type { CelCompilers } from '../../../../kube/cel/compilers';
import type { StructuralSchema } from '../../../../kube/kube';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid, notAmong, required, tooLong, tooMany } from '../errors';
import { formatError } from './formats';
import { fieldSchema } from './structural';

/**
 * The errors of a value according to its schema. Where upstream gives no path (numbers out of their format's range,
 * anyOf, oneOf, allOf, not), the error has the path of the value that its text names. Upstream: kube-openapi
 * validate.SchemaValidator, by kubeOpenAPIResultToFieldErrors.
 */
export function schemaErrors(
  value: JsonValue,
  schema: StructuralSchema,
  at: FieldPath,
  cel: CelCompilers,
): readonly FieldError[] {
  const wrongType = typeError(value, schema, at);
  if (value === null) return [...list(wrongType), ...enumErrors(value, schema, at)];
  if (wrongType !== undefined) {
    return [wrongType, ...combined(value, schema, at, cel), ...enumErrors(value, schema, at)];
  }
  return [
    ...combined(value, schema, at, cel),
    ...(typeof value === 'string' ? textErrors(value, schema, at, cel) : []),
    ...(typeof value === 'number' || typeof value === 'bigint' ? numberErrors(Number(value), schema, at) : []),
    ...(Array.isArray(value) ? arrayErrors(value as readonly JsonValue[], schema, at, cel) : []),
    ...enumErrors(value, schema, at),
    ...objectErrors(asObject(value), schema, at, cel),
  ];
}

const list = <T>(it: T | undefined): readonly T[] => (it === undefined ? [] : [it]);

/** An error with go-openapi's message, which repeats the path. */
const openApiError = (at: FieldPath, value: JsonValue, rule: string): FieldError =>
  invalid(at, value, `${at.toString()} in body ${rule}`);

function typeError(value: JsonValue, schema: StructuralSchema, at: FieldPath): FieldError | undefined {
  const wanted = schema['x-kubernetes-int-or-string'] ? ['integer', 'string'] : list(schema.type);
  const given = typeName(value);
  const isFine =
    wanted.length === 0 ||
    wanted.some(it => it === given) ||
    (given === 'integer' && wanted.includes('number')) ||
    (value === null && schema.nullable === true);
  if (isFine) return undefined;
  return {
    type: 'FieldValueTypeInvalid',
    at,
    value,
    detail: `${at.toString()} in body must be of type ${wanted.join(',')}: "${given}"`,
  };
}

function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function enumErrors(value: JsonValue, schema: StructuralSchema, at: FieldPath): readonly FieldError[] {
  const { enum: choices = [] } = schema;
  if (choices.length === 0 || choices.some(it => it === value)) return [];
  return [
    notAmong(
      at,
      value,
      choices.map(it => (typeof it === 'string' ? it : jsonText(it))),
    ),
  ];
}

/** Only the first of these errors is reported. Upstream: stringValidator, formatValidator. */
function textErrors(value: string, schema: StructuralSchema, at: FieldPath, cel: CelCompilers): readonly FieldError[] {
  const length = [...value].length;
  const { maxLength, minLength, pattern, format } = schema;
  const wrongFormat = format === undefined ? undefined : formatError(value, format);
  return [
    ...(maxLength !== undefined && length > maxLength
      ? [tooLong(at, maxLength)]
      : minLength !== undefined && length < minLength
        ? [openApiError(at, value, `should be at least ${minLength} chars long`)]
        : pattern !== undefined && !isMatch(value, pattern, cel)
          ? [openApiError(at, value, `should match '${pattern}'`)]
          : []),
    ...(wrongFormat === undefined
      ? []
      : [openApiError(at, value, `must be of type ${format}: ${JSON.stringify(value)}`)]),
  ];
}

/** Every value matches a pattern that Go refuses, and one that could take too long. */
function isMatch(value: string, pattern: string, cel: CelCompilers): boolean {
  const compiled = cel.pattern(pattern);
  return !('regex' in compiled) || compiled.regex.matches(value) !== false;
}

function numberErrors(value: number, schema: StructuralSchema, at: FieldPath): readonly FieldError[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
  const range = format === 'int32' ? 2 ** 31 : format === 'int64' ? 2 ** 63 : Number.POSITIVE_INFINITY;
  const say = (rule: string) => [openApiError(at, value, rule)];
  return [
    ...(value < -range || value > range - 1
      ? [invalid(at, '', `Checked value must be of type ${schema.type} with format ${format} in ${at.toString()}`)]
      : []),
    ...(multipleOf !== undefined && value % multipleOf !== 0 ? say(`should be a multiple of ${multipleOf}`) : []),
    ...(minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)
      ? say(`should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`)
      : []),
    ...(maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)
      ? say(`should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`)
      : []),
  ];
}

function arrayErrors(
  value: readonly JsonValue[],
  schema: StructuralSchema,
  at: FieldPath,
  cel: CelCompilers,
): readonly FieldError[] {
  const { items, minItems, maxItems, uniqueItems } = schema;
  return [
    ...(items === undefined ? [] : value.flatMap((it, i) => schemaErrors(it, items, at.index(i), cel))),
    ...(minItems !== undefined && value.length < minItems
      ? [openApiError(at, value.length, `should have at least ${minItems} items`)]
      : []),
    ...(maxItems !== undefined && value.length > maxItems ? [tooMany(at, value.length, maxItems)] : []),
    ...(uniqueItems === true && new Set(value.map(keyOf)).size < value.length
      ? [openApiError(at, value, "shouldn't contain duplicates")]
      : []),
  ];
}

/** A text that is equal for equal values. */
export function keyOf(value: JsonValue): string {
  return JSON.stringify(value, (_, it) => {
    if (typeof it === 'bigint') return Number(it);
    const object = asObject(it);
    return object === undefined ? it : Object.fromEntries(Object.entries(object).sort(([a], [b]) => compareText(a, b)));
  });
}

function objectErrors(
  value: JsonObject | undefined,
  schema: StructuralSchema,
  at: FieldPath,
  cel: CelCompilers,
): readonly FieldError[] {
  if (value === undefined) return [];
  const { minProperties, maxProperties, required: names = [] } = schema;
  const count = Object.keys(value).length;
  return [
    ...(minProperties !== undefined && count < minProperties
      ? [openApiError(at, count, `should have at least ${minProperties} properties`)]
      : []),
    ...(maxProperties !== undefined && count > maxProperties ? [tooMany(at, count, maxProperties)] : []),
    ...Object.entries(value).flatMap(([name, item]) => {
      const inner = fieldSchema(schema, name);
      return inner === undefined ? [] : schemaErrors(item, inner, at.child(name), cel);
    }),
    ...names.filter(it => !Object.hasOwn(value, it)).map(it => required(at.child(it))),
  ];
}

/** allOf, anyOf, oneOf and not, with the errors of the alternative that has the fewest. */
function combined(value: JsonValue, schema: StructuralSchema, at: FieldPath, cel: CelCompilers): readonly FieldError[] {
  const errorsOf = (it: StructuralSchema) => schemaErrors(value, it, at, cel);
  const { allOf = [], anyOf, oneOf, not } = schema;
  const ofAll = allOf.flatMap(errorsOf);
  const ofAny = anyOf?.map(errorsOf);
  const ofOne = oneOf?.map(errorsOf);
  const fitting = ofOne?.filter(it => it.length === 0).length ?? 1;
  const path = at.toString();
  const say = (rule: string) => invalid(at, '', `"${path}" ${rule}`);
  return [
    ...(ofAny?.every(it => it.length > 0) ? [say('must validate at least one schema (anyOf)'), ...nearest(ofAny)] : []),
    ...(fitting === 1
      ? []
      : [
          say(
            `must validate one and only one schema (oneOf). Found ${fitting === 0 ? 'none valid' : `${fitting} valid alternatives`}`,
          ),
          ...(fitting === 0 ? nearest(ofOne ?? []) : []),
        ]),
    ...ofAll,
    ...(ofAll.length > 0 ? [say('must validate all the schemas (allOf)')] : []),
    ...(not !== undefined && errorsOf(not).length === 0 ? [say('must not validate the schema (not)')] : []),
  ];
}

function nearest(alternatives: readonly (readonly FieldError[])[]): readonly FieldError[] {
  return alternatives.reduce((best, it) => (it.length < best.length ? it : best), alternatives[0] ?? []);
}
