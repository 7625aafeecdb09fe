import { asObject, type JsonObject, type JsonValue } from '../../../../base/json';
import { has, text } from '../../../../kube/goFields';
import type { Kube, StructuralSchema } from '../../../../kube/kube';
import { dns1035LabelErrors } from '../../../../kube/names';
import { fieldSchema } from '../../../../kube/structuralSchema';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { decode } from '../../../decode/decode';
import { type FieldError, invalid, required } from '../errors';
import { validateGenericObjectMeta, validateNameFn } from '../metadata';
import { entryAt } from './lists';

/** The names and metadata of resources inside a value. Upstream: schema/objectmeta.Validate. */
export function embeddedErrors(value: JsonValue, schema: StructuralSchema, at: FieldPath): readonly FieldError[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined
      ? []
      : (value as readonly JsonValue[]).flatMap((it, i) => embeddedErrors(it, items, at.index(i)));
  }
  const object = asObject(value);
  if (object === undefined) return [];
  const own = schema['x-kubernetes-embedded-resource'] ? [...resourceErrors(object, at)] : [];
  return [
    ...own,
    ...Object.entries(object).flatMap(([name, item]) => {
      const inner = fieldSchema(schema, name);
      return inner === undefined ? [] : embeddedErrors(item, inner, entryAt(schema, name, at));
    }),
  ];
}

/** Upstream: validateEmbeddedResource. */
export function* resourceErrors(of: JsonObject, at: FieldPath): Iterable<FieldError> {
  for (const it of ['apiVersion', 'kind']) {
    const value = of[it];
    if (value === undefined) yield required(at.child(it));
    else if (typeof value !== 'string') yield invalid(at.child(it), value, 'must be a string');
    else if (value === '') yield invalid(at.child(it), value, 'must not be empty');
  }
  const apiVersion = text(of, 'apiVersion');
  if (apiVersion.split('/').length > 2) {
    yield invalid(at.child('apiVersion'), apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
  }
  const kind = text(of, 'kind');
  const problems = kind === '' ? [] : dns1035LabelErrors(kind.toLowerCase());
  if (problems.length > 0) {
    const detail = `may have mixed case, but should otherwise match: ${problems.join(',')}`;
    yield invalid(at.child('kind'), kind, detail);
  }
  const metadata = asObject(of.metadata);
  if (metadata === undefined) return;
  const named = text(metadata, 'name') === '' ? { ...metadata, name: 'fakename' } : metadata;
  const scope = has(metadata, 'namespace') && text(metadata, 'namespace') !== '' ? 'namespaced' : 'cluster';
  for (const it of validateGenericObjectMeta({ metadata: named }, scope, validateNameFn.pathSegment)) {
    const below = it.at.segments.slice(1);
    yield { ...it, at: below.reduce<FieldPath>(extended, at.child('metadata')) };
  }
}

function extended(at: FieldPath, segment: FieldPath['segments'][number]): FieldPath {
  if (typeof segment === 'number') return at.index(segment);
  return typeof segment === 'string' ? at.child(segment) : at.key(segment.key);
}

/** Why metadata cannot be decoded; undefined if it can. */
function metadataProblem(value: JsonValue, kube: Kube): string | undefined {
  const object = asObject(value);
  if (object === undefined) {
    return value === null ? undefined : `json: cannot unmarshal ${kindOf(value)} into Go value of type v1.ObjectMeta`;
  }
  const schema = kube.kindOf('v1', 'ConfigMap')?.schema.fields.get('metadata')?.schema;
  if (schema?.type !== 'object') return undefined;
  for (const it of decode(object, schema)) {
    if (it.what !== 'mismatch') continue;
    return `json: cannot unmarshal ${kindOf(it.value)} into Go struct field ObjectMeta.${it.printed}`;
  }
  return undefined;
}

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'object') return 'object';
  return typeof value === 'string' ? 'string' : 'number';
}

/**
 * The first name or metadata of a resource inside a value that the decoder refuses; undefined if there is none.
 * Upstream: schema/objectmeta.Coerce.
 */
export function coercionError(
  value: JsonValue,
  schema: StructuralSchema,
  at: FieldPath,
  kube: Kube,
): FieldError | undefined {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return undefined;
    return first(value as readonly JsonValue[], (it, i) => coercionError(it, items, at.index(i), kube));
  }
  const object = asObject(value);
  if (object === undefined) return undefined;
  const isResource = schema['x-kubernetes-embedded-resource'] === true;
  return first(Object.entries(object), ([name, item]) => {
    if (isResource && (name === 'apiVersion' || name === 'kind') && typeof item !== 'string') {
      return invalid(at.child(name), item, 'must be a string');
    }
    const problem = isResource && name === 'metadata' ? metadataProblem(item, kube) : undefined;
    if (problem !== undefined) return invalid(at.child('metadata'), item, problem);
    const inner = fieldSchema(schema, name);
    return inner && coercionError(item, inner, entryAt(schema, name, at), kube);
  });
}

function first<T, R>(items: readonly T[], find: (item: T, i: number) => R | undefined): R | undefined {
  for (const [i, it] of items.entries()) {
    const found = find(it, i);
    if (found !== undefined) return found;
  }
  return undefined;
}
