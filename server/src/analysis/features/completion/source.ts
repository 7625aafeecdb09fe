import type { UnknownObject as ClusterObject } from '../../../base/json';
import type { ClusterIndex } from '../../../cluster/sources/clusterIndex';
import type { Kube } from '../../../kube/kube';
import type { FieldPath } from '../../../manifest/fieldPath';
import type { Snapshot } from '../../../workspace/workspace';
import type { TypedPlace } from './typedPosition';

/** What may be written somewhere. */
export interface CompletionCandidate {
  readonly value: string | number;
  readonly detail?: string;
}

export interface SourceContext {
  readonly kube: Kube;
  readonly snapshot: Snapshot;
  /** The Node objects of the cluster that the file belongs to. */
  readonly nodes: () => readonly ClusterObject[];
  readonly cluster: ClusterIndex | undefined;
}

/** Where a value is typed: `path` is that of the field that holds it, or of the list that it is an item of. */
export interface ValuePlace {
  readonly place: TypedPlace;
  readonly path: FieldPath;
}

export type Source = (at: ValuePlace, context: SourceContext) => readonly CompletionCandidate[];
