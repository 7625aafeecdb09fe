import type { UnknownObject } from '../base/json';
import type { IsCancelled } from '../base/steps';

/** The cluster right after a round's evictions: controllers have made the Pods again, the scheduler has not placed them yet. */
export interface AfterEvictions {
  readonly objects: readonly UnknownObject[];
  /** NAMESPACE/NAME of evicted Pods that no controller makes again. */
  readonly lost: readonly string[];
}

/** Observing and cancelling a simulation of several rounds. */
export interface RoundOptions {
  /** Asked between two steps; once it returns true, the result holds the rounds that are complete. */
  readonly isCancelled?: IsCancelled | undefined;
  /** Called at the end of each round that evicted or resized Pods. */
  readonly onRound?: ((after: AfterEvictions) => void) | undefined;
}
