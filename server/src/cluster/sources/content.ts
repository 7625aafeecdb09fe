import type { UnknownObject } from '../../base/json';

/** An object of which only the name is known. */
export interface NamedObject {
  readonly group: string;
  readonly kind: string;
  /** Absent for a cluster-scoped kind. */
  readonly namespace?: string;
  readonly name: string;
}

/** What a source knows about one kind. */
export interface KindListing {
  readonly group: string;
  readonly kind: string;
  /** listed: the content has all objects; partial: some of them; unserved: the server has no such kind. */
  readonly state: 'listed' | 'partial' | 'forbidden' | 'unserved' | 'failed' | 'loading';
  /** The listed namespaces; absent: the whole cluster. */
  readonly namespaces?: readonly string[];
  /** One sentence for states other than `listed`. */
  readonly reason?: string;
}

/** The content of a source at one moment: plain data, given to the analysis by the reader of a file or a server. */
export interface ClusterContent {
  readonly state: 'loading' | 'ready' | 'unreachable';
  /** Why the cluster is unreachable, or the file unreadable. */
  readonly reason?: string;
  /** The program for credentials that was not run, since it needs the user's consent. */
  readonly program?: string;
  readonly objects: readonly UnknownObject[];
  readonly names: readonly NamedObject[];
  readonly listings: readonly KindListing[];
  /** A version such as 1.37, 1.37.2 or 1.34.2-gke.1200, where the source has it. */
  readonly kubernetesVersion?: string;
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** What could not be read from the source, one sentence each. */
  readonly notes: readonly string[];
}

export const EMPTY_CONTENT: ClusterContent = { state: 'ready', objects: [], names: [], listings: [], notes: [] };

export const loadingContent: ClusterContent = { ...EMPTY_CONTENT, state: 'loading' };

export function unreachable(reason: string, program?: string): ClusterContent {
  return { ...EMPTY_CONTENT, state: 'unreachable', reason, ...(program !== undefined && { program }) };
}
