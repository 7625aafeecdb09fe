import type { Replacement, SettleEnding } from '../../descheduler/settle';
import type { UpdateMode } from '../../descheduler/vpa/autoscaler';
import type { ReschedulerKind } from '../whatIf/eviction';

/** One Pod in one round. */
export interface EvictionRecord {
  /** NAMESPACE/NAME */
  readonly pod: string;
  readonly node: string;
  /** The plugin of the descheduler. */
  readonly plugin?: string;
  /** A clause. */
  readonly because: string;
}

/** The first of a list, and how many there are. */
export interface Truncated<T> {
  readonly first: readonly T[];
  readonly count: number;
}

export interface EvictionRounds {
  readonly evicted: Truncated<EvictionRecord>;
  /** Wanted, and kept from it in this round. */
  readonly kept: Truncated<EvictionRecord>;
  /** In place, without leaving. */
  readonly resized: Truncated<EvictionRecord>;
  /** Of those that are made again; those without a node first. */
  readonly landings: Truncated<Replacement>;
  readonly waiting: number;
  /** Nobody makes them again. */
  readonly lost: Truncated<string>;
}

/** The first rounds, and how many there are. */
export interface ReschedulerRun {
  readonly rounds: Truncated<EvictionRounds>;
}

type Place = { readonly uri: string; readonly offset: number };

export interface PreviewPolicy extends ReschedulerRun {
  /** The name of its file, or of the ConfigMap that holds it. */
  readonly name: string;
  readonly source?: Place;
  /** Why the descheduler does not start with it, a sentence each. */
  readonly errors: readonly string[];
  readonly ending?: SettleEnding;
  readonly notes: readonly string[];
}

export interface PreviewVpaMode extends ReschedulerRun {
  readonly mode: UpdateMode;
  /** Whether it is the mode that the VPA is in. */
  readonly isOwn: boolean;
  /** Pods that stay as they are in the end. */
  readonly left: Truncated<EvictionRecord>;
  /** There was no time for all of its rounds. */
  readonly isStopped: boolean;
}

export interface PreviewVpa {
  /** NAMESPACE/NAME */
  readonly name: string;
  readonly source?: Place;
  readonly pods: number;
  /** Amounts as they are written; of containers that get nothing new, nothing. */
  readonly containers: readonly {
    readonly name: string;
    readonly amounts: readonly { readonly what: string; readonly now: string; readonly wanted: string }[];
  }[];
  readonly hasRecommendation: boolean;
  /** Those that there was time for. */
  readonly modes: readonly PreviewVpaMode[];
  readonly notes: readonly string[];
}

/** What moves Pods of an environment, and what it would do. */
export interface PreviewReschedulers {
  readonly kind: ReschedulerKind;
  /** To be given back with what is shown of it. */
  readonly now: number;
  readonly policies: readonly PreviewPolicy[];
  readonly vpas: readonly PreviewVpa[];
  /** There was no time for more. */
  readonly isStopped: boolean;
}
