import { isObject, type JsonObject, type JsonValue } from '../../../base/json';
import type { StructuralSchema } from '../../kube';
import { escapedName } from '../declType';
import { parseDate, parseFormatDuration, parseTime } from './time';
import { CelFailure, CelList, CelMap, type CelValue, noOverload } from './values';

/** A JSON value as its schema types it. Parts are converted when they are read. Upstream: common.UnstructuredToVal. */
export function dataValue(value: JsonValue, schema: StructuralSchema): CelValue {
  if (value === null) {
    return schema.nullable ? null : new CelFailure('invalid data, got null for schema with nullable=false');
  }
  if (schema['x-kubernetes-int-or-string']) {
    if (typeof value === 'string' || isInteger(value)) return typeof value === 'string' ? value : BigInt(value);
    return new CelFailure('invalid data, expected XIntOrString value to be either a string or integer');
  }
  switch (schema.type) {
    case 'object':
      if (isObject(value)) return objectValue(value, schema);
      return new CelFailure('invalid data, expected a map for the provided schema with type=object');
    case 'array':
      return listValue(value, schema);
    case 'string':
      return typeof value === 'string' ? textValue(value, schema.format) : unexpected('string', value);
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : unexpected('float', value);
    case 'integer':
      return isInteger(value) ? BigInt(value) : unexpected('int', value);
    case 'boolean':
      return typeof value === 'boolean' ? value : unexpected('bool', value);
    default:
      return untyped(value);
  }
}

/** The schema of a resource as rules see it: of metadata, only the names. Upstream: WithTypeAndObjectMeta. */
export function resourceSchema(schema: StructuralSchema): StructuralSchema {
  const { properties = {} } = schema;
  const text = { type: 'string' };
  const metadata = { type: 'object', properties: { name: text, generateName: text } };
  return { ...schema, properties: { ...properties, apiVersion: text, kind: text, metadata } };
}

const isInteger = (it: JsonValue): it is number | bigint => typeof it === 'bigint' || Number.isInteger(it);

const GO_NAMES: Readonly<Record<string, string>> = { string: 'string', boolean: 'bool', bigint: 'int64' };

function unexpected(wanted: string, value: JsonValue): CelFailure {
  const other = Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
  const number = Number.isInteger(value) ? 'int64' : 'float64';
  const name = typeof value === 'number' ? number : (GO_NAMES[typeof value] ?? other);
  return new CelFailure(`invalid data, expected ${wanted}, got ${name}`);
}

/** Rules cannot read a value that nothing types, only compare it. */
function untyped(value: JsonValue): CelValue {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number' || typeof value === 'bigint') return isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    return new CelList(items.length, i => untyped(items[i]!));
  }
  const object = value as JsonObject;
  const names = Object.keys(object);
  const find = (key: CelValue): CelValue | undefined =>
    typeof key === 'string' && Object.hasOwn(object, key) ? untyped(object[key]!) : undefined;
  return new CelMap(names.length, find, () => names);
}

function listValue(value: JsonValue, schema: StructuralSchema): CelValue {
  if (!Array.isArray(value)) {
    return new CelFailure('invalid data, expected an array for the provided schema with type=array');
  }
  const { items } = schema;
  if (items === undefined) return new CelFailure('invalid array type, expected Items with a non-empty Schema');
  const list = value as readonly JsonValue[];
  const at = (i: number): CelValue => dataValue(list[i]!, items);
  const listType = schema['x-kubernetes-list-type'];
  if (listType === 'map') {
    const keys = (schema['x-kubernetes-list-map-keys'] ?? []).map(it => escapedName(it) ?? it);
    return new CelList(list.length, at, 'map', keys);
  }
  return new CelList(list.length, at, listType === 'set' ? 'set' : 'data');
}

function objectValue(object: JsonObject, own: StructuralSchema): CelValue {
  const schema = own['x-kubernetes-embedded-resource'] ? resourceSchema(own) : own;
  const { properties, additionalProperties } = schema;
  const values = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const schemaOf = (name: string): StructuralSchema | undefined =>
    properties === undefined ? values : Object.hasOwn(properties, name) ? properties[name] : undefined;
  const find = (key: CelValue): CelValue | undefined => {
    if (typeof key !== 'string') return noOverload();
    const name = properties === undefined ? key : unescapedName(key);
    if (name === undefined || !Object.hasOwn(object, name)) return undefined;
    const value = object[name]!;
    // A null in a field counts as absent.
    if (properties !== undefined && value === null) return undefined;
    const found = schemaOf(name);
    return found && dataValue(value, found);
  };
  const names = Object.keys(object);
  const keys = (): readonly CelValue[] =>
    names.filter(it => schemaOf(it) !== undefined).map(it => (properties === undefined ? it : (escapedName(it) ?? it)));
  return new CelMap(names.length, find, keys, { object, hasSchema: name => schemaOf(name) !== undefined });
}

const SYMBOLS: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' };

/** The field that a name in CEL stands for; undefined if there can be none. Upstream: cel.Unescape. */
function unescapedName(name: string): string | undefined {
  if (!name.includes('__')) return name;
  let isWrong = false;
  const field = name.replace(/__([^_]+)__/g, (whole, inner: string) => {
    const symbol = SYMBOLS[inner];
    const isReserved = symbol === undefined && whole === name && escapedName(inner) === whole;
    if (symbol === undefined && !isReserved) isWrong = true;
    return symbol ?? inner;
  });
  return isWrong ? undefined : field;
}

function textValue(text: string, format: string | undefined): CelValue {
  switch (format) {
    case 'byte':
      return /^[A-Za-z0-9_=\r\n-]*$/.test(text)
        ? Buffer.from(text, 'base64url')
        : new CelFailure(`Invalid byte formatted string ${text}: illegal base64 data at input byte ${badByte(text)}`);
    case 'date':
      return parseDate(text) ?? new CelFailure(`Invalid date formatted string ${text}`);
    case 'date-time':
      return parseTime(text, 'optional') ?? new CelFailure(`Invalid date-time formatted string ${text}`);
    case 'duration':
      return (
        parseFormatDuration(text) ?? new CelFailure(`Invalid duration ${text}: unable to parse ${text} as duration`)
      );
    default:
      return text;
  }
}

const badByte = (text: string): number => text.search(/[^A-Za-z0-9_\r\n-]/);
