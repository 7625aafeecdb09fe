import type { FieldPath, SpanPart } from '../manifest/fieldPath';
import { spanWithin } from '../manifest/spanWithin';
import { identityOf } from '../rules/framework/identity';
import { layered, messageFields } from '../rules/framework/layers';
import type { Problem, RelatedLocation, Severity } from '../rules/framework/problem';
import type { Span } from '../text/span';
import type { WorkspaceObject } from '../workspace/object';

/** The policy engine, which is the prefix of problem codes. `property`: the rules of berth.yaml. */
export type PolicyEngineName = 'vap' | 'gatekeeper' | 'conftest' | 'kyverno' | 'property';

/** A location in an object, for what is underlined. */
export interface PolicyLocation {
  readonly object: WorkspaceObject;
  readonly at: FieldPath;
  readonly part: SpanPart;
  /** The relevant part of a string value, in UTF-16 units of the value. */
  readonly within?: Span;
}

/** The result of one rule of one policy for one object, in the same form for every engine. */
export interface PolicyResult {
  readonly engine: PolicyEngineName;
  /** The policy's name in its own project's form: `disallow-latest-tag`. */
  readonly policy: string;
  readonly rule?: string;
  readonly outcome: 'pass' | 'fail' | 'warn' | 'error' | 'skip';
  /** The severity of a `fail`: error when enforced, warning when it is only audited or warned about. */
  readonly severity: Severity;
  /** The engine's own message. */
  readonly message: string;
  /** What stands behind the message, in the words of another program. */
  readonly detail?: string;
  /** The evaluated object and, as far as known, the failing field; else its `kind`. */
  readonly location: PolicyLocation;
  /** The location of the rule in the policy. */
  readonly source?: PolicyLocation;
  /** The same for a policy that is not a manifest, such as Rego. */
  readonly sourceText?: { readonly uri: string; readonly span: Span };
}

/** Whether a problem tells the result: it neither passed nor was skipped. */
export const isTold = (result: PolicyResult): result is ToldResult =>
  result.outcome !== 'pass' && result.outcome !== 'skip';

type ToldResult = PolicyResult & { readonly outcome: Exclude<PolicyResult['outcome'], 'pass' | 'skip'> };

/**
 * The problem for a result; undefined when it passed, was skipped, or is about an object without a file. `textOf`
 * returns a file's text, for locations within a string.
 */
export function policyProblem(
  result: PolicyResult,
  textOf: (uri: string) => string | undefined = () => undefined,
): Problem | undefined {
  if (!isTold(result)) return undefined;
  const { location } = result;
  const { manifest } = location.object;
  const fieldPath = location.at.toString();
  return {
    code: `${result.engine}/${result.policy}`,
    category: 'policy',
    severity: result.outcome === 'warn' && result.severity === 'error' ? 'warning' : result.severity,
    ...(fieldPath !== '' && { fieldPath }),
    ...messageFields(layered(result.message, result.detail ?? '')),
    uri: manifest.uri,
    document: manifest.document,
    ...(manifest.item !== undefined && { item: manifest.item }),
    object: identityOf(location.object),
    span: spanOfLocation(location, textOf),
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

const spanOfLocation = (location: PolicyLocation, textOf: (uri: string) => string | undefined): Span =>
  spanWithin(location.object.manifest, location, textOf(location.object.manifest.uri));

function sourcesOf(
  { source, sourceText, policy, rule }: PolicyResult,
  textOf: (uri: string) => string | undefined,
): readonly RelatedLocation[] {
  const message = rule === undefined ? `Policy ${policy}` : `Policy ${policy}, rule ${rule}`;
  if (source)
    return source.object.manifest.uri === ''
      ? []
      : [{ uri: source.object.manifest.uri, span: spanOfLocation(source, textOf), message }];
  return sourceText ? [{ ...sourceText, message }] : [];
}
