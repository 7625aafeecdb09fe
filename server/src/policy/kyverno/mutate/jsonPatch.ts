import type { JsonObject, JsonValue } from '../../../manifest/manifest';
import { parseManifests } from '../../../manifest/parse';
import { Refusal } from '../failures';
import { deepEqual, isList, isMap } from '../goValues';

/**
 * An object with a JSON patch applied, written as YAML or JSON. Missing parents are made, and what is missing may be
 * removed. Throws a Refusal. Upstream: patch.ProcessPatchJSON6902.
 */
export function applyJsonPatch(object: JsonValue, patch: string): JsonValue {
  const operations = parseManifests('patchesJson6902', patch).documents[0]?.value;
  if (!isList(operations)) throw new Refusal('failed to decode patches: a patch is a list of operations');
  return operations.reduce<JsonValue>((it, operation) => applyOperation(it, isMap(operation) ? operation : {}), object);
}

/** A `test` of a patch does not hold. */
export class TestFailed extends Refusal {}

/**
 * The same for a patch that is read already, without making parents or removing what is missing. Upstream:
 * jsonpatch.Patch.Apply.
 */
export function applyOperations(object: JsonValue, operations: readonly JsonValue[]): JsonValue {
  return operations.reduce<JsonValue>((it, operation) => {
    const fields = isMap(operation) ? operation : {};
    refuseMissing(it, fields);
    return applyOperation(it, fields);
  }, object);
}

/** What an operation needs to be there. */
function refuseMissing(object: JsonValue, { op, path }: JsonObject): void {
  const at = stepsOf(path);
  const there = (steps: readonly string[]) =>
    steps.reduce<JsonValue | undefined>((it, step) => childOf(it, step), object);
  const last = at.at(-1);
  if (last === undefined) return;
  const quoted = op === 'replace' ? String(path) : JSON.stringify(path);
  if (there(at.slice(0, -1)) === undefined)
    throw new Refusal(`${op} operation does not apply: doc is missing path: ${quoted}: missing value`);
  if (op === 'remove' && there(at) === undefined)
    throw new Refusal(`error in remove for path: '${path}': Unable to remove nonexistent key: ${last}: missing value`);
  if (op === 'replace' && there(at) === undefined)
    throw new Refusal(`replace operation does not apply: doc is missing key: ${path}: missing value`);
}

function applyOperation(object: JsonValue, { op, path, from, value = null }: JsonObject): JsonValue {
  const at = stepsOf(path);
  switch (op) {
    case 'add':
      return added(object, at, value);
    case 'replace':
      return added(removed(object, at, 'has to be there'), at, value);
    case 'remove':
      return removed(object, at, 'may be missing');
    case 'move':
      return added(removed(object, stepsOf(from), 'has to be there'), at, found(object, stepsOf(from)));
    case 'copy':
      return added(object, at, found(object, stepsOf(from)));
    case 'test':
      if (deepEqual(found(object, at), value)) return object;
      throw new TestFailed(`testing value ${path} failed`);
    default:
      throw new Refusal(`Unexpected kind: ${op}`);
  }
}

function stepsOf(pointer: JsonValue | undefined): readonly string[] {
  if (typeof pointer !== 'string') throw new Refusal('an operation has no path');
  return pointer
    .split('/')
    .slice(1)
    .map(it => it.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function found(object: JsonValue, steps: readonly string[]): JsonValue {
  const value = steps.reduce<JsonValue | undefined>((it, step) => childOf(it, step), object);
  if (value === undefined) throw new Refusal(`/${steps.join('/')} does not exist`);
  return value;
}

function childOf(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (isList(value)) return value.at(Number(step));
  return isMap(value) ? value[step] : undefined;
}

/** The value with a change at its child; missing parents are made. */
function changed(
  value: JsonValue | undefined,
  [step, ...rest]: readonly string[],
  change: (parent: JsonValue, step: string) => JsonValue,
): JsonValue {
  if (step === undefined) return value ?? null;
  const parent = value ?? (/^(\d+|-)$/.test(step) ? [] : {});
  if (rest.length === 0) return change(parent, step);
  const child = changed(childOf(parent, step), rest, change);
  if (isList(parent)) return parent.length === 0 ? [child] : parent.with(Number(step), child);
  return { ...(parent as JsonObject), [step]: child };
}

function added(object: JsonValue, steps: readonly string[], value: JsonValue): JsonValue {
  if (steps.length === 0) return value;
  return changed(object, steps, (parent, step) => {
    if (!isList(parent)) return { ...(parent as JsonObject), [step]: value };
    if (step === '-') return [...parent, value];
    const index = Number(step);
    if (!Number.isInteger(index) || index > parent.length) throw new Refusal(`Unable to access invalid index: ${step}`);
    return parent.toSpliced(index < 0 ? parent.length + index : index, 0, value);
  });
}

function removed(
  object: JsonValue,
  steps: readonly string[],
  missing: 'has to be there' | 'may be missing',
): JsonValue {
  const exists = steps.reduce<JsonValue | undefined>((it, step) => childOf(it, step), object) !== undefined;
  if (!exists) {
    if (missing === 'may be missing') return object;
    throw new Refusal(`replace operation does not apply: doc is missing key: /${steps.join('/')}`);
  }
  return changed(object, steps, (parent, step) => {
    if (isList(parent)) return parent.toSpliced(Number(step), 1);
    const { [step]: _, ...rest } = parent as JsonObject;
    return rest;
  });
}
