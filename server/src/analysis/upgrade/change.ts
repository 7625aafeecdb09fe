import type { Problem } from '../../rules/framework/problem';

/** When a change is felt, the most urgent first. */
export const URGENCIES = ['apply', 'run', 'silent', 'tidy'] as const;

/**
 * apply: the object is refused; run: something stops working in the cluster; silent: the object means something else; tidy:
 * nothing breaks yet, or no longer.
 */
export type Urgency = (typeof URGENCIES)[number];

/** What is otherwise after the upgrade. */
export type UpgradeEffect =
  /** Its API version is gone. */
  | 'not-served'
  /** Refused, and accepted before. */
  | 'refused'
  /** Refused before and after, now for this, too. */
  | 'refused-otherwise'
  /** The server drops a field. */
  | 'dropped'
  /** The server no longer drops a field. */
  | 'kept'
  /** A field that is not written has another value, or none. */
  | 'default'
  | 'deprecated'
  | 'warning'
  /** Results of policies, Pod Security Standards among them. */
  | 'policy'
  /** A feature gate is gone or locked. */
  | 'gate'
  | 'placement'
  /** A known issue of Kubernetes that the object runs into. */
  | 'known-issue'
  /** A known issue that is left behind. */
  | 'mended'
  /** Any other problem. */
  | 'problem'
  /** A problem that ends. */
  | 'ended';

export interface UpgradeChange {
  readonly change: UpgradeEffect;
  readonly urgency: Urgency;
  /** The first version of the walk for which it holds. */
  readonly since: string;
  /** The first version for which it no longer does: it is met only on the way. */
  readonly until?: string;
  /** The minor in which a deprecated API version is to go. */
  readonly removedIn?: string;
  /** Of a change of placement. */
  readonly pods?: readonly PodChange[];
  /** Where it is, and what is to be said; of something that ends, what was to be said before. */
  readonly problem: Problem;
}

/** One Pod before and after. */
export interface PodChange {
  /** NAMESPACE/NAME */
  readonly pod: string;
  readonly before: PodPlace;
  readonly after: PodPlace;
}

export interface PodPlace {
  /** Absent: it has none. */
  readonly node?: string;
  /** The plugins that reject it, or the one that decides against the node that it had before. */
  readonly plugins?: readonly string[];
  /** The Pod that pushes it out. */
  readonly evictedBy?: string;
}

export interface UpgradeReport {
  /** The versions that are walked, the first and the last one included. */
  readonly versions: readonly string[];
  /** The most urgent first, then by file and place. */
  readonly changes: readonly UpgradeChange[];
  /** How many objects the API server refuses before and after, which is no change. */
  readonly stillRefused: number;
  /** What was not looked at, one sentence each. */
  readonly notes: readonly string[];
}
