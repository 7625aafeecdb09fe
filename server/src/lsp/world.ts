import type { LayOut } from '../analysis/stateGraph';
import type { TextBundle } from '../disk/messages';
import type { PolicyEngine } from '../policy/engine/engine';
import type { ClusterWorld } from './clusterFeed';
import type { ComparingWorld } from './comparing/comparer';
import type { FilesWorld } from './indexing';
import type { RenderWorld } from './rendering';

/** What the server needs from outside. */
export interface ServerWorld extends FilesWorld {
  /** One spelling per file: clients and the disk may percent-encode a name differently. */
  readonly canonicalUri: (uri: string) => string;
  readonly readPack: (name: string) => Uint8Array;
  /** Translations of English messages; absent, or undefined for a language: messages are in English. */
  readonly messagesIn?: (locale: string, bundle: TextBundle) => Readonly<Record<string, string>> | undefined;
  /** Writes the files that are being processed to disk synchronously: after a crash the note names its cause. */
  readonly noteFiles?: (notePath: string, uris: readonly string[]) => void;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Milliseconds since a fixed point in time; monotonic. */
  readonly now: () => number;
  /** Evaluates policies; absent: they are not evaluated. */
  readonly policyEngine?: PolicyEngine;
  /** Absent: only the embedded cluster and that of the workspace are available. */
  readonly clusters?: ClusterWorld;
  /** Absent: nothing is rendered. */
  readonly rendering?: RenderWorld;
  /** Has Graphviz lay out a graph; absent: graphs have no picture. */
  readonly layOut?: LayOut;
  /** Starts a thread that compares placements; absent: the preview compares nothing. */
  readonly startComparing?: ComparingWorld['start'];
}
