import { isObject, type JsonObject, type JsonValue } from '../base/json';
import { t } from '../base/l10n';
import { printed } from '../base/printed';
import { setOwn } from '../base/setOwn';
import { FieldPath } from './fieldPath';
import type { YamlNode } from './reader/node';
import { addFound, type ProblemLog } from './reader/reading';
import { NOT_JSON, resolvePlain, resolveTagged, shortTag } from './scalars';

/** A key that is written twice, with offsets of the document's own text. */
export interface FoundDuplicate {
  readonly path: FieldPath;
  readonly key: string;
  readonly key2: YamlNode;
  readonly first: YamlNode;
}

interface Expansion {
  readonly value: JsonValue;
  /** The number of nodes of the value, all aliases expanded. */
  readonly size: number;
}

interface Building {
  readonly problems: ProblemLog[];
  readonly expanded: Map<YamlNode, Expansion>;
  /** Anchored nodes that are being built: an alias to one of them is a cycle. */
  readonly open: Set<YamlNode>;
  decoded: number;
  aliased: number;
  aliasDepth: number;
  hasDuplicates: number;
}

/** The JSON value of a tree, and whether any mapping has a key twice. */
export interface Built {
  readonly value: JsonValue;
  readonly hasDuplicates: boolean;
  /** How many nodes of the value aliases added. */
  readonly aliased: number;
}

/** Builds the value of a tree as sigs.k8s.io/yaml does; values that JSON cannot represent become null and a problem. */
export function buildValue(root: YamlNode, problems: ProblemLog[]): Built {
  const b: Building = {
    problems,
    expanded: new Map(),
    open: new Set(),
    decoded: 0,
    aliased: 0,
    aliasDepth: 0,
    hasDuplicates: 0,
  };
  const value = build(b, root);
  return { value, hasDuplicates: b.hasDuplicates > 0, aliased: b.aliased };
}

function build(b: Building, node: YamlNode): JsonValue {
  b.decoded++;
  if (b.aliasDepth > 0) b.aliased++;
  if (node.anchor !== '') return buildAnchored(b, node);
  return buildPlain(b, node);
}

function buildPlain(b: Building, node: YamlNode): JsonValue {
  if (node.kind === 'scalar') return scalarValue(b, node);
  if (node.kind === 'map') return mapValue(b, node);
  if (node.kind === 'alias') return aliasValue(b, node);
  return node.children.map(item => build(b, item));
}

function buildAnchored(b: Building, node: YamlNode): JsonValue {
  const before = b.decoded;
  b.open.add(node);
  const value = buildPlain(b, node);
  b.open.delete(node);
  b.expanded.set(node, { value, size: b.decoded - before + 1 });
  return value;
}

function fail(b: Building, code: string, message: () => string, { start, end }: YamlNode): void {
  addFound(b.problems, code, () => ({ code, message: message(), start, end, severity: 'error' }));
}

function aliasValue(b: Building, node: YamlNode): JsonValue {
  const { target } = node;
  if (target === undefined) return null;
  if (b.open.has(target)) {
    fail(
      b,
      'syntax/alias',
      () => `The anchor &${node.text} contains itself: an alias can't stand inside what it names.`,
      node,
    );
    return null;
  }
  const known = b.expanded.get(target);
  if (known === undefined) {
    b.aliasDepth++;
    const value = build(b, target);
    b.aliasDepth--;
    return value;
  }
  b.decoded += known.size;
  b.aliased += known.size;
  if (!isExcessive(b)) return known.value;
  if (!b.problems.some(it => it.code === 'syntax/alias-limit')) {
    const message = (): string =>
      'The aliases of this document expand to too much data, so the rest of them is left out here; kubectl and the API server refuse such a document.';
    fail(b, 'syntax/alias-limit', message, node);
  }
  return null;
}

/**
 * Whether the share of nodes that come from aliases exceeds the limit of go.yaml.in/yaml/v2 (decode.go,
 * allowedAliasRatio).
 */
function isExcessive({ aliased, decoded }: Building): boolean {
  if (aliased <= 100 || decoded <= 1000) return false;
  return aliased / decoded > allowedShare(decoded);
}

function allowedShare(decoded: number): number {
  if (decoded <= 400_000) return 0.99;
  if (decoded >= 4_000_000) return 0.1;
  return 0.99 - 0.89 * ((decoded - 400_000) / 3_600_000);
}

function scalarValue(b: Building, node: YamlNode): JsonValue {
  if (node.tag !== '') return taggedValue(b, node);
  if (!node.plain) return node.text;
  const value = resolvePlain(node.text);
  if (value !== NOT_JSON) return value;
  fail(b, 'syntax/number', () => `${node.text} is no number that JSON can hold: write another one, or quote it.`, node);
  return null;
}

function taggedValue(b: Building, node: YamlNode): JsonValue {
  if (node.tag === '!') return node.text;
  const result = resolveTagged(node.tag, node.text);
  if ('value' in result) return result.value;
  fail(b, 'syntax/tag', () => result.error, node);
  return null;
}

function mapValue(b: Building, node: YamlNode): JsonObject {
  const object: Record<string, JsonValue> = {};
  const { children } = node;
  for (let i = 0; i < children.length; i += 2) {
    const key = children[i]!;
    const child = children[i + 1]!;
    b.decoded++;
    if (isMergeKey(key)) {
      merge(b, object, child);
      continue;
    }
    const name = keyName(b, key);
    const value = build(b, child);
    if (name === undefined) continue;
    if (object[name] !== undefined && Object.hasOwn(object, name)) b.hasDuplicates++;
    setOwn(object, name, value);
  }
  return object;
}

export function isMergeKey(key: YamlNode): boolean {
  return key.text === '<<' && key.plain && (key.tag === '' || shortTag(key.tag) === '!!merge');
}

/** `<<`: of several mappings the earlier ones win; a later entry replaces what was merged. */
function merge(b: Building, object: Record<string, JsonValue>, node: YamlNode): void {
  const value = build(b, node);
  const sources: readonly JsonValue[] = Array.isArray(value) ? [...value].reverse() : [value];
  for (const source of sources) {
    if (!isObject(source)) {
      fail(b, 'syntax/merge', () => 'Only a mapping, or a list of mappings, can be merged with <<.', node);
      return;
    }
    for (const [name, field] of Object.entries(source)) setOwn(object, name, field);
  }
}

function keyName(b: Building, key: YamlNode): string | undefined {
  if (key.kind === 'scalar' && key.tag === '' && key.anchor === '') {
    if (!key.plain) return key.text;
    const name = nameOfKey(resolvePlain(key.text), key.text);
    if (name === undefined) reportNullKey(b, key);
    else if (name !== key.text) reportOtherName(b, key, name);
    return name;
  }
  const target = key.kind === 'alias' ? key.target : key;
  if (target === undefined || target.kind !== 'scalar') return undefined;
  const name = nameOfKey(build(b, key), target.text);
  if (name === undefined) reportNullKey(b, key);
  return name;
}

function reportNullKey(b: Building, key: YamlNode): void {
  fail(b, 'syntax/key', () => 'A key is missing here, or it is null: write a name before the colon, or quote it.', key);
}

/** A key such as `on`, `y` or `0777`, whose name in the object is not what stands there. */
function reportOtherName(b: Building, key: YamlNode, name: string): void {
  const { start, end } = key;
  const message = (): string =>
    t`The name of this key is ${JSON.stringify(name)}, as which YAML reads ${key.text}: put it in quotes.`;
  addFound(b.problems, KEY_TYPE, () => ({ code: KEY_TYPE, message: message(), start, end, severity: 'warning' }));
}

/** The code of keys whose name is not what is written. */
export const KEY_TYPE = 'syntax/key-type';

/** Keys that are not strings are converted as in sigs.k8s.io/yaml (convertToJSONableObject); null is refused. */
function nameOfKey(value: JsonValue | typeof NOT_JSON, text: string): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return isFloatText(text) ? floatName(value) : String(value);
  if (value === NOT_JSON) return infinityName(text);
  return value === null ? undefined : printed(value);
}

function isFloatText(text: string): boolean {
  return /[.eE]/.test(text) && !/^[-+]?0[xX]/.test(text);
}

/** From this exponent on strconv prints an exponent. */
const FLOAT_EXPONENT = 6;

/** strconv.FormatFloat(value, 'g', -1, 32): the shortest digits of a float32, with an exponent from 1e+06 on. */
function floatName(value: number): string {
  const single = Math.fround(value);
  const precisions = Array.from({ length: 9 }, (_, i) => i);
  const digits = precisions.map(it => single.toExponential(it)).find(it => Math.fround(Number(it)) === single);
  const shortest = digits ?? single.toExponential(8);
  const [mantissa, exponentText] = shortest.split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < FLOAT_EXPONENT) return String(Number(shortest));
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function infinityName(text: string): string {
  if (/nan/i.test(text)) return '.nan';
  return text.startsWith('-') ? '-.inf' : '.inf';
}

/** The name of a key in the value; undefined if it has none. */
export function fieldName(key: YamlNode): string | undefined {
  const target = key.kind === 'alias' ? key.target : key;
  if (target === undefined || target.kind !== 'scalar') return undefined;
  if (!target.plain) return target.text;
  if (target.tag === '') return nameOfKey(resolvePlain(target.text), target.text);
  const result = resolveTagged(target.tag, target.text);
  return 'value' in result ? nameOfKey(result.value, target.text) : undefined;
}

/** All keys that are written twice in one mapping, in the order of the text. */
export function findDuplicates(root: YamlNode): FoundDuplicate[] {
  const found: FoundDuplicate[] = [];
  visitDuplicates(root, [], found);
  return found;
}

function visitDuplicates(node: YamlNode, path: readonly (string | number)[], found: FoundDuplicate[]): void {
  if (node.kind === 'seq') {
    node.children.forEach((item, i) => {
      visitDuplicates(item, [...path, i], found);
    });
    return;
  }
  if (node.kind !== 'map') return;
  const seen = new Map<string, YamlNode>();
  for (let i = 0; i < node.children.length; i += 2) {
    const key = node.children[i]!;
    const name = isMergeKey(key) ? undefined : fieldName(key);
    if (name === undefined) continue;
    const first = seen.get(name);
    if (first === undefined) seen.set(name, key);
    else found.push({ path: FieldPath.of(...path, name), key: name, key2: key, first });
    visitDuplicates(node.children[i + 1]!, [...path, name], found);
  }
}
