import { isSameValue } from './sameValue';

/**
 * Results of earlier runs, kept so that an edit costs time only for the objects that it changed. The caller lists every input
 * that a result depends on. With `noMemo` everything is computed again, with the same results.
 */
export interface Memo {
  /** To be called when a run begins: the memo drops entries only then. */
  startRun(): void;
  /** The result for a purpose; `make` is called unless the last inputs were identical (`===`, item by item). */
  last<T>(purpose: string, inputs: readonly unknown[], make: () => T): T;
  /** Like `last`, with one result for each object, which is held weakly. */
  of<T>(purpose: string, object: object, inputs: readonly unknown[], make: () => T): T;
  /** The value that `maker` last produced under a name if it is equal to `made`, so that identity shows a change; else `made`. */
  same<T>(maker: object, name: string, made: T): T;
  /** One shared object for each key, within a run and across runs. */
  shared<T extends object>(key: string, make: () => T): T;
}

interface Kept {
  /** The inputs, with a token in place of each object. */
  readonly inputs: readonly unknown[];
  readonly value: unknown;
}

/** The memo is emptied when it holds twice as many shared objects as after the first run, and this number more. */
const SPARE_SHARED = 2_000;

export function createMemo(): Memo {
  const latest = new Map<string, Kept>();
  const byObject = new Map<string, WeakMap<object, Kept>>();
  const { shared, alike } = sharing();
  const { same, begin } = sameness();
  const first: { shared: number | undefined } = { shared: undefined };
  const tokenOf = tokens();
  const isCurrent = (kept: Kept, inputs: readonly unknown[]): boolean => {
    if (kept.inputs.length !== inputs.length) return false;
    for (let i = 0; i < inputs.length; i++) if (kept.inputs[i] !== tokenOf(inputs[i])) return false;
    return true;
  };
  const current = <T>(found: Kept | undefined, inputs: readonly unknown[], make: () => T): Kept =>
    found && isCurrent(found, inputs) ? found : { inputs: inputs.map(tokenOf), value: make() };
  return {
    startRun() {
      begin();
      if (alike.size === 0) return;
      first.shared ??= alike.size;
      if (alike.size < 2 * first.shared + SPARE_SHARED) return;
      for (const it of [latest, byObject, alike]) it.clear();
      first.shared = undefined;
    },
    last<T>(purpose: string, inputs: readonly unknown[], make: () => T): T {
      const kept = current(latest.get(purpose), inputs, make);
      latest.set(purpose, kept);
      return kept.value as T;
    },
    of<T>(purpose: string, object: object, inputs: readonly unknown[], make: () => T): T {
      const entries = byObject.get(purpose) ?? new WeakMap<object, Kept>();
      byObject.set(purpose, entries);
      const found = entries.get(object);
      const kept = current(found, inputs, make);
      if (kept !== found) entries.set(object, kept);
      return kept.value as T;
    },
    same,
    shared,
  };
}

/**
 * Maps an object to a token of its own, and any other value to itself. An entry that keeps tokens does not keep the inputs
 * alive, which may hold all objects of an earlier run.
 */
function tokens(): (input: unknown) => unknown {
  const known = new WeakMap<object, object>();
  return input => {
    if ((typeof input !== 'object' || input === null) && typeof input !== 'function') return input;
    const found = known.get(input);
    if (found !== undefined) return found;
    const token = {};
    known.set(input, token);
    return token;
  };
}

/** A memo for a single run: it shares objects within the run and computes everything else. */
export function noMemo(): Memo {
  return {
    startRun: () => undefined,
    last: (_purpose, _inputs, make) => make(),
    of: (_purpose, _object, _inputs, make) => make(),
    same: sameness().same,
    shared: sharing().shared,
  };
}

/** What a maker produced under each name in its last two runs. Names may depend on policies and change with them. */
interface MadeByName {
  run: number;
  now: Map<string, unknown>;
  before: ReadonlyMap<string, unknown>;
}

function sameness(): Pick<Memo, 'same'> & { readonly begin: () => void } {
  const madeBy = new WeakMap<object, MadeByName>();
  const runs = { begun: 0 };
  const madeIn = (maker: object): MadeByName => {
    const known = madeBy.get(maker);
    if (known === undefined) {
      const first: MadeByName = { run: runs.begun, now: new Map(), before: new Map() };
      madeBy.set(maker, first);
      return first;
    }
    if (known.run !== runs.begun) Object.assign(known, { run: runs.begun, now: new Map(), before: known.now });
    return known;
  };
  return {
    begin() {
      runs.begun += 1;
    },
    same<T>(maker: object, name: string, made: T): T {
      const known = madeIn(maker);
      const before = known.now.get(name) ?? known.before.get(name);
      const kept = before !== undefined && isSameValue(before, made) ? (before as T) : made;
      known.now.set(name, kept);
      return kept;
    },
  };
}

function sharing(): Pick<Memo, 'shared'> & { readonly alike: Map<string, object> } {
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
