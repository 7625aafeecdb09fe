import type { FieldPath, SpanPart } from '../../../manifest/fieldPath';
import type { PolicyResult } from '../../../policy/result';
import type { WorkspaceObject } from '../../../workspace/object';
import { objectAt } from '../../../workspace/objectAt';
import type { Snapshot } from '../../../workspace/workspace';
import type { ResultsByPolicy } from '../../policies/policyEvaluation';
import { bindingsOf, type ReportScope, reportScopeOf } from './policyTally';

export type EvaluationStatus = 'known' | 'pending';

/** An environment in which policies were asked. */
export interface EnvironmentResults {
  readonly name?: string;
  readonly snapshot: Snapshot;
  readonly resultsOf: ResultsByPolicy;
  /** pending: policies are still asked, and results may be missing. */
  readonly status: EvaluationStatus;
}

/** A policy with what it says in all environments that it stands in. */
export interface EvaluatedPolicy {
  readonly policy: WorkspaceObject;
  readonly scope: ReportScope;
  /** pending where one of its environments is. */
  readonly status: EvaluationStatus;
  /** undefined while it was asked in none. */
  readonly results: readonly PolicyResult[] | undefined;
  /** Of environments that have a name, where there are several. */
  readonly byEnvironment: readonly { readonly name: string; readonly results: readonly PolicyResult[] }[];
  /** Of an admission policy, in any environment; undefined for what takes none. */
  readonly bindings: readonly WorkspaceObject[] | undefined;
}

/** undefined for an object that is no policy, or one that nobody is asked by. */
export function evaluatedPolicy(
  views: readonly EnvironmentResults[],
  policy: WorkspaceObject,
): EvaluatedPolicy | undefined {
  const tells = reportScopeOf(policy);
  const bindings = views.map(({ snapshot }) => bindingsOf(policy, snapshot));
  if (tells === undefined && bindings.every(it => it === undefined)) return undefined;
  const answers = views.map(({ name, resultsOf }) => ({ name, results: resultsOf(policy) }));
  const known = answers.flatMap(it => (it.results === undefined ? [] : [it.results]));
  return {
    policy,
    scope: tells ?? 'all',
    status: views.some(it => it.status === 'pending') ? 'pending' : 'known',
    results: tells === undefined || known.length === 0 ? undefined : known.flat(),
    byEnvironment:
      known.length < 2 ? [] : answers.flatMap(({ name, results }) => (name && results ? [{ name, results }] : [])),
    bindings: bindings.every(it => it === undefined) ? undefined : [...new Set(bindings.flatMap(it => it ?? []))],
  };
}

/** The policy at an offset, and the field of it that stands there. */
export function policyAt(
  views: readonly EnvironmentResults[],
  uri: string,
  offset: number,
): (EvaluatedPolicy & { readonly at: { readonly path: FieldPath; readonly part: SpanPart } }) | undefined {
  const policy = views.map(it => objectAt(it.snapshot, uri, offset)).find(it => it !== undefined);
  const at = policy?.manifest.pathAt(offset);
  const asked = policy && evaluatedPolicy(views, policy);
  // Namespaces and parameters count among what policies are made of.
  if (asked === undefined || at === undefined || reportScopeOf(asked.policy) === undefined) return undefined;
  return { ...asked, at };
}
