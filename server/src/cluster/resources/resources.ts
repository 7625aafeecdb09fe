import { jsonText } from '../../base/printed';
import { isPodLevelResource } from '../../kube/podResources';
import { quantityMilliValue, quantityOf, quantityValue } from '../../kube/quantity';
import type { Container, ContainerStatus, PodSpec, PodStatus, ResourceList } from '../../kube/types';

/** Resource name → amount: cpu in millicores, everything else in its base unit. Fractions are rounded up, as upstream does. */
export type Amounts = ReadonlyMap<string, number>;

/** The requests of a Pod, or the capacity or usage of a node. Upstream: framework.Resource. */
export interface Resources {
  readonly milliCpu: number;
  readonly memory: number;
  readonly ephemeralStorage: number;
  /** Extended resources, hugepages and attachable volumes. */
  readonly scalar: Amounts;
}

const NO_AMOUNTS: Amounts = new Map();
export const NO_RESOURCES: Resources = { milliCpu: 0, memory: 0, ephemeralStorage: 0, scalar: NO_AMOUNTS };

/**
 * The requests that scoring assumes for a container without any: 100 millicores and 200 MB. Upstream:
 * util.GetNonzeroRequests.
 */
const ASSUMED_REQUESTS: Amounts = new Map([
  ['cpu', 100],
  ['memory', 200 * 1024 * 1024],
]);

/** Called with one sentence for each invalid quantity, which counts as absent. */
export type OnBadQuantity = (message: string) => void;

export function amountsOf(list: ResourceList | undefined, onBad: OnBadQuantity): Amounts {
  if (!list) return NO_AMOUNTS;
  const res = new Map<string, number>();
  for (const [name, text] of Object.entries(list)) {
    const quantity = quantityOf(text);
    if (quantity === undefined) onBad(`${jsonText(text)} is not a quantity, so ${name} is left out.`);
    else res.set(name, name === 'cpu' ? quantityMilliValue(quantity) : quantityValue(quantity));
  }
  return res;
}

/** Upstream: util.IsScalarResourceName. */
export function isScalarResource(name: string): boolean {
  return (
    name.startsWith('hugepages-') ||
    name.startsWith('attachable-volumes-') ||
    (name.includes('/') && !name.startsWith('requests.'))
  );
}

/** Upstream: v1helper.IsExtendedResourceName. */
export function isExtendedResource(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.');
}

export function resourcesOf(amounts: Amounts): Resources {
  const scalar = new Map<string, number>();
  for (const [name, amount] of amounts) if (isScalarResource(name)) scalar.set(name, amount);
  return {
    milliCpu: amounts.get('cpu') ?? 0,
    memory: amounts.get('memory') ?? 0,
    ephemeralStorage: amounts.get('ephemeral-storage') ?? 0,
    scalar: scalar.size > 0 ? scalar : NO_AMOUNTS,
  };
}

export function plus(a: Resources, b: Resources): Resources {
  return combine(a, b, 1);
}

export function minus(a: Resources, b: Resources): Resources {
  return combine(a, b, -1);
}

function combine(a: Resources, b: Resources, sign: 1 | -1): Resources {
  return {
    milliCpu: a.milliCpu + sign * b.milliCpu,
    memory: a.memory + sign * b.memory,
    ephemeralStorage: a.ephemeralStorage + sign * b.ephemeralStorage,
    scalar: combineScalars(a.scalar, b.scalar, sign),
  };
}

function combineScalars(a: Amounts, b: Amounts, sign: 1 | -1): Amounts {
  if (b.size === 0) return a;
  const res = new Map(a);
  for (const [name, amount] of b) res.set(name, (res.get(name) ?? 0) + sign * amount);
  return res;
}

export interface PodRequests {
  readonly requests: Resources;
  /** The same with `ASSUMED_REQUESTS` for containers without cpu or memory requests; used for scores. */
  readonly nonZero: Resources;
  /** The same without the Pod-level `spec.resources`: NodeResourcesFit scores a new Pod by its containers only. */
  readonly nonZeroOfContainers: Resources;
}

/**
 * The requests of a Pod. Upstream: resource.PodRequests of component-helpers. While a running Pod is resized, the
 * maximum of the desired, the allocated and the actual resources counts; the desired ones are left out when the resize
 * is infeasible.
 */
export function podRequests(spec: PodSpec, onBad: OnBadQuantity, status: PodStatus = {}): PodRequests {
  const overhead = amountsOf(spec.overhead, onBad);
  const podLevel = podLevelRequests(spec, status, onBad);
  const views = summedAmounts(spec, status, onBad);
  const total = (assumed: Amounts, wholePod: Amounts): Amounts => {
    const sum = new Map<string, number>();
    for (const view of views) maxInto(sum, 'total' in view ? view.total : sumOf(view, it => filled(it, assumed)));
    for (const [name, amount] of wholePod) if (isPodLevelResource(name)) sum.set(name, amount);
    addInto(sum, overhead);
    return sum;
  };
  const requested = total(NO_AMOUNTS, podLevel);
  // With Pod-level requests nothing is assumed for its containers. Upstream: getNonMissingContainerRequests.
  const isWhole = [...podLevel.keys()].some(isPodLevelResource);
  const assumed = isWhole ? new Map([...ASSUMED_REQUESTS].filter(([name]) => !requested.has(name))) : ASSUMED_REQUESTS;
  const nonZero = resourcesOf(total(assumed, podLevel));
  return {
    requests: resourcesOf(requested),
    nonZero,
    nonZeroOfContainers: podLevel.size === 0 ? nonZero : resourcesOf(total(ASSUMED_REQUESTS, NO_AMOUNTS)),
  };
}

interface ContainerAmounts {
  readonly containers: readonly Amounts[];
  readonly initContainers: readonly { readonly amounts: Amounts; readonly sidecar: boolean }[];
}

/** One view of a Pod's resources, by container or in total. */
type SummedAmounts = ContainerAmounts | { readonly total: Amounts };

type Chooser = (container: Container, status: ContainerStatus | undefined) => ResourceList | undefined;

function summedAmounts(spec: PodSpec, status: PodStatus, onBad: OnBadQuantity): readonly SummedAmounts[] {
  const statuses = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])];
  const view = (choose: Chooser): ContainerAmounts => {
    const amounts = (it: Container): Amounts =>
      amountsOf(
        choose(
          it,
          statuses.find(other => other.name === it.name),
        ),
        onBad,
      );
    return {
      containers: (spec.containers ?? []).map(amounts),
      initContainers: (spec.initContainers ?? []).map(it => ({ amounts: amounts(it), sidecar: isSidecar(it) })),
    };
  };
  const wanted = view(it => it.resources?.requests);
  const isGranted = status.allocatedResources !== undefined && status.resources?.requests !== undefined;
  const isInfeasible = isResizeInfeasible(status);
  const isTold = isGranted || statuses.some(it => it.allocatedResources ?? it.resources?.requests);
  if (!isTold && !isInfeasible) return [wanted];
  const otherwise: Chooser = it => (isInfeasible ? undefined : it.resources?.requests);
  const granted: Chooser = (it, found) => found?.allocatedResources ?? otherwise(it, found);
  const current: readonly SummedAmounts[] = isGranted
    ? [{ total: amountsOf(status.allocatedResources, onBad) }, { total: amountsOf(status.resources?.requests, onBad) }]
    : [view(granted), view((it, found) => found?.resources?.requests ?? granted(it, found))];
  return isInfeasible ? current : [wanted, ...current];
}

function sumOf({ containers, initContainers }: ContainerAmounts, fill: (amounts: Amounts) => Amounts): Amounts {
  const sum = new Map<string, number>();
  for (const it of containers) addInto(sum, fill(it));
  const sidecars = new Map<string, number>();
  const widest = new Map<string, number>();
  for (const { amounts, sidecar } of initContainers) {
    const own = fill(amounts);
    if (sidecar) {
      addInto(sum, own);
      addInto(sidecars, own);
      maxInto(widest, sidecars);
    } else {
      const beside = new Map(own);
      addInto(beside, sidecars);
      maxInto(widest, beside);
    }
  }
  maxInto(sum, widest);
  return sum;
}

function podLevelRequests(spec: PodSpec, status: PodStatus, onBad: OnBadQuantity): Amounts {
  const wanted = amountsOf(spec.resources?.requests, onBad);
  if (wanted.size === 0 || status.resources === undefined) return wanted;
  const res = new Map(isResizeInfeasible(status) ? NO_AMOUNTS : wanted);
  maxInto(res, amountsOf(status.resources.requests, onBad));
  maxInto(res, amountsOf(status.allocatedResources, onBad));
  return res;
}

/** Upstream: resource.IsPodResizeInfeasible. */
function isResizeInfeasible(status: PodStatus): boolean {
  return status.conditions?.find(it => it.type === 'PodResizePending')?.reason === 'Infeasible';
}

export function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}

function filled(amounts: Amounts, assumed: Amounts): Amounts {
  for (const name of assumed.keys()) if (!amounts.has(name)) return new Map([...assumed, ...amounts]);
  return amounts;
}

function addInto(target: Map<string, number>, more: Amounts): void {
  for (const [name, amount] of more) target.set(name, (target.get(name) ?? 0) + amount);
}

function maxInto(target: Map<string, number>, other: Amounts): void {
  for (const [name, amount] of other) if (!(target.get(name)! >= amount)) target.set(name, amount);
}
