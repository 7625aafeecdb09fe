import type { UnknownObject } from '../../base/json';

/** An object of which no more than the name is known. */
export interface NamedObject {
  readonly group: string;
  readonly kind: string;
  /** Absent for a cluster-scoped kind. */
  readonly namespace?: string;
  readonly name: string;
}

/** What a source could say about one kind. */
export interface KindListing {
  readonly group: string;
  readonly kind: string;
  /**
   * listed: everything there was is in the content; partial: it holds some of it; unserved: the server has no such kind.
   */
  readonly state: 'listed' | 'partial' | 'forbidden' | 'unserved' | 'failed' | 'loading';
  /** The namespaces that were listed; absent: all of the cluster. */
  readonly namespaces?: readonly string[];
  /** One sentence for states other than `listed`. */
  readonly reason?: string;
}

/** What a source holds at one moment: plain data, handed to analysis by whoever read a file or asked a server. */
export interface ClusterContent {
  readonly state: 'loading' | 'ready' | 'unreachable';
  /** Why it is unreachable, or a file unreadable. */
  readonly reason?: string;
  /** What would have to be run for credentials, and was not: it needs somebody's leave. */
  readonly program?: string;
  readonly objects: readonly UnknownObject[];
  readonly names: readonly NamedObject[];
  readonly listings: readonly KindListing[];
  /** A minor such as 1.37, where the source tells it. */
  readonly kubernetesVersion?: string;
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** What could not be taken over from the source, one sentence each. */
  readonly notes: readonly string[];
}

export const EMPTY_CONTENT: ClusterContent = { state: 'ready', objects: [], names: [], listings: [], notes: [] };

export const loadingContent: ClusterContent = { ...EMPTY_CONTENT, state: 'loading' };

export function unreachable(reason: string, program?: string): ClusterContent {
  return { ...EMPTY_CONTENT, state: 'unreachable', reason, ...(program !== undefined && { program }) };
}
