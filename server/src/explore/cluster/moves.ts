import { controllerMoves } from './controllers';
import type { SchedulerMoves } from './scheduling';
import type { Move } from './search';
import type { ExploredState } from './state';
import type { ExploredWorld } from './world';

/** What happens next of itself: controllers and kubelets are done before the scheduler; empty: nothing. */
export function ownMoves(
  state: ExploredState,
  world: ExploredWorld,
  scheduler: SchedulerMoves,
): readonly Move<ExploredState>[] {
  const urgent = controllerMoves(state, world);
  return urgent.length > 0 ? urgent : scheduler.from(state);
}

/** Moves of a cluster as moves of a state that holds the cluster beside other things. */
export function movesWithin<State extends { readonly cluster: ExploredState }>(
  state: State,
  moves: readonly Move<ExploredState>[],
): readonly Move<State>[] {
  return moves.map(({ by, to }) => ({ by, to: { ...state, cluster: to } }));
}
