import type { JsonObject, JsonValue } from '../../../base/json';
import { record, records, text } from '../../../kube/goFields';
import type { EvalContext } from '../context/context';
import { contextEntries } from '../context/contextLoaders';
import { substitute } from '../context/variables';
import type { RuleRun } from '../engine/evaluate';
import { unmetPreconditions, withElement } from '../engine/validate';
import { deepEqual, isList, isMap } from '../go/goValues';
import { KyvernoError } from '../results/failures';
import { attempt, type RuleOutcome } from '../results/outcome';
import { applyJsonPatch } from './jsonPatch';
import { resolveAnchors } from './preprocess';
import { strategicMerge } from './strategicMerge';

/** The outcome of a mutate rule; without `value` nothing changed. */
export interface MutateOutcome extends RuleOutcome {
  readonly value?: JsonObject;
}

/** Upstream: mutateResourceHandler.Process. */
export function mutateObject(run: RuleRun, context: EvalContext, object: JsonObject): MutateOutcome {
  const mutate = record(run.rule, 'mutate') ?? {};
  const loops = records(mutate, 'foreach');
  const attempted = attempt('mutation failed', () =>
    loops.length > 0 ? mutateForEach(loops, run, context, object, 0) : patched(object, { mutate }, 'mutate', context),
  );
  if ('outcome' in attempted) return attempted.outcome;
  if (deepEqual(attempted.value, object)) return { status: 'skip', message: 'no patches applied' };
  return { status: 'pass', message: 'resource patched', value: attempted.value };
}

/** The object after the patch of a rule or of one loop iteration. Upstream: mutate.Mutate, mutate.ForEach. */
function patched(
  object: JsonObject,
  document: JsonObject,
  within: string | undefined,
  context: EvalContext,
): JsonObject {
  const substituted = substitute(document, context);
  const patches = isMap(substituted) ? (within === undefined ? substituted : (record(substituted, within) ?? {})) : {};
  const merge = patches.patchStrategicMerge;
  const operations = text(patches, 'patchesJson6902');
  if ((merge === undefined || merge === null) && operations === '') throw new KyvernoError('empty mutate rule');
  const result = merge === undefined || merge === null ? applyJsonPatch(object, operations) : merged(object, merge);
  if (!isMap(result)) throw new KyvernoError('failed to unmarshal patched resource');
  return result;
}

function merged(object: JsonObject, patch: JsonValue): JsonValue {
  const resolved = resolveAnchors(patch, object);
  return resolved === undefined ? object : strategicMerge(object, resolved);
}

/**
 * Each loop sees the result of earlier loops, but not that of its own iterations. Upstream:
 * forEachMutator.mutateForEach.
 */
function mutateForEach(
  loops: readonly JsonObject[],
  run: RuleRun,
  context: EvalContext,
  object: JsonObject,
  nesting: number,
): JsonObject {
  const seen = (it: JsonObject) => (it === object ? context : context.plus({ request: { object: it } }));
  return loops.reduce((value, loop) => {
    const current = seen(value);
    const list = current.query(text(loop, 'list'));
    return mutateElements(loop, isList(list) ? list : [list], run, current, value, nesting);
  }, object);
}

/** Merge patches are applied from the last element to the first, unless the loop says otherwise. */
function mutateElements(
  loop: JsonObject,
  elements: readonly JsonValue[],
  run: RuleRun,
  context: EvalContext,
  object: JsonObject,
  nesting: number,
): JsonObject {
  const order = text(loop, 'order');
  const isReverse = order === '' ? loop.patchStrategicMerge !== undefined : order === 'Descending';
  const indexed = [...elements.entries()];
  return (isReverse ? indexed.reverse() : indexed).reduce((value, [index, element]) => {
    if (element === null) return value;
    const inner = withElement(context, element, index, nesting).withEntries(
      contextEntries(loop, run.world, run.policy.namespace),
    );
    const unmet = unmetPreconditions(loop.preconditions, inner);
    if (unmet?.status === 'skip') return value;
    if (unmet !== undefined) throw new KyvernoError(unmet.message);
    const nested = records(loop, 'foreach');
    if (nested.length > 0) return mutateForEach(nested, run, inner, value, nesting + 1);
    const { patchStrategicMerge = null, patchesJson6902 = null } = loop;
    return patched(value, { patchStrategicMerge, patchesJson6902 }, undefined, inner);
  }, object);
}
