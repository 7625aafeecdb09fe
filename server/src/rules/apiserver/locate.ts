import { asList, asObject, type JsonObject, type JsonValue } from '../../base/json';
import { lazyByObject } from '../../base/lazy';
import { printed } from '../../base/printed';
import { FieldPath, type Segment, type SpanPart } from '../../manifest/fieldPath';
import { valueAt } from '../../manifest/valueAt';
import type { FieldError } from './validate/errors';

/** Where an error of the API server is shown: a path of the text, as far as it is written. */
export interface TextLocation {
  readonly at: FieldPath;
  readonly part: SpanPart;
}

/**
 * Names in the API server's paths → the field of the API that each means; several names lead from a parent to its
 * child.
 */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  persistentDisk: ['gcePersistentDisk'],
  matchResouces: ['matchResources'],
  labels: ['metadata', 'labels'],
  annotations: ['metadata', 'annotations'],
  limits: ['podFixed'],
  namespace: ['namespaces'],
  clusterIPs: ['clusterIP'],
  podCIDRs: ['podCIDR'],
  path: ['items', 'path'],
  mode: ['items', 'mode'],
  count: ['deprecatedCount'],
  firstTimestamp: ['deprecatedFirstTimestamp'],
  lastTimestamp: ['deprecatedLastTimestamp'],
  source: ['deprecatedSource'],
  message: ['note'],
  involvedObject: ['regarding'],
  webhookClientConfig: ['webhook', 'clientConfig'],
  conversionReviewVersions: ['webhook', 'conversionReviewVersions'],
};

/**
 * The location of an API server's error in the object as written. The server's paths are not always those of the text:
 * some contain Go's name of a field, some lack the index of a list item, and the errors of a map have the path of the
 * map instead of the key.
 */
export function locationInText(
  { type, at, value, detail }: Pick<FieldError, 'type' | 'at' | 'value' | 'detail'>,
  root: JsonObject,
): TextLocation {
  const spelling = type === 'FieldValueRequired' ? 'exact' : 'any';
  const segments = ofFirstVersion(inTextOrder(at.segments), root);
  const found = walk({ node: root, at: FieldPath.root }, segments, { value, spelling });
  const written = valueAt(root, found);
  if (type !== 'FieldValueRequired' && typeof value === 'string') {
    const inside = memberOf(written, value, found, detail);
    if (inside !== undefined) return inside;
  }
  if (type === 'FieldValueRequired') return { at: found, part: written === '' ? 'value' : 'key' };
  const isScalar = written !== undefined && written !== null && typeof written !== 'object';
  return { at: found, part: isScalar && type !== 'FieldValueForbidden' ? 'value' : 'key' };
}

/**
 * The key or item that an error of a map or a list is about. Of several equal amounts, it is the one whose key the
 * error contains.
 */
function memberOf(
  written: JsonValue | undefined,
  value: string,
  at: FieldPath,
  detail: string,
): TextLocation | undefined {
  if (Array.isArray(written)) {
    const index = firstIndices(written).get(value);
    return index === undefined ? undefined : { at: at.index(index), part: 'value' };
  }
  const map = asObject(written);
  if (map === undefined) return undefined;
  if (Object.hasOwn(map, value)) return { at: at.child(value), part: 'key' };
  const named = detail
    .split(' ')
    .slice(1, -1)
    .find(word => Object.hasOwn(map, word) && printed(map[word]) === value);
  const holder = named ?? firstKeys(map).get(value);
  return holder === undefined ? undefined : { at: at.child(holder), part: 'value' };
}

/** Each value of a list with its first index: thousands of errors may be about one list. */
const firstIndices = lazyByObject(
  (list: readonly JsonValue[]) => new Map(list.map((it, i) => [it, i] as const).toReversed()),
);

/** The same of a map, whose values are texts here. */
const firstKeys = lazyByObject(
  (map: JsonObject) =>
    new Map(
      Object.keys(map)
        .map(key => [printed(map[key]), key] as const)
        .toReversed(),
    ),
);

/**
 * Paths in another order than the text: a Node's taints, a claim's size, a container's resources relative to the Pod.
 */
function inTextOrder(segments: readonly Segment[]): readonly Segment[] {
  if (segments[0] === 'metadata' && segments[1] === 'taints') return ['spec', ...segments.slice(1)];
  const size = segments.findIndex((it, n) => it === 'resources' && typeof segments[n + 1] === 'object');
  if (size >= 0) return [...segments.slice(0, size + 1), 'requests', ...segments.slice(size + 1)];
  const i = segments.findIndex((it, n) => it === 'resources' && segments[n + 1] === 'containers');
  const [, containers, index, key, list] = i < 0 ? [] : segments.slice(i);
  if (containers === undefined || index === undefined) return segments;
  const rest = [list, key].filter(it => it !== undefined);
  return [...segments.slice(0, i), containers, index, 'resources', ...rest];
}

const OF_VERSIONS: ReadonlyMap<Segment, readonly Segment[]> = new Map<Segment, readonly Segment[]>([
  ['validation', ['schema']],
  ['subresources', ['subresources']],
  ['additionalPrinterColumns', ['additionalPrinterColumns']],
  ['selectableFields', ['selectableFields']],
  ['version', ['name']],
]);

/** What all versions of a CustomResourceDefinition have alike is shown in the first one. */
function ofFirstVersion(segments: readonly Segment[], root: JsonObject): readonly Segment[] {
  const [spec, part = '', ...rest] = segments;
  const inVersion = OF_VERSIONS.get(part);
  if (root.kind !== 'CustomResourceDefinition' || spec !== 'spec' || inVersion === undefined) return segments;
  return ['spec', 'versions', 0, ...inVersion, ...rest.map(it => (it === 'JSONPath' ? 'jsonPath' : it))];
}

interface Step {
  readonly node: JsonValue | undefined;
  readonly at: FieldPath;
}

interface Wanted {
  readonly value: JsonValue | undefined;
  /** any: the case of a field may differ from that of the path; an error about a missing field needs the exact name. */
  readonly spelling: 'exact' | 'any';
}

/**
 * The deepest location on the path that is written. A missing field stays part of the path, so that it can be added
 * there.
 */
function walk({ node, at }: Step, segments: readonly Segment[], wanted: Wanted): FieldPath {
  const [segment, ...rest] = segments;
  if (segment === undefined) return at;
  if (typeof segment === 'number') {
    // An alias may lead from a list to a field with a single value.
    if (typeof node === 'string') return walk({ node, at }, rest, wanted);
    const item = asList(node)[segment];
    return item === undefined ? extended(at, segments) : walk({ node: item, at: at.index(segment) }, rest, wanted);
  }
  const name = typeof segment === 'string' ? segment : segment.key;
  if (Array.isArray(node)) return itemWith({ node, at }, segments, wanted);
  const object = asObject(node);
  if (object === undefined) return extended(at, segments);
  if (Object.hasOwn(object, name)) return walk({ node: object[name], at: at.child(name) }, rest, wanted);
  if (typeof segment === 'object') return extended(at, segments);
  // Before v1beta2 a request has the fields of `exactly` itself, and a device has those of `basic`.
  if (name === 'exactly') return walk({ node, at }, rest, wanted);
  if (asObject(object.basic) !== undefined) return walk({ node, at }, ['basic', ...segments], wanted);
  const alias = Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? []) : [];
  if (alias[0] !== undefined && Object.hasOwn(object, alias[0])) return walk({ node, at }, [...alias, ...rest], wanted);
  const like = Object.keys(object).find(it => it.toLowerCase() === name.toLowerCase());
  if (wanted.spelling === 'any' && like !== undefined) {
    return walk({ node: object[like], at: at.child(like) }, rest, wanted);
  }
  return name.startsWith('{') ? at : extended(at, segments);
}

/** The item without an index in the path: the one whose field has the refused value. */
function itemWith({ node, at }: Step, segments: readonly Segment[], { value }: Wanted): FieldPath {
  const below = FieldPath.of(...segments);
  const candidates = asList(node).map((item, i) => ({ path: at.index(i), held: valueAt(item, below) }));
  const holding = candidates.filter(it => it.held !== undefined);
  const best = holding.find(it => it.held === value) ?? holding[0];
  return best === undefined ? at : extended(best.path, segments);
}

function extended(at: FieldPath, segments: readonly Segment[]): FieldPath {
  return FieldPath.of(...at.segments, ...segments);
}
