import type { JsonObject } from './model';

/**
 * What was made of objects before, so that an edit costs the objects that it changed. Whoever asks names all that the
 * answer hangs on; without a memory everything is made anew, and the answers are the same.
 */
export interface Memory {
  /** Asked when a run begins: only then may anything be forgotten. */
  startRun(): void;
  /** What `make` gave when it was last asked with the very same inputs. */
  last<T>(purpose: string, inputs: readonly unknown[], make: () => T): T;
  /** The same for each object; what was made of an object goes with it. */
  of<T>(purpose: string, object: object, inputs: readonly unknown[], make: () => T): T;
  /** What `maker` made before under a name, where that says the same as `made`; else `made` from now on. */
  same<T>(maker: object, name: string, made: T): T;
  /** One object for all that have the same key, during a run and from run to run. */
  shared<T extends object>(key: string, make: () => T): T;
}

interface Kept {
  readonly inputs: readonly unknown[];
  readonly value: unknown;
}

/** So many shared objects are kept; then everything is forgotten. */
const MOST_SHARED = 20_000;

export function createMemory(): Memory {
  const latest = new Map<string, Kept>();
  const byObject = new Map<string, WeakMap<object, Kept>>();
  const { shared, alike } = sharing();
  const current = <T>(found: Kept | undefined, inputs: readonly unknown[], make: () => T): Kept =>
    found && isSameList(found.inputs, inputs) ? found : { inputs, value: make() };
  return {
    startRun() {
      if (alike.size < MOST_SHARED) return;
      for (const it of [latest, byObject, alike]) it.clear();
    },
    last<T>(purpose: string, inputs: readonly unknown[], make: () => T): T {
      const kept = current(latest.get(purpose), inputs, make);
      latest.set(purpose, kept);
      return kept.value as T;
    },
    of<T>(purpose: string, object: object, inputs: readonly unknown[], make: () => T): T {
      const known = byObject.get(purpose) ?? new WeakMap<object, Kept>();
      byObject.set(purpose, known);
      const found = known.get(object);
      const kept = current(found, inputs, make);
      if (kept !== found) known.set(object, kept);
      return kept.value as T;
    },
    same: sameness(),
    shared,
  };
}

/** For a run that nothing comes after: everything is made once, and kept as long as the run itself. */
export function noMemory(): Memory {
  return {
    startRun: () => undefined,
    last: (_purpose, _inputs, make) => make(),
    of: (_purpose, _object, _inputs, make) => make(),
    same: sameness(),
    shared: sharing().shared,
  };
}

function sameness(): Memory['same'] {
  const madeBy = new WeakMap<object, Map<string, unknown>>();
  return <T>(maker: object, name: string, made: T): T => {
    const known = madeBy.get(maker) ?? new Map<string, unknown>();
    madeBy.set(maker, known);
    const before = known.get(name);
    if (before !== undefined && isSameValue(before, made)) return before as T;
    known.set(name, made);
    return made;
  };
}

function sharing(): Pick<Memory, 'shared'> & { readonly alike: Map<string, object> } {
  const alike = new Map<string, object>();
  return {
    alike,
    shared<T extends object>(key: string, make: () => T): T {
      const found = (alike.get(key) as T | undefined) ?? make();
      alike.set(key, found);
      return found;
    },
  };
}

/** Whether two lists hold the very same things in the same order. */
export function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a === b || (a.length === b.length && a.every((it, i) => it === b[i]));
}

/** Whether two JSON values say the same; cheap where they share most of their parts. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((it, i) => isSameValue(it, b[i]));
  }
  const keys = Object.keys(a);
  const [left, right] = [a as JsonObject, b as JsonObject];
  return keys.length === Object.keys(b).length && keys.every(it => it in right && isSameValue(left[it], right[it]));
}
