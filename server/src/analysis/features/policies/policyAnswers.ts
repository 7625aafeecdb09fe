import type { FieldPath, SpanPart } from '../../../manifest/fieldPath';
import type { PolicyResult } from '../../../policy/result';
import type { WorkspaceObject } from '../../../workspace/object';
import { objectAt } from '../../../workspace/objectAt';
import type { Snapshot } from '../../../workspace/workspace';
import type { KnownResults } from '../../policies/job';
import { bindingsOf, type Tells, tellsOf } from './policyTally';

export type Answers = 'known' | 'pending';

/** An environment in which policies were asked. */
export interface PolicyView {
  readonly name?: string;
  readonly snapshot: Snapshot;
  readonly resultsOf: KnownResults;
  /** pending: policies are still asked, and results may be missing. */
  readonly answers: Answers;
}

/** A policy with what it says in all environments that it stands in. */
export interface AskedPolicy {
  readonly policy: WorkspaceObject;
  readonly tells: Tells;
  /** pending where one of its environments is. */
  readonly answers: Answers;
  /** undefined while it was asked in none. */
  readonly results: readonly PolicyResult[] | undefined;
  /** Of environments that have a name, where there are several. */
  readonly byEnvironment: readonly { readonly name: string; readonly results: readonly PolicyResult[] }[];
  /** Of an admission policy, in any environment; undefined for what takes none. */
  readonly bindings: readonly WorkspaceObject[] | undefined;
}

/** undefined for an object that is no policy, or one that nobody is asked by. */
export function askedPolicy(views: readonly PolicyView[], policy: WorkspaceObject): AskedPolicy | undefined {
  const tells = tellsOf(policy);
  const bindings = views.map(({ snapshot }) => bindingsOf(policy, snapshot));
  if (tells === undefined && bindings.every(it => it === undefined)) return undefined;
  const answers = views.map(({ name, resultsOf }) => ({ name, results: resultsOf(policy) }));
  const known = answers.flatMap(it => (it.results === undefined ? [] : [it.results]));
  return {
    policy,
    tells: tells ?? 'all',
    answers: views.some(it => it.answers === 'pending') ? 'pending' : 'known',
    results: tells === undefined || known.length === 0 ? undefined : known.flat(),
    byEnvironment:
      known.length < 2 ? [] : answers.flatMap(({ name, results }) => (name && results ? [{ name, results }] : [])),
    bindings: bindings.every(it => it === undefined) ? undefined : [...new Set(bindings.flatMap(it => it ?? []))],
  };
}

/** The policy at an offset, and the field of it that stands there. */
export function policyAt(
  views: readonly PolicyView[],
  uri: string,
  offset: number,
): (AskedPolicy & { readonly at: { readonly path: FieldPath; readonly part: SpanPart } }) | undefined {
  const policy = views.map(it => objectAt(it.snapshot, uri, offset)).find(it => it !== undefined);
  const at = policy?.manifest.pathAt(offset);
  const asked = policy && askedPolicy(views, policy);
  // Namespaces and parameters count among what policies are made of.
  if (asked === undefined || at === undefined || tellsOf(asked.policy) === undefined) return undefined;
  return { ...asked, at };
}
