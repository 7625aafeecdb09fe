import { asObject, type JsonValue } from '../../../../base/json';
import { escapedName } from '../../../../kube/cel/declType';
import { celLibrary } from '../../../../kube/cel/library';
import type { StructuralSchema } from '../../../../kube/kube';
import { fieldSchema } from './structural';

/**
 * A value in CEL's types: whole numbers are integers unless the schema says number, text with a format is what the
 * format says, fields of objects are escaped and keys of maps are not. Fields without a schema are hidden. Upstream:
 * common.UnstructuredToVal.
 */
export function celValue(value: JsonValue, schema: StructuralSchema): unknown {
  if (typeof value === 'number') return schema.type === 'number' || !Number.isInteger(value) ? value : BigInt(value);
  if (typeof value === 'bigint') return schema.type === 'number' ? Number(value) : value;
  if (typeof value === 'string') return schema.type === 'string' ? textValue(value, schema.format) : value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(it => celValue(it, schema.items ?? {}));
  const object = asObject(value);
  if (object === undefined) return value;
  const { properties } = schema;
  return new Map(
    Object.entries(object).flatMap(([name, it]): [string, unknown][] => {
      const inner = fieldSchema(schema, name);
      if (inner === undefined) return [];
      if (properties === undefined) return [[name, celValue(it, inner)]];
      const escaped = escapedName(name);
      // A null in a nullable field counts as absent.
      return it === null || escaped === undefined ? [] : [[escaped, celValue(it, inner)]];
    }),
  );
}

/** Why a value is none of its schema's type: validation lets some empty lists pass. Upstream: common.UnstructuredToVal. */
export function dataProblem(value: JsonValue, { type }: StructuralSchema): string | undefined {
  const word = { string: 'string', number: 'float', integer: 'int', boolean: 'bool' }[type ?? ''];
  if (word !== undefined && Array.isArray(value)) return `invalid data, expected ${word}, got []interface {}`;
  if (word !== undefined && typeof value === 'object') {
    return `invalid data, expected ${word}, got map[string]interface {}`;
  }
  if (type === 'object' && asObject(value) === undefined) {
    return 'invalid data, expected a map for the provided schema with type=object';
  }
  const isOther = type === 'array' && !Array.isArray(value);
  return isOther ? 'invalid data, expected an array for the provided schema with type=array' : undefined;
}

/** The schema of a resource as rules see it: of metadata, only the names. Upstream: model.WithTypeAndObjectMeta. */
export function resourceSchema(schema: StructuralSchema): StructuralSchema {
  const { properties = {} } = schema;
  const text = { type: 'string' };
  const metadata = { type: 'object', properties: { name: text, generateName: text } };
  return { ...schema, properties: { ...properties, apiVersion: text, kind: text, metadata } };
}

function textValue(value: string, format: string | undefined): unknown {
  switch (format) {
    case 'byte':
      return new Uint8Array(Buffer.from(value, 'base64url'));
    case 'date':
    case 'date-time': {
      const date = new Date(/(?:z|[+-]\d\d:\d\d)$/i.test(value) || format === 'date' ? value : `${value}Z`);
      return Number.isNaN(date.getTime()) ? value : date;
    }
    case 'duration':
      return durationOf(value);
    default:
      return value;
  }
}

/** A duration of Go; other spellings stay text. */
function durationOf(value: string): unknown {
  try {
    return celLibrary().evaluate('duration(text)', { text: value });
  } catch {
    return value;
  }
}

export const isResource = (schema: StructuralSchema): boolean => schema['x-kubernetes-embedded-resource'] === true;
