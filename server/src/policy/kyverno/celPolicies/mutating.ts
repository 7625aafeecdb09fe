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

/** Whether the policy changes existing resources in the background instead of the admitted one. */
export const mutatesExisting = ({ spec }: CelPolicy): boolean =>
  record(record(spec, 'evaluation'), 'mutateExisting')?.enabled === true;

/** The outcome of a MutatingPolicy for an admitted resource; undefined when the policy does not select it. */
export function mutateWithCelPolicy(
  policy: CelPolicy,
  resource: Resource,
  world: KyvernoWorld,
): MutateOutcome | undefined {
  if (isForJson(policy) || mutatesExisting(policy) || !isForAdmission(policy)) return undefined;
  if (!selectsResource(policy, resource, world)) return undefined;
  return mutated(policy, resource, world, () => openScope(policy, resource, world));
}

/** An existing object that a policy would change because of another one. */
export interface ChangedTarget extends MutateOutcome {
  readonly target: Resource;
}

/**
 * The outcome of a mutate-existing policy for each target because `trigger` is admitted. Upstream:
 * MatchedMutateExistingPolicies, mpol engine.Evaluate.
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

/** The targets: those that the expression names or the constraints select; without either, the trigger itself. */
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
  const { clusterObjects } = world;
  return clusterObjects
    .ofKinds(clusterObjects.kinds(it => namesKind(anyTime, it, world)))
    .filter(it => isHere(it) && matchesConstraints(anyTime, it, world));
}

function mutated(
  policy: CelPolicy,
  resource: Resource,
  world: KyvernoWorld,
  open: () => { readonly outcome: RuleOutcome } | { readonly scope: PolicyScope },
): MutateOutcome | undefined {
  const attempted = attempt(FAILED, (): MutateOutcome => {
    const opened = open();
    if ('outcome' in opened) return opened.outcome;
    const value = patchedBy(policy, resource, world, opened.scope);
    return { status: 'pass', message: 'success', value };
  });
  return 'value' in attempted ? attempted.value : attempted.outcome;
}

/** The object after all mutations; each mutation sees the result of those before it. Upstream: mpol Policy.evaluate. */
function patchedBy(policy: CelPolicy, resource: Resource, world: KyvernoWorld, { variables }: PolicyScope): JsonObject {
  const hasServerSideApply = record(policy.spec, 'evaluation')?.useServerSideApply === true;
  return records(policy.spec, 'mutations').reduce((value, mutation) => {
    const scope = { ...variables, object: value === resource.value ? resource.celObject() : celValue(value) };
    const isPatch = text(mutation, 'patchType') === 'JSONPatch';
    const expression = text(record(mutation, isPatch ? 'jsonPatch' : 'applyConfiguration'), 'expression');
    if (expression === '') return value;
    const result = evaluated(expression, scope, world);
    if (isPatch) return patched(value, result);
    const schema = world.schemaOf(text(value, 'apiVersion'), text(value, 'kind'));
    return structuredMerge(value, configurationOf(result), schema, hasServerSideApply ? 'are replaced' : 'are refused');
  }, resource.value);
}

/** Upstream: jsonPatcher.Patch. When a `test` fails the object stays unchanged. */
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

/** The resource after a mutation. */
export const resourceAfter = (resource: Resource, { value }: MutateOutcome): Resource =>
  value === undefined ? resource : resourceOf(resource.object, value);
