import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Waits until everything unreferenced is garbage-collected. Objects of the calling job live until it ends. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc') as () => void;
  // Weakly referenced objects are collected in the round after the one that finds them.
  for (let round = 0; round < 2; round += 1) {
    await new Promise(resolve => setImmediate(resolve));
    collect();
  }
}

/** Weak references to some values of a program. */
export interface Watched<T extends object> {
  readonly watch: (value: T) => T;
  /** The values that are still referenced. */
  readonly alive: () => readonly T[];
}

export function watched<T extends object>(): Watched<T> {
  const all = new Set<WeakRef<T>>();
  return {
    watch(value) {
      all.add(new WeakRef(value));
      return value;
    },
    alive: () => [...all].flatMap(it => it.deref() ?? []),
  };
}
