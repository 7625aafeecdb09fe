import {
  addQuantities,
  compareQuantities,
  isZeroQuantity,
  type Quantity,
  quantityOf,
  roundUpToMilli,
} from '../../kube/quantity';
import type { Container, PodSpec, ResourceList } from '../../kube/types';
import { isSidecar } from './resources';

/** Resource name → exact quantity, as the API server computes; placement's own sums are `Amounts`. */
export type Quantities = ReadonlyMap<string, Quantity>;

/** Invalid quantities count as absent; the precision is thousandths. Upstream: SetDefaults_ResourceList. */
export function quantitiesOf(list: ResourceList | undefined): Quantities {
  const res = new Map<string, Quantity>();
  for (const [name, text] of Object.entries(list ?? {})) {
    const quantity = quantityOf(text);
    if (quantity) res.set(name, roundUpToMilli(quantity));
  }
  return res;
}

/** Upstream: quota.Add, addResourceList. */
export function sumOfQuantities(a: Quantities, b: Quantities): Quantities {
  const res = new Map(a);
  for (const [name, quantity] of b) {
    const found = res.get(name);
    res.set(name, found ? addQuantities(found, quantity) : quantity);
  }
  return res;
}

/** Upstream: maxResourceList. */
function maxOfQuantities(a: Quantities, b: Quantities): Quantities {
  const res = new Map(a);
  for (const [name, quantity] of b) {
    const found = res.get(name);
    if (!found || compareQuantities(quantity, found) > 0) res.set(name, quantity);
  }
  return res;
}

/** Upstream: quota.Mask. */
export function onlyNamed(list: Quantities, names: ReadonlySet<string>): Quantities {
  return new Map([...list].filter(([name]) => names.has(name)));
}

/** Whether the Pod-level value of a resource replaces those of the containers. */
export type PodLevel = (name: string) => boolean;

/**
 * The requests or limits of all containers together: the sum of containers and sidecars, or what one init container
 * needs besides the sidecars before it. Without overhead.
 */
export function podQuantities(spec: PodSpec, field: 'requests' | 'limits', isPodLevel: PodLevel): Quantities {
  const of = (it: Container): Quantities => quantitiesOf(it.resources?.[field]);
  const none: Quantities = new Map();
  let sum = (spec.containers ?? []).map(of).reduce(sumOfQuantities, none);
  let sidecars = none;
  let widest = none;
  for (const it of spec.initContainers ?? []) {
    if (isSidecar(it)) {
      sum = sumOfQuantities(sum, of(it));
      sidecars = sumOfQuantities(sidecars, of(it));
      widest = maxOfQuantities(widest, sidecars);
    } else {
      widest = maxOfQuantities(widest, sumOfQuantities(of(it), sidecars));
    }
  }
  const wholePod = [...quantitiesOf(spec.resources?.[field])].filter(([name]) => isPodLevel(name));
  return new Map([...maxOfQuantities(sum, widest), ...wholePod]);
}

/** Requests always include the overhead, limits where they are not zero. Upstream: resource.PodRequests, PodLimits. */
export function withOverhead(list: Quantities, spec: PodSpec, field: 'requests' | 'limits'): Quantities {
  const overhead = [...quantitiesOf(spec.overhead)];
  const bears = ([name]: readonly [string, Quantity]): boolean => {
    const found = list.get(name);
    return field === 'requests' || (found !== undefined && !isZeroQuantity(found));
  };
  return sumOfQuantities(list, new Map(overhead.filter(bears)));
}
