import { isSameValue } from './sameValue';

/**
 * What was made of objects before, so that an edit costs the objects that it changed. Whoever asks names all that the
 * answer hangs on; without a memory everything is made anew, and the answers are the same.
 */
export interface Memo {
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
  /** What tells the inputs from others. */
  readonly inputs: readonly unknown[];
  readonly value: unknown;
}

/** So many shared objects more than the first run made are kept; then everything is forgotten. */
const MOST_MORE = 2_000;

export function createMemo(): Memo {
  const latest = new Map<string, Kept>();
  const byObject = new Map<string, WeakMap<object, Kept>>();
  const { shared, alike } = sharing();
  const { same, begin } = sameness();
  const first: { shared: number | undefined } = { shared: undefined };
  const tokenOf = tokens();
  const current = <T>(found: Kept | undefined, inputs: readonly unknown[], make: () => T): Kept =>
    found && found.inputs.length === inputs.length && inputs.every((it, i) => found.inputs[i] === tokenOf(it))
      ? found
      : { inputs: inputs.map(tokenOf), value: make() };
  return {
    startRun() {
      begin();
      if (alike.size === 0) return;
      first.shared ??= alike.size;
      if (alike.size < 2 * first.shared + MOST_MORE) return;
      for (const it of [latest, byObject, alike]) it.clear();
      first.shared = undefined;
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
    same,
    shared,
  };
}

/**
 * A value as it is, and for an object a token that stands for it alone. What is kept with the tokens of its inputs does not
 * keep the inputs: they may hold all objects of a run that is long over.
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

/** For a run that nothing comes after: everything is made once, and kept as long as the run itself. */
export function noMemo(): Memo {
  return {
    startRun: () => undefined,
    last: (_purpose, _inputs, make) => make(),
    of: (_purpose, _object, _inputs, make) => make(),
    same: sameness().same,
    shared: sharing().shared,
  };
}

/** What a maker made under each name, in the last two runs that asked it: names may hang on policies, and change with them. */
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
