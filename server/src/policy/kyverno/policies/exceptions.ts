import type { JsonObject } from '../../../base/json';
import { grouped } from '../../../base/multiMap';
import { matchesAnyWildcard } from '../../../base/wildcard';
import { record, records, text, texts } from '../../../kube/goFields';
import { checkConditions } from '../conditions/conditions';
import type { EvalContext } from '../context/context';
import type { Resource } from '../resource/resource';
import { attempt } from '../results/outcome';
import type { ExceptionsOf, KyvernoWorld } from '../world';
import { isExcepted, type MatchContext } from './match';
import type { KyvernoPolicy } from './policy';

/** PolicyExceptions of kyverno.io, by `name` or `namespace/name` of a policy. */
export const exceptionsByPolicy = (exceptions: readonly JsonObject[]): ExceptionsOf =>
  byEntry(exceptions, 'exceptions', it => text(it, 'policyName'));

/** PolicyExceptions of policies.kyverno.io, by `kind/name` of a policy. */
export const celExceptionsByPolicy = (exceptions: readonly JsonObject[]): ExceptionsOf =>
  byEntry(exceptions, 'policyRefs', it => `${text(it, 'kind')}/${text(it, 'name')}`);

function byEntry(
  exceptions: readonly JsonObject[],
  list: string,
  policyOf: (entry: JsonObject) => string,
): ExceptionsOf {
  const entries = exceptions.flatMap(exception => {
    const policies = new Set(records(record(exception, 'spec'), list).map(policyOf));
    return [...policies].map(policy => ({ policy, exception }));
  });
  const byPolicy = grouped(entries, it => it.policy);
  return policy => (byPolicy.get(policy) ?? []).map(it => it.exception);
}

/** How exceptions name a policy: `name` or `namespace/name`. */
export const policyKey = ({ name, namespace }: Pick<KyvernoPolicy, 'name' | 'namespace'>): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

/** The exceptions that exempt a resource from a rule. Upstream: MatchesException. */
export function exceptionsFor(
  policy: KyvernoPolicy,
  rule: string,
  resource: Resource,
  matchContext: MatchContext,
  world: KyvernoWorld,
  context: EvalContext,
): readonly JsonObject[] {
  const name = policyKey(policy);
  return world.exceptionsOf(name).filter(it => {
    const spec = record(it, 'spec');
    const isNamed = records(spec, 'exceptions').some(
      entry => text(entry, 'policyName') === name && matchesAnyWildcard(texts(entry, 'ruleNames'), rule),
    );
    if (!isNamed || !isExcepted(record(spec, 'match') ?? {}, resource, matchContext)) return false;
    const checked = attempt('', () => checkConditions(spec?.conditions, context));
    return 'value' in checked && checked.value.holds;
  });
}

/** `namespace/name`, for messages. */
export function exceptionName(exception: JsonObject): string {
  const metadata = record(exception, 'metadata');
  const namespace = text(metadata, 'namespace');
  return namespace === '' ? text(metadata, 'name') : `${namespace}/${text(metadata, 'name')}`;
}
