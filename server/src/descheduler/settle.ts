import { withoutPods } from '../cluster/changes';
import type { JsonObject } from '../cluster/model';
import { type RunOptions, simulate } from '../scheduler/scenario';
import type { Eviction, Refusal } from './evictor';
import type { DeschedulerPolicy } from './policy';
import { descheduleOnce } from './run';
import { type Landing, landingsOf, stateAfter } from './state';

export type { Landing } from './state';

export interface DeschedulerRound {
  readonly evictions: readonly Eviction[];
  readonly refusals: readonly Refusal[];
  readonly landings: readonly Landing[];
  /** Pods that nobody makes again. */
  readonly lost: readonly string[];
}

/** What becomes of a cluster where the descheduler runs again and again and nothing else happens. */
export type Ending =
  /** After so many runs that evicted somebody there is one that evicts nobody. */
  | { readonly kind: 'settles'; readonly rounds: number }
  /** After run `back` all is as it was before run `from`, so that it goes on like this for ever. */
  | { readonly kind: 'cycle'; readonly from: number; readonly back: number; readonly states: number }
  /** `stopped`: for want of time. */
  | { readonly kind: 'unknown'; readonly rounds: number; readonly stopped?: true };

export interface Settling {
  /** Those that evicted somebody; the first is what happens now. */
  readonly rounds: readonly DeschedulerRound[];
  readonly ending: Ending;
  readonly notes: readonly string[];
}

export interface SettleOptions {
  readonly run: RunOptions;
  /** No more runs than this. */
  readonly mostRounds: number;
  /** Milliseconds since the epoch. */
  readonly now?: number;
}

/** What a round leaves for the scheduler: nobody that left is placed again yet. */
export interface Left {
  readonly objects: readonly JsonObject[];
  /** NAMESPACE/NAME of Pods that nobody makes again. */
  readonly lost: readonly string[];
}

/**
 * Yields what each round leaves, and nothing where it only lets others have a turn; told to stop, it returns what it has so
 * far.
 */
export type Steps<T> = Generator<Left | undefined, T, 'stop' | undefined>;

/**
 * Lets the descheduler and the scheduler take turns: evicted Pods are made again by their controllers and placed, until
 * nobody is evicted any more, a state comes back, or there were too many runs.
 */
export function settle(objects: readonly JsonObject[], policy: DeschedulerPolicy, options: SettleOptions): Settling {
  return toTheEnd(settling(objects, policy, options));
}

export function toTheEnd<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same round by round, for whoever has other things to do in between. */
export function* settling(
  objects: readonly JsonObject[],
  policy: DeschedulerPolicy,
  options: SettleOptions,
): Steps<Settling> {
  const run: RunOptions = { ...options.run, expandWorkloads: true };
  const rounds: DeschedulerRound[] = [];
  const notes = new Set<string>();
  const seen = new Map<string, number>();
  let state = stateAfter(objects, simulate(objects, run));
  const end = (ending: Ending): Settling => ({ rounds, ending, notes: [...notes] });
  const stop = (): Settling => end({ kind: 'unknown', rounds: rounds.length, stopped: true });
  for (let round = 1; round <= options.mostRounds; round++) {
    const from = seen.get(state.key);
    if (from !== undefined) return end({ kind: 'cycle', from, back: round - 1, states: 2 * (round - from) });
    seen.set(state.key, round);
    if ((yield undefined) === 'stop') return stop();
    const { evictions, refusals, notes: said } = descheduleOnce(state.scenario, state.objects, policy, options.now);
    for (const it of said) notes.add(it);
    if (evictions.length === 0) {
      for (const it of refusals) notes.add(`${it.pod} stays, though ${it.plugin} would move it: ${it.because}.`);
      return end({ kind: 'settles', rounds: round - 1 });
    }
    if ((yield undefined) === 'stop') return stop();
    const left = withoutPods(state.objects, new Set(evictions.map(it => it.pod)));
    const simulation = simulate(left.objects, run);
    rounds.push({ evictions, refusals, landings: landingsOf(simulation), lost: left.lost });
    if ((yield left) === 'stop') return stop();
    state = stateAfter(left.objects, simulation);
  }
  const from = seen.get(state.key);
  return end(
    from === undefined
      ? { kind: 'unknown', rounds: options.mostRounds }
      : { kind: 'cycle', from, back: rounds.length, states: 2 * (rounds.length + 1 - from) },
  );
}
