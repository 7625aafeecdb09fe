import { asObject, isObject, type JsonObject, type JsonValue } from '../../../../base/json';
import type { PartMemo } from '../../../../base/partMemo';
import { setOwn } from '../../../../base/setOwn';
import { flag, get, optionalText } from '../../../../kube/goFields';
import type { StructuralSchema } from '../../../../kube/kube';

/** Keywords whose type or meaning differs from those of a schema that was accepted. */
type Recursive = 'properties' | 'additionalProperties' | 'items' | 'allOf' | 'anyOf' | 'oneOf' | 'not';
type Own = 'default' | 'enum' | 'x-kubernetes-list-type' | 'x-kubernetes-validations';

export type Schemas = Readonly<Record<string, SchemaProps>>;

/**
 * A schema as the API server decodes it, before anything is validated. Zero values are absent; of pointers, only null
 * is. Upstream: apiextensions.JSONSchemaProps.
 */
export interface SchemaProps extends Omit<StructuralSchema, Recursive | Own> {
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly externalDocs?: JsonObject;
  readonly example?: JsonValue;
  readonly default?: JsonValue;
  readonly enum?: readonly JsonValue[];
  readonly properties?: Schemas;
  readonly patternProperties?: Schemas;
  readonly definitions?: Schemas;
  readonly dependencies?: Schemas;
  readonly additionalProperties?: boolean | SchemaProps;
  readonly additionalItems?: boolean | SchemaProps;
  readonly items?: SchemaProps;
  /** Items as a list of schemas; empty for a value that is neither a schema nor a list. */
  readonly itemsList?: readonly SchemaProps[];
  readonly allOf?: readonly SchemaProps[];
  readonly anyOf?: readonly SchemaProps[];
  readonly oneOf?: readonly SchemaProps[];
  readonly not?: SchemaProps;
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly SchemaRule[];
}

/** Upstream: apiextensions.ValidationRule. Texts that are absent are empty. */
export interface SchemaRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly fieldPath: string;
  readonly reason?: string;
  readonly optionalOldSelf?: boolean;
}

type Reader = (value: JsonValue, memo: PartMemo) => unknown;

const orAbsent = (isZero: boolean, value: unknown): unknown => (isZero ? undefined : value);
const words: Reader = it => (typeof it === 'string' && it !== '' ? it : undefined);
const pointer: Reader = it => (typeof it === 'string' ? it : undefined);
const yes: Reader = it => orAbsent(it !== true, it);
const yesOrNo: Reader = it => (typeof it === 'boolean' ? it : undefined);
const number: Reader = it => (typeof it === 'number' || typeof it === 'bigint' ? Number(it) : undefined);
const anything: Reader = it => it;
const listOf =
  (read: Reader): Reader =>
  (it, memo) =>
    Array.isArray(it) && it.length > 0 ? (it as readonly JsonValue[]).map(item => read(item, memo)) : undefined;

const schema: Reader = (it, memo) => (isObject(it) ? schemaProps(it, memo) : undefined);
/** Where Go has a struct instead of a pointer, null is an empty schema. */
const schemaOrEmpty = (it: JsonValue, memo: PartMemo): SchemaProps => schemaProps(asObject(it) ?? {}, memo);
const schemas: Reader = (it, memo) => {
  const of = asObject(it) ?? {};
  const names = Object.keys(of);
  if (names.length === 0) return undefined;
  const read: Record<string, SchemaProps> = {};
  for (const name of names) setOwn(read, name, schemaOrEmpty(of[name] ?? null, memo));
  return read;
};
/** Upstream: JSONSchemaPropsOrBool. */
const schemaOrBool: Reader = (it, memo) => (typeof it === 'boolean' ? it : schema(it, memo));

const READERS: Readonly<Record<Exclude<keyof SchemaProps, 'items' | 'itemsList'>, Reader>> = {
  id: words,
  $schema: words,
  $ref: pointer,
  description: words,
  type: words,
  format: words,
  title: words,
  default: anything,
  maximum: number,
  exclusiveMaximum: yes,
  minimum: number,
  exclusiveMinimum: yes,
  maxLength: number,
  minLength: number,
  pattern: words,
  maxItems: number,
  minItems: number,
  uniqueItems: yes,
  multipleOf: number,
  enum: listOf(anything),
  maxProperties: number,
  minProperties: number,
  required: listOf(it => (typeof it === 'string' ? it : '')),
  allOf: listOf(schemaOrEmpty),
  oneOf: listOf(schemaOrEmpty),
  anyOf: listOf(schemaOrEmpty),
  not: schema,
  properties: schemas,
  additionalProperties: schemaOrBool,
  patternProperties: schemas,
  dependencies: (it, memo) => (isObject(it) ? (schemas(it, memo) ?? {}) : undefined),
  additionalItems: schemaOrBool,
  definitions: schemas,
  externalDocs: it => asObject(it),
  example: anything,
  nullable: yes,
  'x-kubernetes-preserve-unknown-fields': yesOrNo,
  'x-kubernetes-embedded-resource': yes,
  'x-kubernetes-int-or-string': yes,
  'x-kubernetes-list-map-keys': listOf(it => (typeof it === 'string' ? it : '')),
  'x-kubernetes-list-type': pointer,
  'x-kubernetes-map-type': pointer,
  'x-kubernetes-validations': listOf(ruleOf),
};

/** Reads a schema once; fields that the type does not have, and values of another type, are left out. */
export const schemaProps = (of: JsonObject, memo: PartMemo): SchemaProps =>
  isFlat(of) ? readSchema(of, memo) : memo.of('schema of a definition', of, () => readSchema(of, memo));

/** A schema of words and numbers alone is read again at less cost than remembered. */
function isFlat(of: JsonObject): boolean {
  for (const name of Object.keys(of)) if (typeof of[name] === 'object') return false;
  return true;
}

function readSchema(of: JsonObject, memo: PartMemo): SchemaProps {
  const read: Record<string, unknown> = {};
  for (const name of Object.keys(of)) {
    const reader = Object.hasOwn(READERS, name) ? READERS[name as keyof typeof READERS] : undefined;
    const value = get(of, name);
    if (reader === undefined || value === undefined) continue;
    const made = reader(value, memo);
    if (made !== undefined) read[name] = made;
  }
  const items = get(of, 'items');
  if (isObject(items)) read.items = schemaProps(items, memo);
  else if (items !== undefined) read.itemsList = Array.isArray(items) ? items.map(it => schemaOrEmpty(it, memo)) : [];
  return read as SchemaProps;
}

function ruleOf(value: JsonValue): SchemaRule {
  const of = asObject(value);
  const text = (name: string): string => optionalText(of, name) ?? '';
  const reason = optionalText(of, 'reason');
  const optionalOldSelf = flag(of, 'optionalOldSelf');
  return {
    rule: text('rule'),
    message: text('message'),
    messageExpression: text('messageExpression'),
    fieldPath: text('fieldPath'),
    ...(reason !== undefined && { reason }),
    ...(optionalOldSelf !== undefined && { optionalOldSelf }),
  };
}

/** The schema of a property, whatever its name. */
export const propertyOf = (of: SchemaProps | undefined, name: string): SchemaProps | undefined =>
  of?.properties !== undefined && Object.hasOwn(of.properties, name) ? of.properties[name] : undefined;

export const propertiesOf = (of: SchemaProps): readonly (readonly [string, SchemaProps])[] =>
  Object.entries(of.properties ?? {});

/** The schema of a map's values, if there is one. */
export const valuesOf = (of: SchemaProps): SchemaProps | undefined =>
  typeof of.additionalProperties === 'object' ? of.additionalProperties : undefined;

/** The schema and all schemas in it. Upstream: validation.SchemaHas. */
export function* allSchemas(of: SchemaProps): Iterable<SchemaProps> {
  yield of;
  for (const it of innerSchemas(of)) yield* allSchemas(it);
}

/** The schemas right in a schema. */
export function innerSchemas(of: SchemaProps): readonly SchemaProps[] {
  const found: SchemaProps[] = [];
  for (const name of LISTS) for (const it of of[name] ?? []) found.push(it);
  for (const name of NAMED_SCHEMAS) for (const it of Object.values(of[name] ?? {})) found.push(it);
  const { items, not, additionalItems } = of;
  for (const it of [items, not, valuesOf(of), additionalItems]) if (typeof it === 'object') found.push(it);
  return found;
}

const LISTS = ['itemsList', 'allOf', 'anyOf', 'oneOf'] as const;

/** The fields that hold schemas by name. */
export const NAMED_SCHEMAS = ['properties', 'patternProperties', 'definitions', 'dependencies'] as const;

/** A schema whose words were validated, in the form that validates values. */
export const structuralOf = (of: SchemaProps): StructuralSchema => of as StructuralSchema;
