import type { Kube } from '../../server/src/kube/kube';
import { runKyvernoSuite } from '../../server/src/policy/kyverno/suite/suite';

/** A labelled suite: its files, and the results of Kyverno's own CLI for each resource. */
export interface KyvernoCase {
  readonly id: string;
  readonly engine: string;
  readonly files: Readonly<Record<string, string>>;
  readonly policies: readonly string[];
  readonly resources: readonly string[];
  readonly variables?: string;
  readonly context?: string;
  readonly userinfo?: string;
  readonly results: readonly CaseResult[];
}

interface CaseResult {
  readonly policy: string;
  readonly rule?: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly expect: string;
}

export interface EvaluatedCase {
  readonly id: string;
  readonly engine: string;
  readonly isEqual: boolean;
  /** The expected and the actual result of a miss. */
  readonly text: string;
}

/** Berth's results for a labelled suite. A rule without a result equals a `skip`, as for Kyverno's own CLI. */
export function evaluateKyvernoCase(labelled: KyvernoCase, kube: Kube, now: number): readonly EvaluatedCase[] {
  const { variables, context, userinfo, policies, resources } = labelled;
  const fields = {
    policies,
    resources,
    ...(variables && { variables }),
    ...(context && { context }),
    ...(userinfo && { userinfo }),
  };
  return labelled.results.map(it => {
    const suite = {
      uri: 'kyverno-test.yaml',
      name: labelled.id,
      fields: { ...fields, results: [{ ...it, result: it.expect, resources: [it.resource], rule: it.rule ?? '' }] },
    };
    const { rows } = runKyvernoSuite(suite, path => labelled.files[path], kube, now);
    const statuses = rows.flatMap(row => row.statuses);
    const isEqual =
      statuses.length === 0 ? it.expect === 'skip' && rows.length > 0 : statuses.every(status => status === it.expect);
    const text = `${labelled.id} ${it.policy}/${it.rule ?? ''} ${it.kind} ${it.resource}: ${it.expect}, here ${statuses.join(', ') || 'nothing'} (${rows[0]?.message ?? 'no such resource'})`;
    return { id: labelled.id, engine: labelled.engine, isEqual, text };
  });
}
