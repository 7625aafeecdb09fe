import type { UnknownObject } from '../base/json';
import type { IsCancelled } from '../base/steps';

/** The cluster right after a round's evictions: controllers have made the Pods again, the scheduler has not placed them yet. */
export interface AfterEvictions {
  readonly objects: readonly UnknownObject[];
  /** NAMESPACE/NAME of evicted Pods that no controller makes again. */
  readonly lost: readonly string[];
}

/** How a simulation of several rounds is observed and ended early. */
export interface RoundOptions {
  /** Asked between two steps; the result then holds the rounds that are complete. */
  readonly isCancelled?: IsCancelled | undefined;
  /** Called at the end of each round that evicted or resized Pods. */
  readonly onRound?: ((after: AfterEvictions) => void) | undefined;
}
