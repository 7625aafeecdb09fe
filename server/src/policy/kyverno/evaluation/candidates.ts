import { record } from '../../../kube/goFields';
import type { WorkspaceObject } from '../../../workspace/object';
import { isAsked, type PolicyScopes } from '../../scopes';
import { namesKind } from '../celPolicies/constraints';
import { rulesFor } from '../policies/autogen';
import { predicateFor, type ResourcePredicate } from '../policies/match';
import { kindOf, type Resource } from '../resource/resource';
import type { KyvernoWorld } from '../world';
import type { KyvernoPolicies } from './evaluatePolicies';

/**
 * Selects the policies that are asked about a resource and may match it, by its kind, namespace and name, in their
 * order. All other policies have no outcome for it. Upstream: policycache.
 */
export function candidatesAmong(
  policies: KyvernoPolicies,
  world: KyvernoWorld,
  scopes: PolicyScopes,
): (resource: Resource) => KyvernoPolicies {
  const byKind = new Map<string, CandidatesOfKind>();
  return resource => {
    const kind = kindOf(resource);
    const found = byKind.get(kind) ?? candidatesFor(policies, resource, world);
    byKind.set(kind, found);
    const matching = <T extends { readonly object: WorkspaceObject }>(list: readonly Candidate<T>[]) =>
      list
        .filter(it => isAsked(scopes, it.policy.object, resource.object) && it.mayMatch(resource))
        .map(it => it.policy);
    return {
      policies: matching(found.policies),
      celPolicies: matching(found.celPolicies),
      cleanupPolicies: matching(found.cleanupPolicies),
    };
  };
}

interface Candidate<T> {
  readonly policy: T;
  readonly mayMatch: ResourcePredicate;
}

type CandidatesOfKind = {
  readonly [List in keyof KyvernoPolicies]: readonly Candidate<KyvernoPolicies[List][number]>[];
};

function candidatesFor(
  { policies, celPolicies, cleanupPolicies }: KyvernoPolicies,
  one: Resource,
  world: KyvernoWorld,
): CandidatesOfKind {
  return {
    policies: policies.flatMap(it =>
      candidate(
        it,
        rulesFor(it, one.kind).map(rule => predicateFor(rule, one)),
      ),
    ),
    celPolicies: celPolicies
      .filter(it => namesKind(record(it.spec, 'matchConstraints'), one, world))
      .flatMap(it => candidate(it, [() => true])),
    cleanupPolicies: cleanupPolicies.flatMap(it => candidate(it, [predicateFor(it.spec, one)])),
  };
}

/** A policy with the predicates of its rules; empty when no rule can match. */
function candidate<T extends { readonly namespace?: string }>(
  policy: T,
  predicates: readonly (ResourcePredicate | undefined)[],
): readonly Candidate<T>[] {
  const possible = predicates.filter(it => it !== undefined);
  if (possible.length === 0) return [];
  const { namespace } = policy;
  const isHere: ResourcePredicate = it => namespace === undefined || namespace === it.namespace;
  return [{ policy, mayMatch: it => isHere(it) && possible.some(predicate => predicate(it)) }];
}
