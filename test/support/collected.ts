import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Has everything collected that nothing refers to. What was made in the job that asks is alive until that is over. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc') as () => void;
  // What is weakly referred to goes in the round after the one that finds it.
  for (let round = 0; round < 3; round += 1) {
    await new Promise(resolve => setImmediate(resolve));
    collect();
  }
}

/** Some of the values that a program makes, without keeping them. */
export interface Watched<T extends object> {
  readonly watch: (value: T) => T;
  /** Those that somebody still refers to. */
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
