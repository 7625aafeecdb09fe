import type { FieldPath } from '../manifest/fieldPath';
import type { SpanPart } from '../manifest/manifest';
import { identityOf } from '../rules/identity';
import type { Problem, Severity } from '../rules/problem';
import type { WorkspaceObject } from '../workspace/workspace';

/** Whose policies they are; the room of their problems' codes. `property`: the rules of `berth.yaml`. */
export type PolicyEngine = 'vap' | 'gatekeeper' | 'conftest' | 'kyverno' | 'property';

/** A place in an object, for what is underlined. */
export interface PolicyPlace {
  readonly object: WorkspaceObject;
  readonly at: FieldPath;
  readonly part: SpanPart;
}

/** What one rule of one policy says of one object. The same shape for every engine. */
export interface PolicyResult {
  readonly engine: PolicyEngine;
  /** As the policy's own project names it: `disallow-latest-tag`. */
  readonly policy: string;
  readonly rule?: string;
  readonly outcome: 'pass' | 'fail' | 'warn' | 'error' | 'skip';
  /** How much a `fail` weighs: what enforces is an error, what only audits or warns a warning. */
  readonly severity: Severity;
  /** The engine's own words. */
  readonly message: string;
  /** The object that was looked at, and its field that is to blame as well as can be told; else its `kind`. */
  readonly place: PolicyPlace;
  /** Where the policy says so. */
  readonly source?: PolicyPlace;
}

/** The problem that a result tells; undefined when it passes, was skipped, or looked at an object without a text. */
export function policyProblem(result: PolicyResult): Problem | undefined {
  if (result.outcome === 'pass' || result.outcome === 'skip') return undefined;
  const { place, source } = result;
  const { manifest } = place.object;
  const fieldPath = place.at.toString();
  return {
    code: `${result.engine}/${result.policy}`,
    category: 'policy',
    severity: result.outcome === 'warn' && result.severity === 'error' ? 'warning' : result.severity,
    ...(fieldPath !== '' && { fieldPath }),
    message: result.message,
    uri: manifest.uri,
    document: manifest.document,
    ...(manifest.item !== undefined && { item: manifest.item }),
    object: identityOf(place.object),
    span: manifest.spanOf(place.at, place.part),
    policy: {
      engine: result.engine,
      name: result.policy,
      ...(result.rule !== undefined && { rule: result.rule }),
      outcome: result.outcome,
    },
    related: source
      ? [
          {
            uri: source.object.manifest.uri,
            span: source.object.manifest.spanOf(source.at, source.part),
            message:
              result.rule === undefined ? `Policy ${result.policy}` : `Policy ${result.policy}, rule ${result.rule}`,
          },
        ]
      : [],
    fixes: [],
  };
}
