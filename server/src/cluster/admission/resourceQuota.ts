import { compareText } from '../../base/compareText';
import { lazy } from '../../base/lazy';
import { jsonText } from '../../base/printed';
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
  subtractQuantities,
  zeroQuantity,
} from '../../kube/quantity';
import type { PersistentVolumeClaim, Pod, PodAffinity, PodSpec, ResourceQuota } from '../../kube/types';
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

type RequirementOfScope = NonNullable<
  NonNullable<NonNullable<ResourceQuota['spec']>['scopeSelector']>['matchExpressions']
>[number];

interface Scope {
  readonly scopeName: string;
  readonly operator: string | undefined;
  readonly selects: (value: string) => boolean;
}

/** How one kind of object counts. Upstream: quota.Evaluator. */
interface Charge {
  readonly usage: Quantities;
  /** Whether this kind uses a resource of a quota. */
  isCounted(resource: string): boolean;
  /** By the name of each scope that this kind knows: whether the object is in it, or the class by which it is chosen. */
  readonly scopes: ReadonlyMap<string, boolean | string>;
  /** The containers that must set this resource and do not. */
  silentOn(resource: string): readonly string[];
}

/** A quota. */
interface Account {
  readonly name: string;
  /** By name, so that every run reports the same quota first. */
  readonly order: number;
  readonly hard: Quantities;
}

/** Quotas of the same scopes, which count the same objects: what they have counted is kept once, however many they are. */
interface Scoped {
  readonly scopes: readonly Scope[];
  readonly accounts: readonly Account[];
  /** By resource. */
  readonly counts: ReadonlyMap<string, Count>;
}

interface Count {
  added: Quantity;
  /** What was used before, where it is not zero. */
  readonly before: ReadonlyMap<Account, Quantity>;
  /** Quotas by name, without those that have as much left as one before them: the first that is exceeded is among these. */
  readonly limits: readonly Limit[];
}

interface Limit {
  readonly account: Account;
  /** What may be added. */
  readonly room: Quantity;
}

/** The usage of one namespace's quotas. */
export interface QuotaBook {
  /** How many quotas are not looked at. */
  readonly leftOut: number;
  /** Counts an existing object, whether it fits or not. */
  count(charge: Charge): void;
  /** Takes the quotas' own counts where these are higher, since objects that they count may be missing in the scenario. */
  close(): void;
  /** Counts a new object, or says why it is refused. Upstream: resourcequota.CheckRequest. */
  admit(charge: Charge): string | undefined;
}

/** No more scopes of a namespace's quotas that differ are looked at: each Pod is counted in each of them. */
export const MOST_SCOPES = 50;

export function quotaBook(quotas: readonly ResourceQuota[]): QuotaBook {
  const all = scopedQuotas(quotas);
  let groups = all.slice(0, MOST_SCOPES);
  const leftOut = all.slice(MOST_SCOPES).reduce((sum, it) => sum + it.accounts.length, 0);
  const changesBy = (charge: Charge): readonly Change[] =>
    changesOf(
      groups.filter(it => concerns(it, charge)),
      charge,
    );
  return {
    leftOut,
    count(charge) {
      for (const [count, added] of changesBy(charge)) count.added = added;
    },
    close() {
      const written = new Map(quotas.map(it => [it.metadata?.name ?? '', quantitiesOf(it.status?.used)]));
      groups = groups.map(it => withOwnCounts(it, written));
    },
    admit(charge) {
      const them = groups.filter(it => concerns(it, charge));
      const silent = first(unmetBy(them, charge));
      if (silent !== undefined) return missingFor(silent, charge);
      const negative = [...charge.usage].filter(([, it]) => it.amount < 0n).map(([name]) => name);
      if (negative.length > 0 && them.some(it => isCounting(it, charge))) {
        return `quota usage is negative for resource(s): ${negative.sort(compareText).join(',')}`;
      }
      const changes = changesOf(them, charge);
      const exceeded = first(exceededBy(changes));
      if (exceeded !== undefined) return refusalBy(exceeded, them.find(it => it.accounts.includes(exceeded))!, charge);
      for (const [count, added] of changes) count.added = added;
      return undefined;
    },
  };
}

function scopedQuotas(quotas: readonly ResourceQuota[]): readonly Scoped[] {
  const byName = [...quotas].sort((a, b) => compareText(a.metadata?.name ?? '', b.metadata?.name ?? ''));
  const groups = new Map<string, { readonly scopes: readonly Scope[]; readonly accounts: Account[] }>();
  for (const [order, { metadata, spec, status }] of byName.entries()) {
    const written = [
      ...(spec?.scopes ?? []).map(it => ({ scopeName: it, operator: 'Exists' })),
      ...(spec?.scopeSelector?.matchExpressions ?? []),
    ];
    const key = jsonText(written);
    const group = groups.get(key) ?? { scopes: written.map(readScope), accounts: [] };
    groups.set(key, group);
    group.accounts.push({ name: metadata?.name ?? '', order, hard: quantitiesOf(spec?.hard ?? status?.hard) });
  }
  return [...groups.values()].map(it => ({ ...it, counts: countsOf(it.accounts, () => zeroQuantity) }));
}

/** With what the quotas themselves have counted, where that is more. */
function withOwnCounts(scoped: Scoped, written: ReadonlyMap<string, Quantities>): Scoped {
  const { accounts, counts } = scoped;
  const usedOf = ({ name }: Account, resource: string): Quantity => {
    const counted = counts.get(resource)!.added;
    const told = written.get(name)?.get(resource);
    return told !== undefined && compareQuantities(told, counted) > 0 ? told : counted;
  };
  return { ...scoped, counts: countsOf(accounts, usedOf) };
}

function readScope({ scopeName = '', operator, values }: RequirementOfScope): Scope {
  const expression = { key: scopeName, ...(operator !== undefined && { operator }), ...(values && { values }) };
  const matcher = lazy(() => labelMatcher({ matchExpressions: [expression] }));
  return { scopeName, operator, selects: value => matcher().matches(value ? { [scopeName]: value } : {}) };
}

/** Counts by resource. `usedOf`: what a quota starts with. */
function countsOf(
  accounts: readonly Account[],
  usedOf: (account: Account, resource: string) => Quantity,
): ReadonlyMap<string, Count> {
  interface Growing extends Count {
    readonly before: Map<Account, Quantity>;
    readonly limits: Limit[];
  }
  const counts = new Map<string, Growing>();
  for (const account of accounts) {
    for (const [resource, hard] of account.hard) {
      const count: Growing = counts.get(resource) ?? { added: zeroQuantity, before: new Map(), limits: [] };
      counts.set(resource, count);
      const used = usedOf(account, resource);
      if (!isZeroQuantity(used)) count.before.set(account, used);
      const room = subtractQuantities(hard, used);
      const least = count.limits.at(-1);
      if (least === undefined || compareQuantities(room, least.room) < 0) count.limits.push({ account, room });
    }
  }
  return counts;
}

function concerns({ scopes }: Scoped, charge: Charge): boolean {
  return scopes.every(it => isInScope(it, charge));
}

/** A count, and what it becomes. */
type Change = readonly [Count, Quantity];

function changesOf(them: readonly Scoped[], { usage }: Charge): readonly Change[] {
  const changes: Change[] = [];
  for (const [resource, amount] of usage) {
    if (isZeroQuantity(amount)) continue;
    for (const { counts } of them) {
      const count = counts.get(resource);
      if (count) changes.push([count, addQuantities(count.added, amount)]);
    }
  }
  return changes;
}

/** The quotas that need what the containers leave out; of each count the first one. */
function* unmetBy(them: readonly Scoped[], charge: Charge): Iterable<Account> {
  for (const resource of REQUIRED) {
    for (const { counts } of them) {
      const count = counts.get(resource);
      if (count && charge.silentOn(resource).length > 0) yield count.limits[0]!.account;
    }
  }
}

function missingFor({ name, hard }: Account, charge: Charge): string {
  const missing = REQUIRED.filter(it => hard.has(it)).flatMap(it => {
    const silent = [...new Set(charge.silentOn(it))].sort(compareText);
    return silent.length === 0 ? [] : [`${it} for: ${silent.join(',')}`];
  });
  return `failed quota: ${name}: must specify ${missing.join('; ')}`;
}

/** Whether a quota counts any resource of such objects. */
function isCounting({ counts }: Scoped, { isCounted }: Charge): boolean {
  return [...counts.keys()].some(isCounted);
}

/** Of each count that is exceeded the first quota. */
function* exceededBy(changes: readonly Change[]): Iterable<Account> {
  for (const [{ limits }, added] of changes) {
    const isOver = ({ room }: Limit): boolean => compareQuantities(added, room) > 0;
    if (isOver(limits.at(-1)!)) yield limits.find(isOver)!.account;
  }
}

function first(accounts: Iterable<Account>): Account | undefined {
  let found: Account | undefined;
  for (const it of accounts) if (found === undefined || it.order <= found.order) found = it;
  return found;
}

function refusalBy(account: Account, { counts }: Scoped, { usage }: Charge): string {
  const { name, hard } = account;
  const requested: Quantities = new Map([...usage].filter(([it, amount]) => hard.has(it) && !isZeroQuantity(amount)));
  const used: Quantities = new Map([...hard.keys()].map(it => [it, usedOf(account, counts.get(it)!)]));
  const after = sumOfQuantities(used, requested);
  const exceeded = new Set([...requested.keys()].filter(it => compareQuantities(after.get(it)!, hard.get(it)!) > 0));
  const [asks, before, limited] = [requested, used, hard].map(it => printed(onlyNamed(it, exceeded)));
  return `exceeded quota: ${name}, requested: ${asks}, used: ${before}, limited: ${limited}`;
}

function usedOf(account: Account, { before, added }: Count): Quantity {
  const used = before.get(account) ?? zeroQuantity;
  return isZeroQuantity(added) ? used : addQuantities(used, added);
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
/** Resources for which every container must have a value, by name. Upstream: validationSet. */
const REQUIRED = ['cpu', 'limits.cpu', 'limits.memory', 'memory', 'requests.cpu', 'requests.memory'] as const;
const DEVICE_CLASS = 'deviceclass.resource.kubernetes.io/';

/** How a Pod counts. `spec`: after admission. Upstream: podEvaluator. */
export function podCharge(pod: Pod, spec: PodSpec): Charge {
  const requests = withOverhead(podQuantities(spec, 'requests', isPodLevelResource), spec, 'requests');
  const limits = withOverhead(podQuantities(spec, 'limits', isPodLevelResource), spec, 'limits');
  return {
    usage: new Map([['count/pods', SINGLE], ...computeUsage(requests, limits)]),
    isCounted: isPodResource,
    scopes: podScopes(pod, spec),
    silentOn: silentContainers(spec),
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
function silentContainers(spec: PodSpec): Charge['silentOn'] {
  const wholePod = [...Object.keys(spec.resources?.requests ?? {}), ...Object.keys(spec.resources?.limits ?? {})];
  if (wholePod.some(isPodLevelResource)) return () => [];
  const containers = lazy(() =>
    [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name = '', resources }) => ({
      name,
      said: computeUsage(quantitiesOf(resources?.requests), quantitiesOf(resources?.limits)),
    })),
  );
  return resource => containers().flatMap(it => (it.said.has(resource) ? [] : [it.name]));
}

/** Upstream: podMatchesScopeFunc. */
function podScopes(pod: Pod, spec: PodSpec): Charge['scopes'] {
  const ends = (spec.activeDeadlineSeconds ?? -1) >= 0;
  const isLast = isBestEffort(pod, spec);
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  return new Map<string, boolean | string>([
    ['Terminating', ends],
    ['NotTerminating', !ends],
    ['BestEffort', isLast],
    ['NotBestEffort', !isLast],
    ['PriorityClass', spec.priorityClassName ?? ''],
    ['CrossNamespacePodAffinity', [podAffinity, podAntiAffinity].some(leavesNamespace)],
  ]);
}

function isInScope({ scopeName, operator, selects }: Scope, { scopes }: Charge): boolean {
  const found = scopes.get(scopeName) ?? false;
  if (typeof found === 'boolean') return found;
  return operator === 'Exists' ? found !== '' : selects(found);
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

/** How a claim counts. Upstream: pvcEvaluator, pvcMatchesScopeFunc. */
export function claimCharge(claim: PersistentVolumeClaim): Charge {
  const { metadata, spec } = claim;
  const className = metadata?.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName;
  const { volumeAttributesClassName } = (spec ?? {}) as { readonly volumeAttributesClassName?: string };
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
    scopes: new Map([['VolumeAttributesClass', volumeAttributesClassName ?? '']]),
    silentOn: () => [],
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
