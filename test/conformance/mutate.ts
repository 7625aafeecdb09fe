import type { JsonObject, JsonValue } from '../../server/src/base/json';
import type { Kube, Schema } from '../../server/src/kube/kube';

/** A change of a base: the value set at a JSON pointer, or no value, which removes the present one. */
export interface Change {
  readonly at: string;
  readonly put?: JsonValue;
}

interface Place {
  readonly at: readonly string[];
  readonly schema: Schema;
  readonly value: JsonValue;
}

export type Random = () => number;

/** Mulberry32: small, seeded, the same on every machine. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

export const pointer = (at: readonly string[]): string =>
  at.map(it => `/${it.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The object with changes applied in order. */
export function changed(base: JsonObject, changes: readonly Change[]): JsonObject {
  return changes.reduce<JsonValue>((value, change) => put(value, segments(change.at), change), base) as JsonObject;
}

const segments = (at: string): readonly string[] =>
  at
    .split('/')
    .slice(1)
    .map(it => it.replaceAll('~1', '/').replaceAll('~0', '~'));

function put(value: JsonValue, [first, ...rest]: readonly string[], change: Change): JsonValue {
  if (first === undefined) return change.put ?? null;
  if (Array.isArray(value)) {
    const index = Number(first);
    if (rest.length === 0 && change.put === undefined) return value.filter((_, i) => i !== index);
    const items = [...(value as readonly JsonValue[])];
    items[index] = rest.length === 0 ? (change.put ?? null) : put(items[index] ?? null, rest, change);
    return items;
  }
  const object = (typeof value === 'object' && value !== null ? value : {}) as JsonObject;
  if (rest.length === 0 && change.put === undefined) {
    const { [first]: _removed, ...kept } = object;
    return kept;
  }
  return { ...object, [first]: rest.length === 0 ? (change.put ?? null) : put(object[first] ?? {}, rest, change) };
}

/** Every path of an object that its schema knows, the object itself first. */
export function placesOf(value: JsonValue, schema: Schema, at: readonly string[] = []): readonly Place[] {
  const here = { at, schema, value };
  if (schema.type === 'list' && Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    return [here, ...items.flatMap((it, i) => placesOf(it, schema.items, [...at, String(i)]))];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [here];
  const inner = (name: string): Schema | undefined =>
    schema.type === 'map' ? schema.values : schema.type === 'object' ? schema.fields.get(name)?.schema : undefined;
  const below = Object.entries(value as JsonObject).flatMap(([name, it]) => {
    const of = inner(name);
    return of === undefined || name === 'apiVersion' || name === 'kind' ? [] : placesOf(it, of, [...at, name]);
  });
  return [here, ...below];
}

const STRINGS = [
  '',
  'x',
  'Upper',
  'under_score',
  'with.dot',
  'with space',
  '-dash',
  'a/b',
  'example.com/name',
  'a/b/c',
  '../up',
  '/abs',
  'trailing-',
  'k8s.io/x',
  'kubernetes.io/x',
  '1',
  '-1',
  '0',
  '10%',
  '101%',
  '$(X)',
  'a=b',
  'ü',
  '10.0.0.1',
  '010.0.0.1',
  'fd00::1',
  '1Gi',
  'cpu',
  'memory',
  'storage',
  'None',
  'Always',
  'Never',
  'a'.repeat(64),
  'a'.repeat(254),
];
const INTEGERS = [-1, 0, 1, 2, 3, 63, 64, 101, 256, 512, 1000, 30000, 65535, 65536, 100000, 2147483647];
const QUANTITIES = ['0', '1', '-1', '1.5', '100m', '1Gi', '3Mi', '2Mi', '1e3', '9223372036854775808', '1n'];

/** A value of a schema's type, deep enough to be validated. */
function sample(schema: Schema, random: Random, pool: Pool, depth = 0): JsonValue {
  switch (schema.type) {
    case 'object': {
      const known = pool.get(schema.definition);
      if (known && random() < 0.4) return pick(random, known);
      if (depth > 3) return {};
      const fields = [...schema.fields.values()].filter(it => it.required || random() < 0.3);
      return Object.fromEntries(fields.map(it => [it.name, sample(it.schema, random, pool, depth + 1)]));
    }
    case 'map':
      return random() < 0.2 ? {} : { [pick(random, STRINGS)]: sample(schema.values, random, pool, depth + 1) };
    case 'list':
      return Array.from({ length: Math.floor(random() * 3) }, () => sample(schema.items, random, pool, depth + 1));
    case 'string':
      return pick(random, schema.enum && random() < 0.6 ? schema.enum : STRINGS);
    case 'integer':
    case 'number':
      return pick(random, INTEGERS);
    case 'boolean':
      return random() < 0.5;
    case 'quantity':
      return pick(random, QUANTITIES);
    case 'intOrString':
      return random() < 0.5 ? pick(random, INTEGERS) : pick(random, STRINGS);
    case 'time':
    case 'microTime':
      return pick(random, ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000000Z']);
    case 'duration':
      return pick(random, ['30s', '-1s', '1h30m']);
    case 'bytes':
      return pick(random, ['aGk=', '']);
    case 'any':
      return pick<JsonValue>(random, [{ a: 'b' }, {}]);
  }
}

/** Sample values of each definition, from which values of the same type are taken. */
export type Pool = ReadonlyMap<string, readonly JsonValue[]>;

export function poolOf(objects: readonly JsonObject[], kube: Kube): Pool {
  const pool = new Map<string, JsonValue[]>();
  for (const object of objects) {
    const kind = kube.kindOf(String(object.apiVersion), String(object.kind));
    for (const { schema, value } of kind ? placesOf(object, kind.schema) : []) {
      if (schema.type !== 'object') continue;
      const known = pool.get(schema.definition);
      if (known) known.push(value);
      else pool.set(schema.definition, [value]);
    }
  }
  return pool;
}

/** One change of an object at a random path, as people make by mistake. */
export function mutation(places: readonly Place[], random: Random, pool: Pool): Change {
  const place = pick(random, places);
  const at = pointer(place.at);
  const { schema, value } = place;
  const roll = random();
  if (schema.type === 'object') {
    const absent = [...schema.fields.values()].filter(it => !Object.hasOwn(value as JsonObject, it.name));
    if (absent.length > 0 && (roll < 0.7 || place.at.length === 0)) {
      const field = pick(random, absent);
      return { at: `${at}${pointer([field.name])}`, put: sample(field.schema, random, pool) };
    }
    if (place.at.length === 0) return mutation(places.slice(1), random, pool);
    return roll < 0.8 ? { at } : { at, put: sample(schema, random, pool) };
  }
  if (schema.type === 'list' && roll < 0.5) {
    const items = value as readonly JsonValue[];
    const more = items.length > 0 && roll < 0.25 ? pick(random, items) : sample(schema.items, random, pool);
    return { at: `${at}/${items.length}`, put: more };
  }
  if (schema.type === 'map' && roll < 0.5) {
    return { at: `${at}${pointer([pick(random, STRINGS)])}`, put: sample(schema.values, random, pool) };
  }
  return roll < 0.15 ? { at } : { at, put: sample(schema, random, pool) };
}
