import type { JsonObject } from '../../base/json';
import type { Kube } from '../../kube/kube';
import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import { type AdmissionChain, stepsOf } from '../admission/chain';
import { admittedObject } from '../admitted';
import { type CallLimits, EngineRefusal, type PolicyEngine, PolicyStopped } from '../engine/engine';
import { limitsFor, withoutRunaways } from '../engine/runaway';
import { nothingWrong, type PolicyAnswer, type PolicySet } from '../policySet';
import type { PolicyResult } from '../result';
import type { PolicyScopes } from '../scopes';
import { indeterminateResults, kindsWithProviders, refusalResults, surplusResults } from './check';
import { type LoadedPolicies, loadedPolicies } from './inventory';
import { type GatekeeperPolicies, gatekeeperPoliciesOf } from './policies';
import { denialBy, type Review, resultsOfReview, reviewWithin } from './results';

/** Gatekeeper's Rego cannot be cancelled; only ending the engine stops it. */
const LIMITS: CallLimits = { milliseconds: 5_000, grace: 0 };
const LOAD_LIMITS: CallLimits = { milliseconds: 60_000, grace: 0 };

/** State shared by sets that differ only in their inventory. */
interface SharedState {
  readonly engine: PolicyEngine;
  readonly kube: Kube;
  readonly chain: AdmissionChain;
  readonly scopes: PolicyScopes;
  readonly loaded: LoadedPolicies;
  readonly stopped: Map<WorkspaceObject, PolicyResult>;
  readonly users: Set<GatekeeperPolicies>;
}

/** Gatekeeper's policies of a workspace; undefined when there are none. */
export function gatekeeperPolicySet(
  snapshot: Snapshot,
  kube: Kube,
  engine: PolicyEngine,
  { chain, scopes }: Pick<SharedState, 'chain' | 'scopes'>,
): PolicySet | undefined {
  const policies = gatekeeperPoliciesOf(snapshot);
  if (policies === undefined) return undefined;
  const loaded = loadedPolicies(engine, it => admittedObject(it, kube), LOAD_LIMITS);
  return policySetOf(policies, {
    engine,
    kube,
    chain,
    scopes,
    loaded,
    stopped: new Map(),
    users: new Set(),
  });
}

function policySetOf(policies: GatekeeperPolicies, shared: SharedState): PolicySet {
  const { lists, surplus, syncSets, namespaces, inventory, objects } = policies;
  const { engine, kube, chain, scopes, loaded, stopped, users } = shared;
  users.add(policies);
  const load: Load = constraints => loaded.withInventory(inventory, () => requestOf(policies, constraints, kube));
  return {
    denies: lists.constraints.length > 0,
    dependencies: [
      kube,
      chain,
      scopes.key,
      ...[Object.values(lists), syncSets, namespaces, surplus].flat(2).map(it => it.manifest.contentId),
    ],
    inventory: inventory,
    objects,
    origin: loaded,
    async check() {
      const { answer } = await load(lists.constraints);
      return {
        ...nothingWrong,
        results: [
          ...(await refusalResults(answer.errors ?? [], lists, kube, engine)),
          ...indeterminateResults(policies),
          ...surplusResults(surplus),
        ],
      };
    },
    evaluate: objects => evaluated(objects, policies, shared, load),
    runtimeProblems: () => ({ ...nothingWrong, results: [...stopped.values()] }),
    release() {
      users.delete(policies);
      if (users.size === 0) loaded.release();
    },
    continueWith: later => continueWith(later, policies, shared, load),
  };
}

/**
 * The same policies with another inventory; undefined when the engine was restarted, so that earlier results cannot be
 * kept.
 */
async function continueWith(
  later: PolicySet,
  policies: GatekeeperPolicies,
  shared: SharedState,
  load: Load,
): Promise<PolicySet | undefined> {
  const { kube, loaded, stopped } = shared;
  const constraints = policies.lists.constraints.filter(it => !stopped.has(it));
  const next = { ...policies, inventory: later.inventory ?? [], objects: later.objects };
  try {
    await load(constraints);
    const { isFresh } = await loaded.withInventory(next.inventory, () => requestOf(next, constraints, kube));
    return isFresh ? undefined : policySetOf(next, shared);
  } catch (error) {
    if (error instanceof PolicyStopped || error instanceof EngineRefusal) return undefined;
    throw error;
  }
}

type Load = (constraints: readonly WorkspaceObject[]) => ReturnType<LoadedPolicies['withInventory']>;

const requestOf = (
  { lists, namespaces, inventory }: GatekeeperPolicies,
  constraints: readonly WorkspaceObject[],
  kube: Kube,
) => ({
  op: 'loadGatekeeper',
  ...Object.fromEntries(
    Object.entries({ ...lists, constraints: constraints }).map(([list, them]) => [
      list,
      them.map(it => it.manifest.value),
    ]),
  ),
  namespaces: namespaces.map(it => admittedObject(it, kube)),
  inventory: inventory.map(it => admittedObject(it, kube)),
});

/** The mutating webhook is part of the chain; the validating one sees the mutated object. */
async function evaluated(
  objects: readonly WorkspaceObject[],
  { lists: { constraints, ...lists } }: GatekeeperPolicies,
  shared: SharedState,
  load: Load,
): Promise<readonly PolicyAnswer[]> {
  const { chain, scopes, loaded } = shared;
  const admitted = await chain.admit(objects);
  const skippedKinds = kindsWithProviders({ constraints, ...lists });
  const reviews =
    constraints.length === 0
      ? []
      : await reviewed(
          admitted.map(it => it.value),
          { constraints, templates: lists.templates },
          shared,
          load,
        );
  return admitted.map((it, i): PolicyAnswer => {
    const object = objects[i] as WorkspaceObject;
    const { mutations, results } = stepsOf(it, 'gatekeeper');
    if (it.isRefused || reviews[i] === undefined) return { mutations, results };
    const review = reviewWithin(scopes, object, reviews[i], constraints);
    const denied = denialBy(review, skippedKinds);
    const looked = review.looked ?? [];
    return {
      mutations,
      results: [...results, ...resultsOfReview(object, review, constraints, skippedKinds)],
      ...(denied !== undefined && { denied }),
      ...(looked.length > 0 && { holds: loaded.holdsFor(looked) }),
    };
  });
}

async function reviewed(
  values: readonly JsonObject[],
  { constraints, templates }: Pick<GatekeeperPolicies['lists'], 'constraints' | 'templates'>,
  { engine, loaded, stopped }: SharedState,
  load: Load,
): Promise<readonly Review[]> {
  const objects = values.map(object => ({ object, operation: 'CREATE' }));
  const members = constraints.filter(it => !stopped.has(it));
  const attempt = async (some: readonly WorkspaceObject[], share: number): Promise<readonly Review[]> => {
    // Without constraints nothing is found, and the engine, which was ended for those that were, need not start again.
    if (some.length === 0) return [];
    if (some !== members) loaded.outdate();
    const { answer } = await load(some);
    const request = { op: 'reviewGatekeeper', handle: answer.handle, phase: 'validate', objects };
    return ((await engine.call(request, limitsFor(share, LIMITS))) as { readonly reviews: readonly Review[] }).reviews;
  };
  return withoutRunaways(members, attempt, (constraint, reason) =>
    stopped.set(constraint, stoppedResult(constraint, templates, reason)),
  );
}

function stoppedResult(
  constraint: WorkspaceObject,
  templates: readonly WorkspaceObject[],
  reason: PolicyStopped,
): PolicyResult {
  const template = templates.find(it => it.name === constraint.kind.toLowerCase());
  const object = template ?? constraint;
  return {
    engine: 'gatekeeper',
    policy: constraint.kind,
    outcome: 'error',
    severity: 'error',
    message: `This policy was stopped and is no longer asked for the constraint ${constraint.name ?? ''}: ${reason.message}.`,
    location: { object, at: FieldPath.of('spec'), part: 'key' },
  };
}
