import type { JsonObject, JsonValue } from '../../base/json';
import { defaultLimits } from '../../cluster/admission/limitRanger';
import { withDefaults } from '../../cluster/pods/podStrategy';
import type { Pod } from '../../kube/types';
import type { RuleContext, RuleFinding, RuleTarget } from '../framework/rule';
import { certainLimitRangesFor, decodedAs } from './limitRanges';
import { errorText } from './messages/sentences';
import { answerOf } from './validate/engine';
import type { FieldError } from './validate/errors';

/**
 * The findings without those that no server reports: admission comes before validation, and LimitRanger fills in the limits
 * and requests that the containers of a Pod lack. What is wrong with the defaults is told by `placement/limit-range`.
 * Upstream: limitranger.PodMutateLimitFunc. Templates of workloads are validated as they are written.
 */
export function withoutMendedByLimits(
  found: readonly RuleFinding[],
  target: RuleTarget,
  context: RuleContext,
): readonly RuleFinding[] {
  const { object, kind, value } = target;
  if (object.kind !== 'Pod' || object.group !== '' || !found.some(isMissing)) return found;
  const ranges = certainLimitRangesFor(object, context);
  const pod = ranges.length === 0 ? undefined : decodedAs<Pod>(value);
  if (pod?.spec === undefined) return found;
  const admitted = { ...value, spec: defaultLimits(withDefaults(pod.spec), ranges) as JsonValue } as JsonObject;
  const left = new Set(answerOf(admitted, kind, context.kube)?.errors.map(errorText));
  return found.filter(it => {
    const error = isMissing(it) ? errorOf(it) : undefined;
    return error === undefined || left.has(errorText(error));
  });
}

/** What defaults can mend: a missing limit, and huge pages without CPU and memory. */
const MENDED: readonly (string | undefined)[] = ['FieldValueRequired', 'FieldValueForbidden'];

const OF_RESOURCES = /^spec\.(?:initContainers|containers)\[\d+\]\.resources\b/;

const errorOf = ({ finding }: RuleFinding): FieldError | undefined =>
  (finding.facts as { readonly error?: FieldError } | undefined)?.error;

const isMissing = ({ rule, finding }: RuleFinding): boolean =>
  rule.meta.category === 'apiserver' &&
  MENDED.includes(finding.errorType) &&
  OF_RESOURCES.test(finding.fieldPath ?? '');
