import type { Replacement, SettleEnding } from '../../descheduler/settle';
import type { UpdateMode } from '../../descheduler/vpa/autoscaler';
import type { ReschedulerKind } from '../whatIf/eviction';

/** An eviction or resize of one Pod in one round. */
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
  /** Evictions that were prevented in this round. */
  readonly kept: Truncated<EvictionRecord>;
  /** Pods that are resized in place. */
  readonly resized: Truncated<EvictionRecord>;
  /** Where recreated Pods are placed; those without a node first. */
  readonly landings: Truncated<Replacement>;
  readonly waiting: number;
  /** Pods without a controller that recreates them. */
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
  /** Why the descheduler does not start with it; one sentence each. */
  readonly errors: readonly string[];
  readonly ending?: SettleEnding;
  readonly notes: readonly string[];
}

export interface PreviewVpaMode extends ReschedulerRun {
  readonly mode: UpdateMode;
  /** Whether it is the mode that the VPA is in. */
  readonly isOwn: boolean;
  /** Pods that are unchanged in the end. */
  readonly left: Truncated<EvictionRecord>;
  /** The time limit was reached before its last round. */
  readonly isStopped: boolean;
}

export interface PreviewVpa {
  /** NAMESPACE/NAME */
  readonly name: string;
  readonly source?: Place;
  readonly pods: number;
  /** Changed amounts as written; empty: the container is unchanged. */
  readonly containers: readonly {
    readonly name: string;
    readonly amounts: readonly { readonly what: string; readonly now: string; readonly wanted: string }[];
  }[];
  readonly hasRecommendation: boolean;
  /** Modes that were simulated within the time limit. */
  readonly modes: readonly PreviewVpaMode[];
  readonly notes: readonly string[];
}

/** What the descheduler or VPAs of an environment would do. */
export interface PreviewReschedulers {
  readonly kind: ReschedulerKind;
  /** The time of the simulation, to be sent back with requests about it. */
  readonly now: number;
  readonly policies: readonly PreviewPolicy[];
  readonly vpas: readonly PreviewVpa[];
  /** The time limit was reached. */
  readonly isStopped: boolean;
}
