import { byteLength } from '../base/byteLength';
import type { PartMemo } from '../base/partMemo';
import { type DeclType, escapedName, maxRequestBytes } from './cel/declType';
import type { StructuralSchema } from './kube';

const maxString = maxRequestBytes - 2;

const nonNegative = (value: number): number => Math.max(value, 0);

/**
 * The CEL type of a schema; undefined where its values are hidden from CEL. `root` is the schema of a whole resource,
 * whose names are always there. Upstream: common.SchemaDeclType.
 */
export const schemaDeclType = (of: StructuralSchema, level: 'root' | 'inner', memo: PartMemo): DeclType | undefined =>
  memo.of(`type ${level}`, of, () => makeType(of, level, memo));

function makeType(of: StructuralSchema, level: 'root' | 'inner', memo: PartMemo): DeclType | undefined {
  const { maxLength } = of;
  if (of['x-kubernetes-int-or-string']) {
    const maxElements = maxLength === undefined ? maxString : nonNegative(maxLength) * 4;
    return { name: 'dyn', maxElements, minSize: 1 };
  }
  switch (of.type) {
    case 'array':
      return listType(of, memo);
    case 'object':
      if (typeof of.additionalProperties === 'object') return mapType(of, of.additionalProperties, memo);
      return objectType(level === 'root' ? withMetadata(of) : of, memo);
    case 'string':
      return stringType(of);
    case 'boolean':
      return { name: 'bool', maxElements: 0, minSize: 4 };
    case 'number':
      return { name: 'double', maxElements: 0, minSize: 1 };
    case 'integer':
      return { name: 'int', maxElements: 0, minSize: 1 };
    default:
      return undefined;
  }
}

const innerType = (of: StructuralSchema, memo: PartMemo): DeclType | undefined =>
  schemaDeclType(of, of['x-kubernetes-embedded-resource'] === true ? 'root' : 'inner', memo);

function listType({ items, maxItems }: StructuralSchema, memo: PartMemo): DeclType | undefined {
  const elem = items && innerType(items, memo);
  if (elem === undefined) return undefined;
  const most = maxItems === undefined ? Math.floor(maxString / (elem.minSize + 1)) : nonNegative(maxItems);
  return { name: 'list', elem, maxElements: most, minSize: 2 };
}

/** A map whose values are hidden is hidden, too. */
function mapType({ maxProperties }: StructuralSchema, values: StructuralSchema, memo: PartMemo): DeclType | undefined {
  const elem = innerType(values, memo);
  if (elem === undefined) return undefined;
  const most = maxProperties === undefined ? Math.floor(maxString / (elem.minSize + 6)) : nonNegative(maxProperties);
  return { name: 'map', elem, maxElements: most, minSize: 2 };
}

function objectType({ properties = {}, required = [] }: StructuralSchema, memo: PartMemo): DeclType {
  const needed = new Set(required);
  const fields = new Map<string, DeclType>();
  let minSize = 2;
  for (const [name, property] of Object.entries(properties)) {
    const type = innerType(property, memo);
    if (type === undefined) continue;
    const escaped = escapedName(name);
    if (escaped !== undefined) fields.set(escaped, type);
    if (needed.has(name) && property.default === undefined) {
      minSize += new TextEncoder().encode(name).length + type.minSize + 4;
    }
  }
  return { name: 'object', fields, maxElements: 0, minSize };
}

const FORMATS: Readonly<Record<string, Pick<DeclType, 'name' | 'maxElements' | 'minSize'>>> = {
  duration: { name: 'duration', maxElements: 32, minSize: 3 },
  date: { name: 'timestamp', maxElements: 12, minSize: 12 },
  'date-time': { name: 'timestamp', maxElements: 32, minSize: 21 },
};

function stringType({ format = '', maxLength, enum: choices = [] }: StructuralSchema): DeclType {
  const known = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (known !== undefined) return known;
  if (format === 'byte') {
    return { name: 'bytes', maxElements: maxLength === undefined ? maxString : nonNegative(maxLength), minSize: 2 };
  }
  const lengths = choices.map(it => (typeof it === 'string' ? byteLength(it) : 0));
  const unbounded = choices.length === 0 ? maxString : lengths.reduce((most, it) => Math.max(most, it), 0);
  return { name: 'string', maxElements: maxLength === undefined ? unbounded : nonNegative(maxLength) * 4, minSize: 2 };
}

/** Upstream: model.WithTypeAndObjectMeta. */
function withMetadata(of: StructuralSchema): StructuralSchema {
  const { properties = {} } = of;
  const typeAt = (name: string): string | undefined => (Object.hasOwn(properties, name) ? properties[name]?.type : '');
  const names = Object.hasOwn(properties, 'metadata') ? (properties.metadata?.properties ?? {}) : {};
  const isDeclared =
    typeAt('kind') === 'string' &&
    typeAt('apiVersion') === 'string' &&
    typeAt('metadata') === 'object' &&
    ['name', 'generateName'].every(it => Object.hasOwn(names, it) && names[it]?.type === 'string');
  if (isDeclared) return of;
  const capped = (name: string, most: number): StructuralSchema => ({
    type: 'string',
    maxLength: Math.min(Object.hasOwn(names, name) ? (names[name]?.maxLength ?? most) : most, most),
  });
  const metadata = { name: capped('name', 253), generateName: capped('generateName', 252) };
  return {
    ...of,
    properties: {
      ...properties,
      kind: { type: 'string' },
      apiVersion: { type: 'string' },
      metadata: { type: 'object', properties: metadata },
    },
  };
}
