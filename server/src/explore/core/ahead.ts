import type { PackedLayout } from './layout';
import { type ExpandedPart, LEFT, type StatesPart } from './part';
import type { StateStore } from './stateStore';

/** A part of a search that an expander may take. */
export interface OfferedPart extends StatesPart {
  readonly number: number;
  /** Shared, one integer: who has the part. */
  readonly state: Int32Array<SharedArrayBuffer>;
}

/** What the integer of an offered part says. `SEARCH`: the search expands these states itself. */
export const OFFERED = 0;
export const TAKEN = 1;
export const DONE = 2;
export const SEARCH = 3;

export type PartAnswer = ExpandedPart & { readonly number: number };

/** Expands parts in another thread, one after the other. */
export interface Expander {
  readonly offer: (part: OfferedPart) => void;
  /** The next answer that is there; each is there before its part is done. */
  readonly receive: () => PartAnswer | undefined;
  readonly end: () => void;
}

export interface AheadChoice {
  /** Called once, when there are enough states. */
  readonly start: () => readonly Expander[];
  /** absent: 2048 */
  readonly statesPerPart?: number;
  /** How long a part that was taken is waited for, after which its expander is given up, in milliseconds; absent: 1000. */
  readonly patience?: number;
}

/** What the expanders of one search know. The search inserts successors in its own order, so that all numbers stay. */
export interface ExpandingAhead {
  /** The successors of the next state, transitions of a part from `first`; undefined: the search must expand it itself. */
  readonly expanded: (state: number) => KnownSuccessors | undefined;
  readonly end: () => void;
}

export interface KnownSuccessors {
  readonly part: ExpandedPart;
  readonly first: number;
  readonly enabled: number;
}

/** A part that was offered and is not behind the search. */
interface PendingPart {
  readonly offered: OfferedPart;
  readonly first: number;
  readonly end: number;
  readonly expander: Expander;
}

const STATES_PER_PART = 2048;
const PATIENCE = 1000;
/** More parts are of no use to an expander: it is never idle with these. */
const PARTS_PER_EXPANDER = 4;
/** No expander is started for fewer parts. */
const FIRST_PARTS = 3;
/** Words of the states of a part, at most. */
const MOST_WORDS = 250_000;

/** Has expanders work ahead of a search, once enough states wait. */
export function expandAhead(
  { start, statesPerPart = STATES_PER_PART, patience = PATIENCE }: AheadChoice,
  store: StateStore,
): ExpandingAhead {
  let all: readonly Expander[] | undefined;
  /** Those that were not given up. */
  let able: readonly Expander[] = [];
  const pending: PendingPart[] = [];
  let offeredTo = 0;
  let size = statesPerPart;
  let numbers = 0;
  let ranges: StatesPart['ranges'] = [];
  let layout: PackedLayout | undefined;
  /** Of the first pending part: what is known, once the search is there. */
  let answer: ExpandedPart | 'none' | undefined;
  let transition = 0;

  function dropAll(): void {
    for (const { offered } of pending) Atomics.compareExchange(offered.state, 0, OFFERED, SEARCH);
    pending.length = 0;
    answer = undefined;
  }

  /** Offers states from the next one of the search on. */
  function offer(next: number): void {
    if (layout !== store.layout()) {
      dropAll();
      layout = store.layout();
      ranges = store.kept().ranges;
      size = Math.max(1, Math.min(statesPerPart, Math.floor(MOST_WORDS / layout.wordCount)));
      offeredTo = next;
    }
    offeredTo = Math.max(offeredTo, next);
    if (all === undefined) {
      if (store.count() - offeredTo < FIRST_PARTS * size) return;
      all = start();
      able = all;
    }
    while (pending.length < able.length * PARTS_PER_EXPANDER && store.count() - offeredTo >= size) {
      post(able[numbers % able.length]!, layout, size);
    }
  }

  function post(expander: Expander, { wordCount }: PackedLayout, count: number): void {
    const first = offeredTo;
    offeredTo += count;
    const words = store.words().slice(first * wordCount, offeredTo * wordCount);
    const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const offered = { number: numbers++, ranges, words, count, state };
    pending.push({ offered, first, end: offeredTo, expander });
    expander.offer(offered);
  }

  function answerOf({ offered, expander }: PendingPart): ExpandedPart | 'none' {
    const { state, number } = offered;
    if (Atomics.compareExchange(state, 0, OFFERED, SEARCH) === OFFERED) return 'none';
    Atomics.wait(state, 0, TAKEN, patience);
    if (Atomics.load(state, 0) !== DONE) {
      able = able.filter(it => it !== expander);
      return 'none';
    }
    for (let it = expander.receive(); it !== undefined; it = expander.receive()) if (it.number === number) return it;
    return 'none';
  }

  function expanded(state: number): KnownSuccessors | undefined {
    while (pending[0] !== undefined && state >= pending[0].end) {
      pending.shift();
      answer = undefined;
    }
    offer(state);
    const part = pending[0];
    if (part === undefined || state < part.first) return undefined;
    if (answer === undefined) {
      answer = answerOf(part);
      transition = 0;
    }
    if (answer === 'none') return undefined;
    const enabled = answer.enabled[state - part.first]!;
    if (enabled === LEFT) return undefined;
    transition += enabled;
    return { part: answer, first: transition - enabled, enabled };
  }

  return {
    expanded,
    end() {
      for (const it of all ?? []) it.end();
    },
  };
}

/** Expands an offered part, unless the search was quicker. @param send called before the part is done */
export function answerPart(
  { state, number, ...part }: OfferedPart,
  expand: (part: StatesPart) => ExpandedPart,
  send: (answer: PartAnswer) => void,
): void {
  if (Atomics.compareExchange(state, 0, OFFERED, TAKEN) !== OFFERED) return;
  send({ number, ...expand(part) });
  Atomics.store(state, 0, DONE);
  Atomics.notify(state, 0);
}
