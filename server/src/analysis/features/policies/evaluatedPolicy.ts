import type { FieldPath, SpanPart } from '../../../manifest/fieldPath';
import type { PolicyResult } from '../../../policy/result';
import type { WorkspaceObject } from '../../../workspace/object';
import { objectAt } from '../../../workspace/objectAt';
import type { Snapshot } from '../../../workspace/workspace';
import type { ResultsByPolicy } from '../../policies/policyEvaluation';
import { bindingsOf, type ReportScope, reportScopeOf } from './policyTally';

export type EvaluationStatus = 'known' | 'pending';

/** An environment with the results of its policies. */
export interface EnvironmentResults {
  readonly name?: string;
  readonly snapshot: Snapshot;
  readonly resultsOf: ResultsByPolicy;
  /** pending: the evaluation is not complete, so that results may be missing. */
  readonly status: EvaluationStatus;
}

/** A policy with its results in all of its environments. */
export interface EvaluatedPolicy {
  readonly policy: WorkspaceObject;
  readonly scope: ReportScope;
  /** pending if one of its environments is. */
  readonly status: EvaluationStatus;
  /** undefined: not evaluated in any environment. */
  readonly results: readonly PolicyResult[] | undefined;
  /** Results of the named environments, if there are several. */
  readonly byEnvironment: readonly { readonly name: string; readonly results: readonly PolicyResult[] }[];
  /** The bindings of an admission policy in any environment; undefined: other kinds, which have none. */
  readonly bindings: readonly WorkspaceObject[] | undefined;
}

/** undefined: the object is no policy, or has no results of its own. */
export function evaluatedPolicy(
  environments: readonly EnvironmentResults[],
  policy: WorkspaceObject,
): EvaluatedPolicy | undefined {
  const scope = reportScopeOf(policy);
  const bindings = environments.map(({ snapshot }) => bindingsOf(policy, snapshot));
  if (scope === undefined && bindings.every(it => it === undefined)) return undefined;
  const answers = environments.map(({ name, resultsOf }) => ({ name, results: resultsOf(policy) }));
  const known = answers.flatMap(it => (it.results === undefined ? [] : [it.results]));
  return {
    policy,
    scope: scope ?? 'all',
    status: environments.some(it => it.status === 'pending') ? 'pending' : 'known',
    results: scope === undefined || known.length === 0 ? undefined : known.flat(),
    byEnvironment:
      known.length < 2 ? [] : answers.flatMap(({ name, results }) => (name && results ? [{ name, results }] : [])),
    bindings: bindings.every(it => it === undefined) ? undefined : [...new Set(bindings.flatMap(it => it ?? []))],
  };
}

/** The policy at an offset, with the path there. */
export function policyAt(
  environments: readonly EnvironmentResults[],
  uri: string,
  offset: number,
): (EvaluatedPolicy & { readonly at: { readonly path: FieldPath; readonly part: SpanPart } }) | undefined {
  const policy = environments.map(it => objectAt(it.snapshot, uri, offset)).find(it => it !== undefined);
  const at = policy?.manifest.pathAt(offset);
  const evaluated = policy && evaluatedPolicy(environments, policy);
  // Namespaces and parameters are parts of policy sets, too.
  if (evaluated === undefined || at === undefined || reportScopeOf(evaluated.policy) === undefined) return undefined;
  return { ...evaluated, at };
}
