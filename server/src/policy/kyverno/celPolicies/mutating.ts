import type { JsonObject } from '../../../base/json';
import { celValue } from '../../../kube/cel/values';
import { items, record, records, text } from '../../../kube/goFields';
import { CelObject, jsonOf, wrongTypeIn } from '../cel/json';
import { isMap } from '../go/goValues';
import { applyOperations, TestFailed } from '../mutate/jsonPatch';
import type { MutateOutcome } from '../mutate/mutateRule';
import { structuredMerge } from '../mutate/structuredMerge';
import { type Resource, resourceOf } from '../resource/resource';
import { KyvernoError } from '../results/failures';
import { attempt, type RuleOutcome } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import { isForAdmission, isForJson } from './celPolicy';
import { atAnyTime, matchesConstraints, namesKind, selectsResource } from './constraints';
import { evaluated, openScope, type PolicyScope } from './scope';
import type { CelPolicy } from './types';

const FAILED = 'failed to evaluate policy';

/** Whether the policy changes objects that are there, in the background, and not those that come. */
export const mutatesExisting = ({ spec }: CelPolicy): boolean =>
  record(record(spec, 'evaluation'), 'mutateExisting')?.enabled === true;

/** What a MutatingPolicy makes of an object that comes; undefined where it does not speak about it. */
export function mutateWithCelPolicy(
  policy: CelPolicy,
  resource: Resource,
  world: KyvernoWorld,
): MutateOutcome | undefined {
  if (isForJson(policy) || mutatesExisting(policy) || !isForAdmission(policy)) return undefined;
  if (!selectsResource(policy, resource, world)) return undefined;
  return mutated(policy, resource, world, () => openScope(policy, resource, world));
}

/** An object of the workspace that a policy would change because of another one. */
export interface ChangedTarget extends MutateOutcome {
  readonly target: Resource;
}

/**
 * What a MutatingPolicy for existing objects makes of each because `trigger` comes. Upstream: MatchedMutateExistingPolicies,
 * mpol engine.Evaluate.
 */
export function targetsOfCelPolicy(
  policy: CelPolicy,
  trigger: Resource,
  world: KyvernoWorld,
): readonly ChangedTarget[] {
  if (isForJson(policy) || !mutatesExisting(policy) || !selectsResource(policy, trigger, world)) return [];
  const opened = attempt(FAILED, () => openScope(policy, trigger, world));
  if ('outcome' in opened || 'outcome' in opened.value) return [];
  const { scope } = opened.value;
  return targetsOf(policy, trigger, world, scope).flatMap(target => {
    const outcome = mutated(policy, target, world, () =>
      openScope(policy, target, world, { conditions: records(policy.spec, 'targetMatchConditions') }),
    );
    return outcome === undefined ? [] : [{ ...outcome, target }];
  });
}

/** Those that the constraints select, the expression names, or where there is neither what triggers the policy. */
function targetsOf(
  { spec, namespace }: CelPolicy,
  trigger: Resource,
  world: KyvernoWorld,
  scope: PolicyScope,
): readonly Resource[] {
  const constraints = record(spec, 'targetMatchConstraints');
  const expression = text(constraints, 'expression');
  const isHere = (it: Resource) => namespace === undefined || it.namespace === namespace;
  if (expression !== '') {
    const named = attempt(FAILED, () => jsonOf(evaluated(expression, scope.variables, world)));
    const found = 'value' in named && isMap(named.value) ? named.value : undefined;
    const targets = found === undefined ? [] : [found, ...items(found, 'items').filter(isMap)];
    return world.clusterObjects.sameAs(targets).filter(isHere);
  }
  if (records(constraints, 'resourceRules').length === 0) return [trigger];
  const anyTime = atAnyTime(constraints);
  return world.clusterObjects
    .ofKinds(it => namesKind(anyTime, it, world))
    .filter(it => isHere(it) && matchesConstraints(anyTime, it, world));
}

function mutated(
  policy: CelPolicy,
  resource: Resource,
  world: KyvernoWorld,
  open: () => { readonly outcome: RuleOutcome } | { readonly scope: PolicyScope },
): MutateOutcome | undefined {
  const worked = attempt(FAILED, (): MutateOutcome => {
    const opened = open();
    if ('outcome' in opened) return opened.outcome;
    const value = patchedBy(policy, resource, world, opened.scope);
    return { status: 'pass', message: 'success', value };
  });
  return 'value' in worked ? worked.value : worked.outcome;
}

/** The object after all mutations, each seeing what the ones before have made. Upstream: mpol Policy.evaluate. */
function patchedBy(policy: CelPolicy, resource: Resource, world: KyvernoWorld, { variables }: PolicyScope): JsonObject {
  const hasServerSideApply = record(policy.spec, 'evaluation')?.useServerSideApply === true;
  return records(policy.spec, 'mutations').reduce((value, mutation) => {
    const given = { ...variables, object: value === resource.value ? resource.celObject() : celValue(value) };
    const isPatch = text(mutation, 'patchType') === 'JSONPatch';
    const expression = text(record(mutation, isPatch ? 'jsonPatch' : 'applyConfiguration'), 'expression');
    if (expression === '') return value;
    const result = evaluated(expression, given, world);
    if (isPatch) return patched(value, result);
    const schema = world.schemaOf(text(value, 'apiVersion'), text(value, 'kind'));
    return structuredMerge(value, configurationOf(result), schema, hasServerSideApply ? 'are replaced' : 'are refused');
  }, resource.value);
}

/** Upstream: jsonPatcher.Patch. A test that fails leaves the object as it is. */
function patched(value: JsonObject, operations: unknown): JsonObject {
  const list = jsonOf(operations);
  if (!Array.isArray(list)) throw new KyvernoError('type mismatch: JSONPatchType.expression should evaluate to array');
  try {
    const result = applyOperations(value, list);
    if (isMap(result)) return result;
  } catch (error) {
    if (error instanceof TestFailed) return value;
    if (error instanceof KyvernoError) throw new KyvernoError(`JSON Patch: ${error.message}`);
    throw error;
  }
  throw new KyvernoError('JSON Patch: the result is no object');
}

/** Upstream: applyConfigPatcher.Patch. */
function configurationOf(value: unknown): JsonObject {
  if (!(value instanceof CelObject) || value.type !== 'Object')
    throw new KyvernoError('unsupported return type from ApplyConfiguration expression');
  const wrong = wrongTypeIn(value, 'Object');
  if (wrong !== undefined) throw new KyvernoError(`type mismatch: ${wrong}`);
  return jsonOf(value) as JsonObject;
}

/** The object that a mutation leaves behind, where there is one. */
export const resourceAfter = (resource: Resource, { value }: MutateOutcome): Resource =>
  value === undefined ? resource : resourceOf(resource.object, value);
