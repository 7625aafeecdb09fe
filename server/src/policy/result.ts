import type { FieldPath, SpanPart } from '../manifest/fieldPath';
import { scalarPositions } from '../manifest/scalarPositions';
import { valueAt } from '../manifest/valueAt';
import { identityOf } from '../rules/framework/identity';
import type { Problem, RelatedLocation, Severity } from '../rules/framework/problem';
import type { Span } from '../text/span';
import type { WorkspaceObject } from '../workspace/object';

/** Whose policies they are; the room of their problems' codes. `property`: the rules of `berth.yaml`. */
export type PolicyEngineName = 'vap' | 'gatekeeper' | 'conftest' | 'kyverno' | 'property';

/** A place in an object, for what is underlined. */
export interface PolicyLocation {
  readonly object: WorkspaceObject;
  readonly at: FieldPath;
  readonly part: SpanPart;
  /** Of a string: the part of it that is meant, in UTF-16 units of what it means. */
  readonly within?: Span;
}

/** What one rule of one policy says of one object. The same shape for every engine. */
export interface PolicyResult {
  readonly engine: PolicyEngineName;
  /** As the policy's own project names it: `disallow-latest-tag`. */
  readonly policy: string;
  readonly rule?: string;
  readonly outcome: 'pass' | 'fail' | 'warn' | 'error' | 'skip';
  /** How much a `fail` weighs: what enforces is an error, what only audits or warns a warning. */
  readonly severity: Severity;
  /** The engine's own words. */
  readonly message: string;
  /** The object that was looked at, and its field that is to blame as well as can be told; else its `kind`. */
  readonly location: PolicyLocation;
  /** Where the policy says so. */
  readonly source?: PolicyLocation;
  /** The same for a policy that is no manifest, such as Rego. */
  readonly sourceText?: { readonly uri: string; readonly span: Span };
}

/**
 * The problem that a result tells; undefined when it passes, was skipped, or looked at an object without a text.
 * `textOf` gives a file's text, for places within a string.
 */
export function policyProblem(
  result: PolicyResult,
  textOf: (uri: string) => string | undefined = () => undefined,
): Problem | undefined {
  if (result.outcome === 'pass' || result.outcome === 'skip') return undefined;
  const { location: place } = result;
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
    span: spanOfLocation(place, textOf),
    policy: {
      engine: result.engine,
      name: result.policy,
      ...(result.rule !== undefined && { rule: result.rule }),
      outcome: result.outcome,
    },
    related: sourcesOf(result, textOf),
    fixes: [],
  };
}

function spanOfLocation(
  { object, at, part, within }: PolicyLocation,
  textOf: (uri: string) => string | undefined,
): Span {
  const span = object.manifest.spanOf(at, part);
  const value = valueAt(object.manifest.value, at);
  const source = textOf(object.manifest.uri)?.slice(span.start, span.end);
  if (within === undefined || typeof value !== 'string' || source === undefined) return span;
  const positionOf = scalarPositions(source, value);
  const start = span.start + positionOf(within.start);
  return { start, end: Math.max(start + 1, span.start + positionOf(within.end)) };
}

function sourcesOf(
  { source, sourceText, policy, rule }: PolicyResult,
  textOf: (uri: string) => string | undefined,
): readonly RelatedLocation[] {
  const message = rule === undefined ? `Policy ${policy}` : `Policy ${policy}, rule ${rule}`;
  if (source) return [{ uri: source.object.manifest.uri, span: spanOfLocation(source, textOf), message }];
  return sourceText ? [{ ...sourceText, message }] : [];
}
