import type { UnknownObject } from '../base/json';
import { t } from '../base/l10n';
import { runToEnd, type Steps, untilCancelled } from '../base/steps';
import { withoutPods } from '../cluster/changes';
import type { RunOptions } from '../scheduler/scenario';
import type { Eviction, EvictionRefusal } from './evictor';
import type { DeschedulerPolicy } from './policy';
import type { RoundOptions } from './rounds';
import { descheduleOnce } from './run';
import { placePending, type Replacement } from './state';

export type { Replacement } from './state';

export interface DeschedulerRound {
  readonly evictions: readonly Eviction[];
  readonly refusals: readonly EvictionRefusal[];
  readonly landings: readonly Replacement[];
  /** NAMESPACE/NAME of evicted Pods that no controller makes again. */
  readonly lost: readonly string[];
}

/** How repeated runs of the descheduler end when nothing else changes the cluster. */
export type SettleEnding =
  /** After this many runs with evictions, a run evicts no Pod. */
  | { readonly kind: 'settles'; readonly rounds: number }
  /** After run `back` the state is the same as before run `from`, so the runs repeat forever. */
  | { readonly kind: 'cycle'; readonly from: number; readonly back: number; readonly states: number }
  /** `stopped`: the time was over. */
  | { readonly kind: 'unknown'; readonly rounds: number; readonly stopped?: true };

export interface SettleResult {
  /** The runs with evictions; the first is what happens now. */
  readonly rounds: readonly DeschedulerRound[];
  readonly ending: SettleEnding;
  readonly notes: readonly string[];
}

export interface SettleOptions extends RoundOptions {
  readonly run: RunOptions;
  /** Limit on the number of runs. */
  readonly maxRounds: number;
  /** Milliseconds since the epoch. */
  readonly now?: number;
}

/**
 * Runs the descheduler and the scheduler alternately: controllers make evicted Pods again and the scheduler places
 * them, until no Pod is evicted, a state repeats, or the limit of runs is reached.
 */
export function settle(
  objects: readonly UnknownObject[],
  policy: DeschedulerPolicy,
  options: SettleOptions,
): SettleResult {
  const { isCancelled, ...run } = options.run;
  return runToEnd(settleSteps(objects, policy, { ...options, run, isCancelled }));
}

/** The same in steps. */
export function* settleSteps(
  objects: readonly UnknownObject[],
  policy: DeschedulerPolicy,
  options: SettleOptions,
): Steps<SettleResult> {
  const { isCancelled } = options;
  const run: RunOptions = { ...options.run, expandWorkloads: true };
  const rounds: DeschedulerRound[] = [];
  const notes = new Set<string>();
  const roundOfState = new Map<string, number>();
  const end = (ending: SettleEnding): SettleResult => ({ rounds, ending, notes: [...notes] });
  const stop = (): SettleResult => end({ kind: 'unknown', rounds: rounds.length, stopped: true });
  const start = yield* untilCancelled(placePending(objects, run), isCancelled);
  if (start === 'cancelled') return stop();
  let { state } = start;
  for (let round = 1; round <= options.maxRounds; round++) {
    const from = roundOfState.get(state.key);
    if (from !== undefined) return end({ kind: 'cycle', from, back: round - 1, states: 2 * (round - from) });
    roundOfState.set(state.key, round);
    const descheduling = descheduleOnce(state.scenario, state.objects, policy, options.now);
    const found = yield* untilCancelled(descheduling, isCancelled);
    if (found === 'cancelled') return stop();
    const { evictions, refusals, notes: runNotes } = found;
    for (const it of runNotes) notes.add(it);
    if (evictions.length === 0) {
      for (const it of refusals) notes.add(t`${it.pod} stays, though ${it.plugin} would move it: ${it.because}.`);
      return end({ kind: 'settles', rounds: round - 1 });
    }
    const left = withoutPods(state.objects, new Set(evictions.map(it => it.pod)));
    const next = yield* untilCancelled(placePending(left.objects, run), isCancelled);
    if (next === 'cancelled') return stop();
    rounds.push({ evictions, refusals, landings: next.landings, lost: left.lost });
    options.onRound?.(left);
    yield;
    if (isCancelled?.() === true) return stop();
    state = next.state;
  }
  const from = roundOfState.get(state.key);
  return end(
    from === undefined
      ? { kind: 'unknown', rounds: options.maxRounds }
      : { kind: 'cycle', from, back: rounds.length, states: 2 * (rounds.length + 1 - from) },
  );
}
