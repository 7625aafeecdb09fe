import { isObject, type JsonValue } from '../../base/json';
import { ownOf } from '../../base/ownOf';
import { FieldPath, type Segment } from '../../manifest/fieldPath';

/**
 * Fields that identify the items of a list; the first that an item has counts. Upstream: the patch merge keys of
 * k8s.io/api.
 */
const KEYS = ['name', 'mountPath', 'devicePath', 'containerPort', 'port', 'key', 'ip', 'topologyKey', 'type', 'uid'];

/** A path of one object, translated to a similar object. */
export interface Carried {
  readonly at: FieldPath;
  /** How many of its steps exist in the other object. */
  readonly found: number;
  readonly isWhole: boolean;
  readonly value: JsonValue | undefined;
}

/**
 * Translates a path of one object to another: list items are matched by their key, else by their text, else by their
 * index. Steps that the other object does not have are kept.
 */
export function carried(path: FieldPath, from: JsonValue, to: JsonValue): Carried {
  const steps: Segment[] = [];
  let found = 0;
  let [source, target]: [JsonValue | undefined, JsonValue | undefined] = [from, to];
  for (const segment of path.segments) {
    const step: Segment | undefined = typeof segment === 'number' ? indexOf(segment, source, target) : segment;
    steps.push(step ?? segment);
    source = into(source, segment);
    target = step === undefined ? undefined : into(target, step);
    if (target !== undefined) found++;
  }
  return { at: FieldPath.of(...steps), found, isWhole: found === steps.length, value: target };
}

function indexOf(index: number, source: JsonValue | undefined, target: JsonValue | undefined): number | undefined {
  if (!Array.isArray(source) || !Array.isArray(target)) return undefined;
  const items = target as readonly JsonValue[];
  const item = (source as readonly JsonValue[])[index];
  if (!isObject(item)) {
    const same = items.indexOf(item as JsonValue);
    return same >= 0 ? same : undefined;
  }
  const key = KEYS.find(it => item[it] !== undefined);
  if (key === undefined) return index < items.length ? index : undefined;
  const same = items.findIndex(it => isObject(it) && it[key] === item[key]);
  return same >= 0 ? same : undefined;
}

function into(value: JsonValue | undefined, segment: Segment): JsonValue | undefined {
  if (typeof segment === 'number') return Array.isArray(value) ? (value as readonly JsonValue[])[segment] : undefined;
  const name = typeof segment === 'string' ? segment : segment.key;
  return isObject(value) ? ownOf(value, name) : undefined;
}
