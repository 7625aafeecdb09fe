import type { JsonObject, JsonValue } from '../../../base/json';
import { jsonText } from '../../../base/printed';
import type { ObjectSchema, Schema } from '../../../kube/kube';
import { isList, isMap } from '../go/goValues';
import { KyvernoError } from '../results/failures';

/** Whether atomic fields may be replaced as a whole. Upstream: useServerSideApply of a MutatingPolicy. */
export type Atomics = 'are refused' | 'are replaced';

/** Atomic types, by the end of their name. Upstream: x-kubernetes-map-type: atomic. */
const atomicTypes =
  /\.(LabelSelector|NodeSelector|NodeSelectorTerm|LocalObjectReference|TypedLocalObjectReference|ObjectReference|CrossVersionObjectReference|(ConfigMap|Secret|File)KeySelector|SecretReference|(Object|Resource)FieldSelector|ScopeSelector|TopologySelectorTerm|EndpointPort|EndpointAddress|RoleRef|Subject|OwnerReference|ServiceBackendPort)$/;
/** Atomic maps: each a definition and one of its fields. */
const atomicMaps: ReadonlySet<string> = new Set([
  'PodSpec.nodeSelector',
  'Scheduling.nodeSelector',
  'ServiceSpec.selector',
  'ReplicationControllerSpec.selector',
]);

/**
 * Applies a configuration to an object, following the schema's list and map types; without a schema, lists are
 * replaced. Throws a KyvernoError for a configuration that replaces atomic fields, unless `atomics` allows it.
 * Upstream: patch.ApplyStructuredMergeDiff.
 */
export function structuredMerge(
  object: JsonObject,
  configuration: JsonObject,
  schema: ObjectSchema | undefined,
  atomics: Atomics,
): JsonObject {
  const [undeclared] = undeclaredIn(configuration, schema, '');
  if (undeclared !== undefined)
    throw new KyvernoError(
      `error applying patch: failed to convert patch object to typed object: ${undeclared}: field not declared in schema`,
    );
  const refused = atomics === 'are replaced' ? [] : [...atomicsIn(configuration, schema, '')];
  if (refused.length > 0)
    throw new KyvernoError(
      `error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${refused.join(', ')}`,
    );
  return merge(object, configuration, schema) as JsonObject;
}

function* undeclaredIn(value: JsonValue, schema: Schema | undefined, path: string): Iterable<string> {
  if (isList(value) && schema?.type === 'list') {
    for (const [i, it] of value.entries()) yield* undeclaredIn(it, schema.items, `${path}[${i}]`);
  }
  if (!isMap(value)) return;
  for (const [name, it] of Object.entries(value)) {
    if (schema?.type === 'object' && !schema.fields.has(name)) yield `${path}.${name}`;
    else yield* undeclaredIn(it, innerSchema(schema, name), `${path}.${name}`);
  }
}

/** Upstream: the mapType of a field. */
type MapType = 'granular' | 'atomic';

function* atomicsIn(
  value: JsonValue,
  schema: Schema | undefined,
  path: string,
  mapType: MapType = 'granular',
): Iterable<string> {
  if (isMap(value) && schema?.type !== 'any') {
    if (mapType === 'atomic' || (schema?.type === 'object' && atomicTypes.test(schema.definition))) yield path;
    for (const [name, it] of Object.entries(value)) {
      const inner = innerSchema(schema, name);
      yield* atomicsIn(it, inner, `${path}.${name}`, mapTypeOf(schema, name));
    }
  }
  if (isList(value) && schema?.type !== 'any') {
    const list = schema?.type === 'list' ? schema : undefined;
    if ((list?.listType ?? 'atomic') === 'atomic') yield path;
    for (const [i, it] of value.entries()) yield* atomicsIn(it, list?.items, `${path}[${i}]`);
  }
}

function mapTypeOf(schema: Schema | undefined, field: string): MapType {
  if (schema?.type !== 'object') return 'granular';
  return atomicMaps.has(`${schema.definition.split('.').at(-1)}.${field}`) ? 'atomic' : 'granular';
}

function innerSchema(schema: Schema | undefined, field: string): Schema | undefined {
  if (schema?.type === 'object') return schema.fields.get(field)?.schema;
  return schema?.type === 'map' ? schema.values : undefined;
}

function merge(value: JsonValue | undefined, patch: JsonValue, schema: Schema | undefined): JsonValue {
  if (isMap(value) && isMap(patch)) {
    if (schema?.type === 'object' && atomicTypes.test(schema.definition)) return patch;
    const changed = Object.entries(patch).map(([name, it]): [string, JsonValue] => [
      name,
      mapTypeOf(schema, name) === 'atomic' ? it : merge(value[name], it, innerSchema(schema, name)),
    ]);
    return { ...value, ...Object.fromEntries(changed) };
  }
  if (!isList(value) || !isList(patch) || schema?.type !== 'list') return patch;
  if (schema.listType === 'map') return mergeItems(value, patch, schema.items, it => keysOf(it, schema));
  return schema.listType === 'set' ? mergeItems(value, patch, schema.items, it => it) : patch;
}

type ListSchema = Extract<Schema, { readonly type: 'list' }>;

/** A missing key has its default, such as the protocol of a port. */
function keysOf(item: JsonValue, { mapKeys = [], items }: ListSchema): JsonValue {
  return mapKeys.map(key => {
    const field = items.type === 'object' ? items.fields.get(key) : undefined;
    return (isMap(item) ? item[key] : undefined) ?? (field?.default as JsonValue | undefined) ?? null;
  });
}

/**
 * Items in both lists are in the order of the patch; other items of the object stay before the item they preceded.
 * Upstream: mergingWalker.visitListItems.
 */
function mergeItems(
  items: readonly JsonValue[],
  patch: readonly JsonValue[],
  schema: Schema,
  identityOf: (item: JsonValue) => JsonValue,
): readonly JsonValue[] {
  const keyOf = (item: JsonValue): string => jsonText(identityOf(item));
  const [own, wanted] = [new Map(items.map(it => [keyOf(it), it])), new Map(patch.map(it => [keyOf(it), it]))];
  const shared = patch.map(keyOf).filter(it => own.has(it));
  const done = new Set<string>();
  const res: JsonValue[] = [];
  const take = (key: string): void => {
    const [item, change = null] = [own.get(key), wanted.get(key)];
    res.push(item === undefined ? change : merge(item, change, schema));
    done.add(key);
    if (shared[0] === key) shared.shift();
  };
  let [left, right] = [0, 0];
  while (left < items.length || right < patch.length) {
    const [item, change] = [items[left], patch[right]];
    const [mine, theirs] = [item, change].map(it => (it === undefined ? undefined : keyOf(it)));
    const isShared = mine !== undefined && wanted.has(mine);
    if (item !== undefined && !isShared) {
      res.push(item);
      left += 1;
    } else if (isShared && (done.has(mine) || (theirs !== undefined && theirs !== mine && shared[0] !== mine))) {
      left += 1;
    } else if (theirs !== undefined) {
      take(theirs);
      right += 1;
      if (theirs === mine) left += 1;
    }
  }
  return res;
}
