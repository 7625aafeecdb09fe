import type { UnknownObject as ClusterObject } from '../../../base/json';
import type { ClusterIndex } from '../../../cluster/sources/clusterIndex';
import type { Kube } from '../../../kube/kube';
import type { FieldPath } from '../../../manifest/fieldPath';
import type { Snapshot } from '../../../workspace/workspace';
import type { TypedPlace } from './typedPosition';

/** A possible value. */
export interface CompletionCandidate {
  readonly value: string | number;
  readonly detail?: string;
}

export interface SourceContext {
  readonly kube: Kube;
  readonly snapshot: Snapshot;
  /** The Node objects of the file's cluster. */
  readonly nodes: () => readonly ClusterObject[];
  readonly cluster: ClusterIndex | undefined;
}

/** The position of a value; `path` is that of its field, or of the list that it is an item of. */
export interface ValuePlace {
  readonly place: TypedPlace;
  readonly path: FieldPath;
}

export type Source = (at: ValuePlace, context: SourceContext) => readonly CompletionCandidate[];
