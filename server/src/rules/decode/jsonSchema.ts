import { asObject, type JsonObject, type JsonValue } from '../../base/json';
import type { ObjectSchema } from '../../kube/kube';

const SCHEMA = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';

/** Whether the values of a type are schemas of definitions: they are large, and parts of them are asked again. */
export const isSchemaType = ({ definition }: ObjectSchema): boolean => definition === SCHEMA;

/** Whether a schema is worth remembering: asking about one without schemas inside costs less. */
export const holdsSchemas = (of: JsonObject): boolean => of.properties !== undefined || of.items !== undefined;

/** A schema inside a schema, whose own decoder is not strict: it is told of values of another type alone. */
export interface InnerSchema {
  readonly value: JsonValue;
  readonly index?: number;
}

/**
 * The schemas in a field of a definition's schema that has a decoder of its own; undefined for any other field. A value
 * that this decoder refuses is `refused`. Upstream: UnmarshalJSON of JSONSchemaPropsOrArray, JSONSchemaPropsOrBool and
 * JSONSchemaPropsOrStringArray.
 */
export function innerSchemas(
  { definition }: ObjectSchema,
  field: string,
  value: JsonValue,
): readonly InnerSchema[] | 'refused' | undefined {
  if (definition !== SCHEMA) return undefined;
  const isObject = asObject(value) !== undefined;
  switch (field) {
    case 'items':
      if (Array.isArray(value)) return (value as readonly JsonValue[]).map((it, index) => ({ value: it, index }));
      return isObject ? [{ value }] : [];
    case 'additionalProperties':
    case 'additionalItems':
      if (value === null || typeof value === 'boolean') return [];
      return isObject ? [{ value }] : 'refused';
    default:
      return undefined;
  }
}
