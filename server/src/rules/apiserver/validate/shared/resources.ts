import type { JsonValue } from '../../../../base/json';
import { qualifiedNameErrors } from '../../../../kube/names';
import {
  compareQuantities,
  type Quantity,
  quantityMilliInt64,
  quantityOf,
  zeroQuantity,
} from '../../../../kube/quantity';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid, invalids } from '../errors';

/** Names and amounts of resources. Upstream: pkg/apis/core/validation and pkg/apis/core/helper. */

const counted = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const computed = [
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
];
const countedNames: ReadonlySet<string> = new Set(counted);
const quotaNames: ReadonlySet<string> = new Set([...counted, ...computed]);
const containerNames: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

export const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isQuotaHugePages = (name: string): boolean => isHugePages(name) || name.startsWith('requests.hugepages-');
const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');

/** Upstream: helper.IsExtendedResourceName. */
export function isExtended(name: string): boolean {
  if (isNative(name) || name.startsWith('requests.')) return false;
  return qualifiedNameErrors(`requests.${name}`).length === 0;
}

export const isOvercommitAllowed = (name: string): boolean => isNative(name) && !isHugePages(name);
export const isQuotaResource = (name: string): boolean => quotaNames.has(name) || isQuotaHugePages(name);
const isStandard = (name: string): boolean => name === 'storage' || isQuotaResource(name);

/** Upstream: validateResourceName. */
export function resourceNameErrors(name: string, at: FieldPath): readonly FieldError[] {
  const errors = invalids(at, name, qualifiedNameErrors(name));
  if (errors.length > 0 || name.includes('/') || isStandard(name)) return errors;
  return [invalid(at, name, 'must be a standard resource type or fully qualified')];
}

/** Upstream: ValidateContainerResourceName. */
export function containerResourceNameErrors(name: string, at: FieldPath): readonly FieldError[] {
  const errors = resourceNameErrors(name, at);
  if (!name.includes('/')) {
    if (containerNames.has(name) || isHugePages(name)) return errors;
    return [...errors, invalid(at, name, 'must be a standard resource for containers')];
  }
  if (isNative(name) || isExtended(name)) return errors;
  return [...errors, invalid(at, name, "doesn't follow extended resource name standard")];
}

/** Upstream: ValidateResourceQuotaResourceName. */
export function quotaResourceNameErrors(name: string, at: FieldPath): readonly FieldError[] {
  const errors = resourceNameErrors(name, at);
  if (name.includes('/') || isQuotaResource(name)) return errors;
  return [...errors, invalid(at, name, 'must be a standard resource for quota')];
}

/** The amount, zero for one that cannot be decoded. */
export function amountOf(value: JsonValue | undefined): Quantity {
  return quantityOf(value ?? null) ?? zeroQuantity;
}

/** Upstream: ValidateNonnegativeQuantity. */
export function nonNegativeErrors(value: JsonValue | undefined, at: FieldPath): readonly FieldError[] {
  if ((typeof value === 'string' && !/^\s*-/.test(value)) || amountOf(value).amount >= 0n) return [];
  return [invalid(at, value ?? null, 'must be greater than or equal to 0')];
}

/** Upstream: ValidatePositiveQuantityValue. */
export function positiveErrors(value: JsonValue | undefined, at: FieldPath): readonly FieldError[] {
  return amountOf(value).amount > 0n ? [] : [invalid(at, value ?? null, 'must be greater than zero')];
}

/** Upstream: ValidateResourceQuantityValue. */
export function resourceAmountErrors(name: string, value: JsonValue, at: FieldPath): readonly FieldError[] {
  const whole = !(countedNames.has(name) || isExtended(name)) || quantityMilliInt64(amountOf(value)) % 1000n === 0n;
  return [...nonNegativeErrors(value, at), ...(whole ? [] : [invalid(at, value, 'must be an integer')])];
}

export function isMore(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return compareQuantities(amountOf(a), amountOf(b)) > 0;
}
