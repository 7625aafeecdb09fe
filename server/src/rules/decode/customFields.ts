import { asObject, type JsonObject, type JsonValue } from '../../base/json';
import { lazyByObject } from '../../base/lazy';
import type { ObjectSchema, Schema, StructuralSchema } from '../../kube/kube';
import { fieldSchema, hasField } from '../../kube/structuralSchema';
import { FieldPath } from '../../manifest/fieldPath';
import { decode, type Mismatch, type UnknownField } from './decode';

/** A value of a custom resource: its published schema, and that schema in the form of built-in kinds. */
interface Place {
  readonly at: FieldPath;
  readonly structural: StructuralSchema | undefined;
  readonly schema: Schema | undefined;
  readonly around: readonly ObjectSchema[];
}

const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * The fields that the server drops from a custom resource, with those of its metadata; a value of the wrong type has
 * none. Upstream: pruning.PruneWithOptions and objectmeta.CoerceWithOptions.
 */
export function* unknownInResource(
  value: JsonObject,
  structural: StructuralSchema,
  schema: ObjectSchema,
): Iterable<UnknownField> {
  const metadata = schema.fields.get('metadata')?.schema;
  if (!mayHoldUnknown(value, structural, 'root')) {
    if (value.metadata !== undefined) yield* unknownInMetadata(value.metadata, metadata, FieldPath.of('metadata'));
    return;
  }
  const root = { ...structural, 'x-kubernetes-embedded-resource': true };
  yield* unknownBelow(value, { at: FieldPath.root, structural: root, schema, around: [] }, metadata);
}

/** Whether some field is unknown, or lies in an embedded resource: without paths, as most objects hold none. */
function mayHoldUnknown(
  value: JsonValue,
  structural: StructuralSchema | undefined,
  level: 'root' | 'inner' | 'item of an open list',
): boolean {
  const isOpen = level === 'item of an open list' || structural?.['x-kubernetes-preserve-unknown-fields'] === true;
  if (Array.isArray(value)) {
    const items = structural?.items;
    if (isOpen && items === undefined) return false;
    const ofItems = isOpen ? 'item of an open list' : 'inner';
    return (value as readonly JsonValue[]).some(it => mayHoldUnknown(it, items, ofItems));
  }
  const object = asObject(value);
  if (object === undefined) return false;
  if (level !== 'root' && structural?.['x-kubernetes-embedded-resource'] === true) return true;
  const schema = structural ?? {};
  for (const name of Object.keys(object)) {
    if (level === 'root' && META_FIELDS.has(name)) continue;
    if (isKnown(schema, name)) {
      if (mayHoldUnknown(object[name] as JsonValue, fieldSchema(schema, name), 'inner')) return true;
    } else if (!isOpen) return true;
  }
  return false;
}

function* unknownBelow(value: JsonValue, place: Place, metadata: Schema | undefined): Iterable<UnknownField> {
  const { at, structural } = place;
  const isOpen = structural?.['x-kubernetes-preserve-unknown-fields'] === true;
  if (Array.isArray(value)) {
    if (isOpen && structural.items === undefined) return;
    // Items of an open list are open, too.
    const items = isOpen ? { ...structural.items, 'x-kubernetes-preserve-unknown-fields': true } : structural?.items;
    const schema = place.schema?.type === 'list' ? place.schema.items : undefined;
    for (const [i, it] of (value as readonly JsonValue[]).entries()) {
      yield* unknownBelow(it, { ...place, at: at.index(i), structural: items, schema }, metadata);
    }
    return;
  }
  const object = asObject(value);
  if (object === undefined) return;
  const own = place.schema?.type === 'object' ? place.schema : ofNames(structural);
  for (const [name, it] of Object.entries(object)) {
    if (structural?.['x-kubernetes-embedded-resource'] === true && META_FIELDS.has(name)) {
      if (name === 'metadata') yield* unknownInMetadata(it, metadata, at.child(name));
      continue;
    }
    const inner = innerPlace(name, structural, place, own);
    if (inner !== undefined) yield* unknownBelow(it, inner, metadata);
    else if (!isOpen)
      yield { what: 'unknown', at: at.child(name), name, schema: own, present: object, around: place.around };
  }
}

/** The place of a field; undefined for one that is not known. Everything below `additionalProperties: true` is unknown. */
function innerPlace(
  name: string,
  structural: StructuralSchema | undefined,
  { at, schema, around }: Place,
  own: ObjectSchema,
): Place | undefined {
  const of = structural ?? {};
  if (!isKnown(of, name)) return undefined;
  const values = schema?.type === 'map' ? schema.values : undefined;
  return {
    at: at.child(name),
    around: [...around, own],
    structural: fieldSchema(of, name),
    schema: hasField(of.properties ?? {}, name) ? own.fields.get(name)?.schema : values,
  };
}

/** Whether a field has a schema, or may have any name. */
const isKnown = ({ properties = {}, additionalProperties }: StructuralSchema, name: string): boolean =>
  hasField(properties, name) || additionalProperties !== undefined;

/** What a schema that has no other form knows. */
const ofNames = (structural: StructuralSchema | undefined): ObjectSchema =>
  namesIn(structural?.properties ?? NO_FIELDS);

const NO_FIELDS: object = {};

/** Made once for all objects with the schema. */
const namesIn = lazyByObject((properties: object): ObjectSchema => {
  const names = Object.keys(properties);
  const fields = names.map(name => [name, { name, schema: { type: 'any' }, required: false }] as const);
  return { type: 'object', definition: '', fields: new Map(fields) };
});

function* unknownInMetadata(value: JsonValue, schema: Schema | undefined, at: FieldPath): Iterable<UnknownField> {
  const object = asObject(value);
  if (object === undefined || schema?.type !== 'object') return;
  for (const it of decode(object, schema)) {
    if (isUnknown(it)) yield { ...it, at: FieldPath.of(...at.segments, ...it.at.segments) };
  }
}

const isUnknown = (it: UnknownField | Mismatch): it is UnknownField => it.what === 'unknown';
