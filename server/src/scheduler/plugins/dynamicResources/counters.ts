import type { DeviceModel } from '../../../cluster/devices/devices';
import { type AllocatedState, isAllocated } from './allocatedState';
import type { Pool } from './pools';

type Sums = Map<string, Map<string, bigint>>;

/** The counters of partitionable devices during one search: what is available, and what the search has reserved. */
export interface CounterBook {
  /**
   * Returns false and reserves nothing when a counter of the pool would be exceeded. Upstream: checkAvailableCounters.
   */
  reserve(device: DeviceModel, pool: Pool): boolean;
  release(device: DeviceModel, pool: Pool): void;
}

/** What claims leave of each pool's counters; the same for all nodes. */
export type AvailableCounters = (pool: Pool) => ReadonlyMap<string, ReadonlyMap<string, bigint>>;

export function availableCounters(allocated: AllocatedState): AvailableCounters {
  const cache = new Map<string, Sums>();
  return pool => {
    const found = cache.get(pool.id) ?? leftIn(pool, allocated);
    cache.set(pool.id, found);
    return found;
  };
}

function leftIn({ counterSets, slices, elsewhere }: Pool, allocated: AllocatedState): Sums {
  const left: Sums = new Map([...counterSets].map(([name, counters]) => [name, new Map(counters)]));
  for (const device of [...slices, ...elsewhere].flatMap(it => it.devices)) {
    if (device.consumesCounters.length > 0 && isAllocated(device, allocated)) add(left, device, -1n);
  }
  return left;
}

/** Counters without a sum are ignored; validated slices have none. */
function add(sums: Sums, { consumesCounters }: DeviceModel, sign: bigint): void {
  for (const { counterSet, counters } of consumesCounters) {
    const sum = sums.get(counterSet);
    for (const [name, amount] of counters) if (sum?.has(name)) sum.set(name, sum.get(name)! + sign * amount);
  }
}

export function counterBook(available: AvailableCounters): CounterBook {
  const left = new Map<string, Sums>();
  const leftOf = (pool: Pool): Sums => {
    const found = left.get(pool.id) ?? new Map([...available(pool)].map(([name, it]) => [name, new Map(it)]));
    left.set(pool.id, found);
    return found;
  };
  return {
    reserve(device, pool) {
      const sums = leftOf(pool);
      add(sums, device, -1n);
      // A counter that is exceeded already blocks every device, even one that does not consume it.
      const fits = [...sums.values()].every(set => [...set.values()].every(it => it >= 0n));
      if (!fits) add(sums, device, 1n);
      return fits;
    },
    release: (device, pool) => add(leftOf(pool), device, 1n),
  };
}
