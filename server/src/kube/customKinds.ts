import { isObject, type JsonObject } from '../base/json';
import { lazy } from '../base/lazy';
import { isSameList, isSameOrdered } from '../base/sameValue';
import { plainMarkdown } from '../text/markdown';
import type { ApiName, Field, KindInfo, Kube, ObjectSchema, Schema, StructuralSchema, Subresources } from './kube';

/** A kind from one version of a CustomResourceDefinition: the same value as long as that object is the same. */
export interface CustomDefinition extends ApiName {
  readonly namespaced: boolean;
  /** The schema as it is written; equal schemas are equal here. */
  readonly source: JsonObject;
  /** Read when the kind is first used. */
  schema(): StructuralSchema;
  readonly subresources: Subresources;
}

/** Keywords that say something to people alone. */
const TEXTS: ReadonlySet<string> = new Set(['description', 'title', 'example', 'externalDocs']);

/** Whether two definitions of kinds mean the same to the server. */
export function isSameDefinition(a: CustomDefinition, b: CustomDefinition): boolean {
  if (a === b) return true;
  return (
    a.group === b.group &&
    a.version === b.version &&
    a.kind === b.kind &&
    a.resource === b.resource &&
    a.namespaced === b.namespaced &&
    isSameOrdered(a.subresources, b.subresources) &&
    isSameSchema(a.source, b.source)
  );
}

/**
 * The kinds whose schemas or subresources differ, as `GROUP/KIND`; undefined where the kinds themselves do, or what their
 * resources are.
 */
export function changedSchemas(
  before: readonly CustomDefinition[],
  now: readonly CustomDefinition[],
): readonly string[] | undefined {
  if (!isSameList(before.map(resourceText), now.map(resourceText))) return undefined;
  const changed = now.filter((it, i) => !isSameDefinition(it, before[i]!));
  return [...new Set(changed.map(it => `${it.group}/${it.kind}`))];
}

const resourceText = ({ group, version, kind, resource, namespaced }: CustomDefinition): string =>
  [group, version, kind, resource, namespaced].join(' ');

/** Whether two schemas differ in texts for people at most. Parts that both share are not compared. */
function isSameSchema(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return isSameOrdered(a, b);
  const names = Object.keys(a).filter(it => !TEXTS.has(it));
  const others = Object.keys(b).filter(it => !TEXTS.has(it));
  return names.length === others.length && names.every(it => Object.hasOwn(b, it) && isSameKeyword(it, a[it], b[it]));
}

function isSameKeyword(name: string, a: unknown, b: unknown): boolean {
  if (name === 'items' || name === 'additionalProperties' || name === 'not') return isSameSchema(a, b);
  if (name !== 'properties' || !isObject(a) || !isObject(b) || a === b) return isSameOrdered(a, b);
  const fields = Object.keys(a);
  return isSameList(fields, Object.keys(b)) && fields.every(it => isSameSchema(a[it], b[it]));
}

/**
 * The facts with the descriptions of these kinds, which may be newer than those in the facts: a description changes
 * nothing that a check finds.
 */
export const withDescriptions = (kube: Kube, base: Kube, definitions: readonly CustomDefinition[]): Kube => ({
  ...kube,
  description: withCustomKinds(base, definitions).description,
});

/** The same facts with additional kinds. Existing kinds stay as they are; `api` has the names of both. */
export function withCustomKinds(kube: Kube, definitions: readonly CustomDefinition[]): Kube {
  const own = definitions.filter(it => kube.kindOf(`${it.group}/${it.version}`, it.kind) === undefined);
  // Many environments may have the same definitions.
  const kinds = new Map(
    own.map(it => [
      `${it.group}/${it.version} ${it.kind}`,
      lazy(() => kube.parts.of('customKind', it, () => customKind(it, kube))),
    ]),
  );
  if (definitions.length === 0) return kube;
  return {
    ...kube,
    kindOf: (apiVersion, kind) => kube.kindOf(apiVersion, kind) ?? kinds.get(`${apiVersion} ${kind}`)?.().info,
    kinds: () => [...kube.kinds(), ...[...kinds.values()].map(it => it().info)],
    api: () => [...kube.api(), ...definitions],
    description(definition, field = '') {
      const text = kinds.get(kindNameIn(definition))?.().textOf(`${definition} ${field}`);
      return text === undefined ? kube.description(definition, field) : plainMarkdown(text);
    },
  };
}

interface CustomKind {
  /** Its schema is read when it is first used. */
  readonly info: KindInfo;
  /** The description of a definition and a field, as it is written. */
  textOf(name: string): string | undefined;
}

/** `GROUP/VERSION KIND` of a definition that begins with `GROUP/VERSION.KIND`. */
function kindNameIn(definition: string): string {
  const slash = definition.indexOf('/');
  const [version, kind] = definition.slice(slash + 1).split('.', 2);
  return `${definition.slice(0, slash + 1)}${version} ${kind}`;
}

function customKind({ schema: read, source: _, ...it }: CustomDefinition, kube: Kube): CustomKind {
  const structural = lazy(read);
  const own = lazy(() => readSchema(structural(), `${it.group}/${it.version}.${it.kind}`, kube));
  const info: KindInfo = {
    ...it,
    served: 'on',
    origin: 'crd',
    get schema() {
      return own().schema;
    },
    get structural() {
      return structural();
    },
  };
  return { info, textOf: name => own().texts.get(name) };
}

function readSchema(structural: StructuralSchema, definition: string, kube: Kube) {
  const texts = new Map<string, string>();
  const schema = objectSchema(structural, definition, texts);
  const objectMeta = kube.kindOf('v1', 'ConfigMap')?.schema.fields.get('metadata');
  const string = (name: string): [string, Field] => [name, { name, schema: { type: 'string' }, required: false }];
  const fields = new Map([
    string('apiVersion'),
    string('kind'),
    ...(objectMeta ? [['metadata', objectMeta] as const] : []),
    ...[...schema.fields].filter(([name]) => !['apiVersion', 'kind', 'metadata'].includes(name)),
  ]);
  const isOpen = structural['x-kubernetes-preserve-unknown-fields'] === true;
  const whole: ObjectSchema = { ...schema, fields, ...(isOpen && { isOpen }) };
  return { schema: whole, texts };
}

/** The fields of a structural schema in the form of built-in kinds; descriptions are added to `texts`. */
function objectSchema(schema: StructuralSchema, definition: string, texts: Map<string, string>): ObjectSchema {
  const note = (field: string, text: unknown) => {
    if (typeof text === 'string') texts.set(`${definition} ${field}`, text);
  };
  note('', describedBy(schema));
  const isRequired = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(([name, it]): [string, Field] => {
    note(name, describedBy(it));
    const required = isRequired.has(name);
    const field = { name, schema: schemaOf(it, `${definition}.${name}`, texts), required };
    return [name, it.default === undefined ? field : { ...field, default: it.default }];
  });
  return { type: 'object', definition, fields: new Map(fields) };
}

const describedBy = (schema: StructuralSchema): unknown => (schema as { readonly description?: unknown }).description;

function schemaOf(schema: StructuralSchema, name: string, texts: Map<string, string>): Schema {
  if (schema['x-kubernetes-preserve-unknown-fields'] || schema['x-kubernetes-embedded-resource'])
    return { type: 'any' };
  if (schema['x-kubernetes-int-or-string']) return { type: 'intOrString' };
  if (schema.type === 'array') {
    const [listType, mapKeys] = [schema['x-kubernetes-list-type'], schema['x-kubernetes-list-map-keys']];
    const items = schemaOf(schema.items ?? {}, `${name}[]`, texts);
    return { type: 'list', items, ...(listType && { listType }), ...(mapKeys && { mapKeys }) };
  }
  if (schema.properties !== undefined) return objectSchema(schema, name, texts);
  if (typeof schema.additionalProperties === 'object') {
    return { type: 'map', values: schemaOf(schema.additionalProperties, `${name}{}`, texts) };
  }
  return scalarSchema(schema);
}

function scalarSchema({ type, format, enum: values }: StructuralSchema): Schema {
  switch (type) {
    case 'string': {
      if (format === 'byte') return { type: 'bytes' };
      if (format === 'date-time') return { type: 'time' };
      const words = values?.filter(it => typeof it === 'string');
      return { type, ...(format && { format }), ...(words && { enum: words }) };
    }
    case 'integer':
      return format === 'int32' || format === 'int64' ? { type, format } : { type };
    case 'number':
    case 'boolean':
      return { type };
    default:
      return { type: 'any' };
  }
}
