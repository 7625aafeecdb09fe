import { isObject, type JsonObject, type JsonValue } from '../base/json';
import type { PartMemo } from '../base/partMemo';
import { setOwn } from '../base/setOwn';
import type { StructuralSchema, ValidationRule } from './kube';

type Reader = (value: JsonValue, memo: PartMemo) => unknown;

const textOf: Reader = it => (typeof it === 'string' ? it : undefined);
const flagOf: Reader = it => (typeof it === 'boolean' ? it : undefined);
const numberOf: Reader = it => (typeof it === 'number' || typeof it === 'bigint' ? Number(it) : undefined);
const anyOf: Reader = it => it;
const oneOf =
  (...words: readonly string[]): Reader =>
  it =>
    typeof it === 'string' && words.includes(it) ? it : undefined;
const listOf =
  (read: Reader): Reader =>
  (it, memo) =>
    Array.isArray(it)
      ? (it as readonly JsonValue[]).map(item => read(item, memo)).filter(item => item !== undefined)
      : undefined;

const schemaOf: Reader = (it, memo) => (isObject(it) ? structuralSchemaOf(it, memo) : undefined);
/** Where Go has a struct instead of a pointer, null is an empty schema. */
const schemaOrEmpty: Reader = (it, memo) => (it === null ? {} : schemaOf(it, memo));
const schemasByName: Reader = (it, memo) => (isObject(it) ? readFields(it, () => schemaOrEmpty, memo) : undefined);

/** Every keyword that is read, and its reader: undefined for a value of another type. */
const KEYWORDS: Readonly<Record<keyof StructuralSchema | 'description', Reader>> = {
  type: oneOf('object', 'array', 'string', 'integer', 'number', 'boolean'),
  format: textOf,
  nullable: flagOf,
  default: anyOf,
  enum: listOf(anyOf),
  pattern: textOf,
  minLength: numberOf,
  maxLength: numberOf,
  minimum: numberOf,
  maximum: numberOf,
  exclusiveMinimum: flagOf,
  exclusiveMaximum: flagOf,
  multipleOf: numberOf,
  minItems: numberOf,
  maxItems: numberOf,
  uniqueItems: flagOf,
  minProperties: numberOf,
  maxProperties: numberOf,
  required: listOf(textOf),
  properties: schemasByName,
  additionalProperties: (it, memo) => (typeof it === 'boolean' ? it : schemaOf(it, memo)),
  items: schemaOf,
  allOf: listOf(schemaOrEmpty),
  anyOf: listOf(schemaOrEmpty),
  oneOf: listOf(schemaOrEmpty),
  not: schemaOf,
  description: textOf,
  'x-kubernetes-int-or-string': flagOf,
  'x-kubernetes-preserve-unknown-fields': flagOf,
  'x-kubernetes-embedded-resource': flagOf,
  'x-kubernetes-list-type': oneOf('atomic', 'set', 'map'),
  'x-kubernetes-list-map-keys': listOf(textOf),
  'x-kubernetes-map-type': oneOf('atomic', 'granular'),
  'x-kubernetes-validations': listOf(ruleOf),
};

/**
 * The schema in a CustomResourceDefinition. A keyword with a value of the wrong type is dropped, and so is one that is
 * not read: the server refuses the definition for it, but an editor still knows the other fields while it is being
 * typed. Each object is read once. Upstream: apiextensions/v1.JSONSchemaProps.
 */
export function structuralSchemaOf(schema: JsonObject, memo: PartMemo): StructuralSchema {
  return memo.of('structural schema', schema, () => entriesOf(KEYWORDS, schema, memo) as StructuralSchema);
}

const RULE: Readonly<Record<keyof ValidationRule, Reader>> = {
  rule: textOf,
  message: textOf,
  messageExpression: textOf,
  reason: oneOf('FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'),
  fieldPath: textOf,
  optionalOldSelf: flagOf,
};

function ruleOf(value: JsonValue, memo: PartMemo): unknown {
  const read = isObject(value) ? entriesOf(RULE, value, memo) : {};
  return 'rule' in read ? read : undefined;
}

/** The fields of an object that have a reader and a value, read. */
function readFields(
  from: JsonObject,
  readerOf: (name: string) => Reader | undefined,
  memo: PartMemo,
): Readonly<Record<string, unknown>> {
  const read: Record<string, unknown> = {};
  for (const name of Object.keys(from)) {
    const value = readerOf(name)?.(from[name] ?? null, memo);
    if (value !== undefined) setOwn(read, name, value);
  }
  return read;
}

/** Fields that are null are unset. */
const entriesOf = (
  readers: Readonly<Record<string, Reader>>,
  from: JsonObject,
  memo: PartMemo,
): Readonly<Record<string, unknown>> =>
  readFields(from, name => (from[name] !== null && Object.hasOwn(readers, name) ? readers[name] : undefined), memo);

export const hasField = (properties: object, name: string): boolean => Object.hasOwn(properties, name);

/** The schema of a field or of a map's entry; undefined for an unknown field. */
export function fieldSchema(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties = {}, additionalProperties } = schema;
  if (hasField(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
