import { compareText } from '../../base/compareText';
import { labelMatcher } from '../../kube/labelSelector';
import { isBestEffort, isPodLevelResource } from '../../kube/podResources';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  isZeroQuantity,
  parseQuantity,
  type Quantity,
  quantityInt64,
  zeroQuantity,
} from '../../kube/quantity';
import type { Container, PersistentVolumeClaim, Pod, PodAffinity, PodSpec, ResourceQuota } from '../../kube/types';
import {
  onlyNamed,
  podQuantities,
  type Quantities,
  quantitiesOf,
  sumOfQuantities,
  withOverhead,
} from '../resources/quantities';
import { isExtendedResource } from '../resources/resources';

/** The ResourceQuota admission plugin: the requests of new Pods and claims must fit into what is left. */

type Scope = NonNullable<NonNullable<NonNullable<ResourceQuota['spec']>['scopeSelector']>['matchExpressions']>[number];

/** How one kind of object counts. Upstream: quota.Evaluator. */
interface Charge {
  readonly usage: Quantities;
  /** Whether this kind uses a resource of a quota. */
  isCounted(resource: string): boolean;
  isInScope(scope: Scope): boolean;
  /** What containers must set for these resources and do not; undefined: nothing is missing. */
  missing(required: ReadonlySet<string>): string | undefined;
}

interface Account {
  readonly name: string;
  readonly hard: Quantities;
  readonly scopes: readonly Scope[];
  readonly used: Quantities;
}

/** The usage of one namespace's quotas; immutable. */
export interface QuotaBook {
  readonly accounts: readonly Account[];
}

/** By name, so that every run reports the same quota first. */
export function quotaBook(quotas: readonly ResourceQuota[]): QuotaBook {
  const accounts = quotas.map(({ metadata, spec, status }): Account => {
    const hard = quantitiesOf(spec?.hard ?? status?.hard);
    const scopes = [
      ...(spec?.scopes ?? []).map(it => ({ scopeName: it, operator: 'Exists' })),
      ...(spec?.scopeSelector?.matchExpressions ?? []),
    ];
    const used = new Map([...hard.keys()].map(it => [it, zeroQuantity]));
    return { name: metadata?.name ?? '', hard, scopes, used };
  });
  return { accounts: accounts.sort((a, b) => compareText(a.name, b.name)) };
}

/** The book after counting an existing object, whether it fits or not. */
export function charged(book: QuotaBook, charge: Charge): QuotaBook {
  return { accounts: book.accounts.map(it => (isConcerned(it, charge) ? withUsage(it, charge) : it)) };
}

/** The quota's own count where it is higher, since objects that it counts may be missing in the scenario. */
export function atLeast(book: QuotaBook, quotas: readonly ResourceQuota[]): QuotaBook {
  const written = new Map(quotas.map(it => [it.metadata?.name ?? '', quantitiesOf(it.status?.used)]));
  return {
    accounts: book.accounts.map(it => {
      const higher = [...(written.get(it.name) ?? [])].filter(
        ([name, used]) => it.hard.has(name) && compareQuantities(used, it.used.get(name) ?? zeroQuantity) > 0,
      );
      return higher.length === 0 ? it : { ...it, used: new Map([...it.used, ...higher]) };
    }),
  };
}

/** The book after admitting a new object, or why it is refused. Upstream: resourcequota.CheckRequest. */
export function admitCharge(book: QuotaBook, charge: Charge): QuotaBook | { readonly rejected: string } {
  const concerned = book.accounts.filter(it => isConcerned(it, charge));
  for (const account of concerned) {
    const counted = new Set([...account.hard.keys()].filter(charge.isCounted));
    const missing = charge.missing(counted);
    if (missing !== undefined) return { rejected: `failed quota: ${account.name}: ${missing}` };
  }
  if (concerned.length === 0) return book;
  const negative = [...charge.usage].filter(([, it]) => it.amount < 0n).map(([name]) => name);
  if (negative.length > 0) {
    return { rejected: `quota usage is negative for resource(s): ${negative.sort(compareText).join(',')}` };
  }
  for (const account of concerned) {
    const requested = requestedOf(account, charge);
    const after = sumOfQuantities(account.used, requested);
    const exceeded = new Set(
      [...requested.keys()].filter(name => compareQuantities(after.get(name)!, account.hard.get(name)!) > 0),
    );
    if (exceeded.size === 0) continue;
    const [asks, used, limited] = [requested, account.used, account.hard].map(it => printed(onlyNamed(it, exceeded)));
    return {
      rejected: `exceeded quota: ${account.name}, requested: ${asks}, used: ${used}, limited: ${limited}`,
    };
  }
  return charged(book, charge);
}

function isConcerned(account: Account, charge: Charge): boolean {
  return [...account.hard.keys()].some(charge.isCounted) && account.scopes.every(charge.isInScope);
}

function withUsage(account: Account, charge: Charge): Account {
  return { ...account, used: sumOfQuantities(account.used, requestedOf(account, charge)) };
}

function requestedOf(account: Account, charge: Charge): Quantities {
  const used = [...charge.usage].filter(([name, it]) => account.hard.has(name) && !isZeroQuantity(it));
  return new Map(used);
}

/** Upstream: prettyPrint. */
function printed(list: Quantities): string {
  return [...list]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, quantity]) => `${name}=${formatQuantity(quantity)}`)
    .join(',');
}

const SINGLE: Quantity = parseQuantity('1')!;
const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'] as const;
const POD_RESOURCES: ReadonlySet<string> = new Set([
  'count/pods',
  'pods',
  ...COMPUTE.flatMap(it => [it, `requests.${it}`, `limits.${it}`]),
]);
/** Resources for which every container must have a value. Upstream: validationSet. */
const REQUIRED: ReadonlySet<string> = new Set([
  ...['cpu', 'memory'].flatMap(it => [it, `requests.${it}`, `limits.${it}`]),
]);
const DEVICE_CLASS = 'deviceclass.resource.kubernetes.io/';

/** How a Pod counts. `spec`: after admission. Upstream: podEvaluator. */
export function podCharge(pod: Pod, spec: PodSpec): Charge {
  const requests = withOverhead(podQuantities(spec, 'requests', isPodLevelResource), spec, 'requests');
  const limits = withOverhead(podQuantities(spec, 'limits', isPodLevelResource), spec, 'limits');
  return {
    usage: new Map([['count/pods', SINGLE], ...computeUsage(requests, limits)]),
    isCounted: isPodResource,
    isInScope: scope => isPodInScope(scope, pod, spec),
    missing: required => missingOf(spec, required),
  };
}

function isPodResource(name: string): boolean {
  if (POD_RESOURCES.has(name) || name.startsWith('hugepages-') || name.startsWith('requests.hugepages-')) return true;
  if (!name.startsWith('requests.')) return false;
  const isNative = !name.includes('/') || name.includes('kubernetes.io/');
  return !isNative || name.startsWith(`requests.${DEVICE_CLASS}`);
}

/** Upstream: podComputeUsageHelper. */
function computeUsage(requests: Quantities, limits: Quantities): Quantities {
  const res = new Map<string, Quantity>([['pods', SINGLE]]);
  for (const name of COMPUTE) {
    const request = requests.get(name);
    const limit = limits.get(name);
    if (request) res.set(name, request).set(`requests.${name}`, request);
    if (limit) res.set(`limits.${name}`, limit);
  }
  for (const [name, request] of requests) {
    if (name.startsWith('hugepages-')) res.set(name, request).set(`requests.${name}`, request);
    if (isExtendedResource(name) || name.startsWith(DEVICE_CLASS)) res.set(`requests.${name}`, request);
  }
  return res;
}

/** Upstream: podEvaluator.Constraints. */
function missingOf(spec: PodSpec, resources: ReadonlySet<string>): string | undefined {
  const wholePod = [...Object.keys(spec.resources?.requests ?? {}), ...Object.keys(spec.resources?.limits ?? {})];
  if (wholePod.some(isPodLevelResource)) return undefined;
  const required = [...resources].filter(it => REQUIRED.has(it)).sort(compareText);
  const amountsFor = (it: Container): Quantities =>
    computeUsage(quantitiesOf(it.resources?.requests), quantitiesOf(it.resources?.limits));
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(it => ({
    name: it.name ?? '',
    said: amountsFor(it),
  }));
  const errors = required.flatMap(resource => {
    const silent = containers.filter(it => !it.said.has(resource)).map(it => it.name);
    return silent.length === 0 ? [] : [`${resource} for: ${[...new Set(silent)].sort(compareText).join(',')}`];
  });
  return errors.length === 0 ? undefined : `must specify ${errors.join('; ')}`;
}

/** Upstream: podMatchesScopeFunc. */
function isPodInScope(scope: Scope, pod: Pod, spec: PodSpec): boolean {
  switch (scope.scopeName) {
    case 'Terminating':
      return (spec.activeDeadlineSeconds ?? -1) >= 0;
    case 'NotTerminating':
      return (spec.activeDeadlineSeconds ?? -1) < 0;
    case 'BestEffort':
      return isBestEffort(pod, spec);
    case 'NotBestEffort':
      return !isBestEffort(pod, spec);
    case 'PriorityClass':
      if (scope.operator === 'Exists') return Boolean(spec.priorityClassName);
      return matchesScope(scope, spec.priorityClassName);
    case 'CrossNamespacePodAffinity':
      return [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity].some(leavesNamespace);
    default:
      return false;
  }
}

function matchesScope(scope: Scope, value: string | undefined): boolean {
  const key = scope.scopeName ?? '';
  const { operator, values } = scope;
  const expression = { key, ...(operator !== undefined && { operator }), ...(values && { values }) };
  return labelMatcher({ matchExpressions: [expression] }).matches(value ? { [key]: value } : {});
}

function leavesNamespace(affinity: PodAffinity | undefined): boolean {
  const terms = [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(it => it.podAffinityTerm ?? {}),
  ];
  return terms.some(it => (it.namespaces ?? []).length > 0 || it.namespaceSelector !== undefined);
}

const CLAIM_RESOURCES = ['persistentvolumeclaims', 'requests.storage'] as const;
const CLASS_RESOURCE = '.storageclass.storage.k8s.io/';

/** How a claim counts. Upstream: pvcEvaluator. */
export function claimCharge(claim: PersistentVolumeClaim): Charge {
  const { metadata, spec } = claim;
  const className = metadata?.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName;
  const storage = quantitiesOf(spec?.resources?.requests).get('storage');
  const own: readonly (readonly [string, Quantity])[] = [
    ['persistentvolumeclaims', SINGLE],
    ...(storage ? [['requests.storage', wholeBytes(storage)] as const] : []),
  ];
  const ofClass = own.map(([name, it]) => [`${className}${CLASS_RESOURCE}${name}`, it] as const);
  return {
    usage: new Map([['count/persistentvolumeclaims', SINGLE], ...own, ...(className ? ofClass : [])]),
    isCounted: name =>
      name === 'count/persistentvolumeclaims' ||
      CLAIM_RESOURCES.some(it => name === it || name.endsWith(`${CLASS_RESOURCE}${it}`)),
    isInScope: scope => isClaimInScope(scope, claim),
    missing: () => undefined,
  };
}

function wholeBytes(quantity: Quantity): Quantity {
  if (quantity.scale >= 0) return quantity;
  return addQuantities(
    { ...zeroQuantity, format: quantity.format },
    {
      ...quantity,
      amount: quantityInt64(quantity),
      scale: 0,
    },
  );
}

/** Upstream: pvcMatchesScopeFunc. */
function isClaimInScope(scope: Scope, claim: PersistentVolumeClaim): boolean {
  if (scope.scopeName !== 'VolumeAttributesClass') return false;
  const { volumeAttributesClassName: name } = (claim.spec ?? {}) as { readonly volumeAttributesClassName?: string };
  return scope.operator === 'Exists' ? Boolean(name) : matchesScope(scope, name);
}
