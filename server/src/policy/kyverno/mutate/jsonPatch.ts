import type { JsonObject, JsonValue } from '../../../base/json';
import { jsonText, printed } from '../../../base/printed';
import { parseManifests } from '../../../manifest/parse';
import { deepEqual, isList, isMap } from '../go/goValues';
import { Indeterminate, KyvernoError } from '../results/failures';

/**
 * An object with a JSON patch applied, written as YAML or JSON. Missing parents are made, and what is missing may be
 * removed. Throws a KyvernoError. Upstream: patch.ProcessPatchJSON6902. Written by hand: fast-json-patch follows RFC 6902,
 * from which Kyverno's options of evanphx/json-patch differ.
 */
export function applyJsonPatch(object: JsonValue, patch: string): JsonValue {
  const operations = parseManifests('patchesJson6902', patch).documents[0]?.value;
  if (!isList(operations)) throw new KyvernoError('failed to decode patches: a patch is a list of operations');
  return operations.reduce<JsonValue>((it, operation) => applyOperation(it, isMap(operation) ? operation : {}), object);
}

/** A `test` operation failed. */
export class TestFailed extends KyvernoError {}

/** The same for a parsed patch, without creating parents or ignoring missing paths. Upstream: jsonpatch.Patch.Apply. */
export function applyOperations(object: JsonValue, operations: readonly JsonValue[]): JsonValue {
  return operations.reduce<JsonValue>((it, operation) => {
    const fields = isMap(operation) ? operation : {};
    refuseMissing(it, fields);
    return applyOperation(it, fields);
  }, object);
}

/** What has to exist at an operation's path. */
function refuseMissing(object: JsonValue, { op, path }: JsonObject): void {
  const at = stepsOf(path);
  const there = (steps: readonly string[]) =>
    steps.reduce<JsonValue | undefined>((it, step) => childOf(it, step), object);
  const last = at.at(-1);
  if (last === undefined) return;
  const plain = printed(path);
  const quoted = op === 'replace' ? plain : jsonText(path);
  if (there(at.slice(0, -1)) === undefined)
    throw new KyvernoError(`${printed(op)} operation does not apply: doc is missing path: ${quoted}: missing value`);
  if (op === 'remove' && there(at) === undefined)
    throw new KyvernoError(
      `error in remove for path: '${plain}': Unable to remove nonexistent key: ${last}: missing value`,
    );
  if (op === 'replace' && there(at) === undefined)
    throw new KyvernoError(`replace operation does not apply: doc is missing key: ${plain}: missing value`);
}

function applyOperation(object: JsonValue, { op, path, from, value = null }: JsonObject): JsonValue {
  const at = stepsOf(path);
  switch (op) {
    case 'add':
      return added(withParents(object, at), at, value);
    case 'replace':
      found(object, at);
      return at.length === 0 ? value : changed(object, at, (parent, step) => withChild(parent, step, value));
    case 'remove':
      return removed(object, at);
    case 'move':
      return added(removed(object, stepsOf(from)), at, found(object, stepsOf(from)));
    case 'copy':
      return added(object, at, found(object, stepsOf(from)));
    case 'test':
      if (deepEqual(foundOrNull(object, at), value)) return object;
      throw new TestFailed(`testing value ${printed(path)} failed`);
    default:
      throw new KyvernoError(`Unexpected kind: ${printed(op)}`);
  }
}

/** Text before the first slash is ignored. */
function stepsOf(pointer: JsonValue | undefined): readonly string[] {
  if (typeof pointer !== 'string') throw new KyvernoError('an operation has no path');
  if (pointer !== '' && !pointer.includes('/'))
    throw new KyvernoError(`doc is missing path: "${pointer}": missing value`);
  return pointer
    .split('/')
    .slice(1)
    .map(it => it.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function found(object: JsonValue, steps: readonly string[]): JsonValue {
  const value = steps.reduce<JsonValue | undefined>((it, step) => childOf(it, step), object);
  if (value === undefined) throw new KyvernoError(`doc is missing path: "/${steps.join('/')}": missing value`);
  return value;
}

/** A missing map key is null for `test`; a missing list item is an error. */
function foundOrNull(object: JsonValue, steps: readonly string[]): JsonValue {
  const parent = found(object, steps.slice(0, -1));
  const last = steps.at(-1);
  return last !== undefined && isMap(parent) ? (parent[last] ?? null) : found(object, steps);
}

const isIndex = (step: string): boolean => /^[+-]?\d+$/.test(step);

/** Negative positions count from the end of `length`; `undefined` is out of range. */
function indexIn(length: number, step: string): number | undefined {
  if (!isIndex(step)) return undefined;
  const index = Number(step) < 0 ? Number(step) + length : Number(step);
  return index >= 0 && index < length ? index : undefined;
}

function childOf(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (!isList(value)) return isMap(value) ? value[step] : undefined;
  const index = indexIn(value.length, step);
  return index === undefined ? undefined : value[index];
}

function withChild(parent: JsonValue, step: string, child: JsonValue): JsonValue {
  if (!isList(parent)) return { ...(parent as JsonObject), [step]: child };
  return parent.with(indexIn(parent.length, step) ?? 0, child);
}

/** Applies a change to the last parent, which has to exist. */
function changed(
  value: JsonValue,
  [step = '', ...rest]: readonly string[],
  change: (parent: JsonValue, step: string) => JsonValue,
): JsonValue {
  if (rest.length === 0) return change(value, step);
  return withChild(value, step, changed(found(value, [step]), rest, change));
}

function added(object: JsonValue, steps: readonly string[], value: JsonValue): JsonValue {
  if (steps.length === 0) return value;
  return changed(object, steps, (parent, step) => {
    if (isMap(parent)) return { ...parent, [step]: value };
    if (!isList(parent))
      throw new KyvernoError(`add operation does not apply: doc is missing path: "/${steps.join('/')}"`);
    if (step === '-') return [...parent, value];
    if (!isIndex(step)) throw new KyvernoError(`value was not a proper array index: '${step}'`);
    const index = indexIn(parent.length + 1, step);
    if (index === undefined) throw new KyvernoError(`Unable to access invalid index: ${step}`);
    return parent.toSpliced(index, 0, value);
  });
}

/** Removing what is missing has no effect. */
function removed(object: JsonValue, steps: readonly string[]): JsonValue {
  const exists = steps.reduce<JsonValue | undefined>((it, step) => childOf(it, step), object) !== undefined;
  if (!exists || steps.length === 0) return object;
  return changed(object, steps, (parent, step) => {
    if (isList(parent)) return parent.toSpliced(indexIn(parent.length, step) ?? 0, 1);
    const { [step]: _, ...rest } = parent as JsonObject;
    return rest;
  });
}

/** Creates the parents of a path: lists before positions, else maps. Upstream: ensurePathExists. */
function withParents(value: JsonValue, [step, next, ...rest]: readonly string[]): JsonValue {
  if (step === undefined || next === undefined) return value;
  const child = childOf(value, step);
  if (child !== undefined && child !== null) return withChild(value, step, withParents(child, [next, ...rest]));
  const made = withParents(isIndex(next) || next === '-' ? nullsUpTo(next, 0) : {}, [next, ...rest]);
  return added(isList(value) ? [...value, ...nullsUpTo(step, value.length)] : value, [step], made);
}

const mostNulls = 10_000;

/** The items that a list of `length` lacks before a position. */
function nullsUpTo(step: string, length: number): JsonValue[] {
  const index = isIndex(step) ? Number(step) : 0;
  if (index < -1) throw new KyvernoError(`Unable to ensure path for negative index other than -1: ${step}`);
  if (index - length > mostNulls) throw new Indeterminate(`a list of ${step} elements is not made here`);
  return Array.from({ length: Math.max(0, index - length) }, () => null);
}
