import type { UnknownObject } from '../../../server/src/base/json';
import type { Random } from '../mutate';

/** A seeded random generator for scenarios. */
export interface Draw {
  /** True with this probability. */
  chance(probability: number): boolean;
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  pick<T>(from: readonly T[]): T;
  /** Each item with this probability, in order. */
  some<T>(from: readonly T[], probability: number): readonly T[];
  /** Several different items, in any order. */
  sample<T>(from: readonly T[], count: number): readonly T[];
  /** The result of `make` with this probability. */
  maybe<T>(probability: number, make: () => T): T | undefined;
  times<T>(min: number, max: number, make: (index: number) => T): readonly T[];
}

export function drawFrom(random: Random): Draw {
  const chance = (probability: number): boolean => random() < probability;
  const int = (min: number, max: number): number => min + Math.floor(random() * (max - min + 1));
  return {
    chance,
    int,
    pick: from => from[int(0, from.length - 1)]!,
    some: (from, probability) => from.filter(() => chance(probability)),
    sample: (from, count) => {
      const left = [...from];
      return Array.from({ length: Math.min(count, left.length) }, () => left.splice(int(0, left.length - 1), 1)[0]!);
    },
    maybe: (probability, make) => (chance(probability) ? make() : undefined),
    times: (min, max, make) => Array.from({ length: int(min, max) }, (_, i) => make(i)),
  };
}

/** The object without fields that are undefined, an empty list or an empty object, at every depth. */
export function compact<T>(value: T): T {
  if (Array.isArray(value)) return value.map(compact) as T;
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value as UnknownObject).flatMap(([key, it]): [string, unknown][] => {
    const inner = compact(it);
    return isEmpty(inner) && !MEANT_EMPTY.has(key) ? [] : [[key, inner]];
  });
  return Object.fromEntries(entries) as T;
}

/** Fields for which an empty object differs from a missing one. */
const MEANT_EMPTY = new Set(['labelSelector', 'namespaceSelector', 'selector', 'emptyDir', 'preference', 'ephemeral']);

function isEmpty(value: unknown): boolean {
  if (value === undefined) return true;
  return value !== null && typeof value === 'object' && Object.keys(value).length === 0;
}
