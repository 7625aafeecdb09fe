import type { JsonObject } from '../../../../base/json';
import { entries, type GoFields, get, items, record, records, text, texts } from '../../../../kube/goFields';
import { formatQuantity, roundUpToMilli } from '../../../../kube/quantity';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { type FieldError, invalid, type KindStrategy, required } from '../errors';
import { validateNameFn, validateObjectMeta } from '../metadata';
import { dropStatus } from '../shared/drops';
import { amountOf, isMore, isQuotaResource, quotaResourceNameErrors, resourceAmountErrors } from '../shared/resources';

const existsOnly = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'];
const scopes = [...existsOnly, 'PriorityClass', 'VolumeAttributesClass'];
const podResources = ['pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];

function isScopeValid(scope: string, resource: string): boolean {
  if (scope === 'BestEffort') return resource === 'pods';
  if (scope === 'VolumeAttributesClass') return ['persistentvolumeclaims', 'requests.storage'].includes(resource);
  return !scopes.includes(scope) || podResources.includes(resource);
}

function unfit(scope: string, spec: GoFields): readonly string[] {
  return entries(spec, 'hard')
    .map(([name]) => name)
    .filter(it => isQuotaResource(it) && !isScopeValid(scope, it));
}

/** Scopes that are listed together with their opposites. */
function conflicts(named: readonly string[]): readonly string[] {
  return ['BestEffort', 'Terminating'].filter(it => named.includes(it) && named.includes(`Not${it}`));
}

function scopeErrors(spec: GoFields): readonly FieldError[] {
  const at = FieldPath.of('spec', 'scopes');
  const named = texts(spec, 'scopes');
  const value = items(spec, 'scopes');
  return [
    ...named.flatMap(it => [
      ...(scopes.includes(it) ? [] : [invalid(at, value, 'unsupported scope')]),
      ...unfit(it, spec).map(() => invalid(at, value, 'unsupported scope applied to resource')),
    ]),
    ...conflicts(named).map(() => invalid(at, value, 'conflicting scopes')),
  ];
}

function selectorErrors(spec: GoFields): readonly FieldError[] {
  const at = FieldPath.of('spec', 'scopeSelector', 'matchExpressions');
  const selector = get(spec, 'scopeSelector') ?? null;
  const requirements = records(record(spec, 'scopeSelector'), 'matchExpressions');
  const named = requirements.map(it => text(it, 'scopeName'));
  return [
    ...requirements.flatMap(it => requirementErrors(it, at)),
    ...named.flatMap(it => unfit(it, spec)).map(() => invalid(at, selector, 'unsupported scope applied to resource')),
    ...conflicts(named).map(() => invalid(at, items(spec, 'scopes'), 'conflicting scopes')),
  ];
}

const existsRule =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function requirementErrors(requirement: JsonObject, at: FieldPath): readonly FieldError[] {
  const scope = text(requirement, 'scopeName');
  const operator = text(requirement, 'operator');
  const count = items(requirement, 'values').length;
  const some = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
  const none = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
  const sets = operator === 'In' || operator === 'NotIn';
  const bare = operator === 'Exists' || operator === 'DoesNotExist';
  return [
    ...(scopes.includes(scope) ? [] : [invalid(at.child('scopeName'), scope, 'unsupported scope')]),
    ...(existsOnly.includes(scope) && operator !== 'Exists'
      ? [invalid(at.child('operator'), operator, existsRule)]
      : []),
    ...(sets && count === 0 ? [required(at.child('values'), some)] : []),
    ...(bare && count > 0 ? [invalid(at.child('values'), get(requirement, 'values') ?? null, none)] : []),
    ...(sets || bare ? [] : [invalid(at.child('operator'), operator, 'not a valid selector operator')]),
  ];
}

/** Upstream: ValidateResourceQuota. */
export const resourceQuotaStrategy: KindStrategy = {
  drop: dropStatus,
  validate: object => {
    const spec = record(object, 'spec');
    const at = FieldPath.of('spec', 'hard');
    return [
      ...validateObjectMeta(object, 'namespaced', validateNameFn.subdomain),
      ...entries(spec, 'hard').flatMap(([name, value]) => [
        ...quotaResourceNameErrors(name, at.key(name)),
        ...resourceAmountErrors(name, value, at.key(name)),
      ]),
      ...scopeErrors(spec),
      ...selectorErrors(spec),
    ];
  },
  warn: (object, { kube }) => {
    if (!applies(minorChanges.requestsAboveLimits, kube)) return [];
    const hard = record(record(object, 'spec'), 'hard') ?? {};
    // A null amount is present, as zero.
    const has = (name: string) => Object.hasOwn(hard, name);
    return ['cpu', 'memory', 'ephemeral-storage'].flatMap(it => {
      const bare = it !== 'ephemeral-storage' && !has(`requests.${it}`);
      const request = bare ? it : `requests.${it}`;
      const limit = `limits.${it}`;
      if (!has(request) || !has(limit) || !isMore(get(hard, request), get(hard, limit))) return [];
      const print = (name: string) => `${name} (${formatQuantity(roundUpToMilli(amountOf(get(hard, name))))})`;
      return [`ResourceQuota ${print(request)} should be less than ${print(limit)}`];
    });
  },
};
