import type { PolicyEngine } from '../policy/engine/engine';
import type { ClusterWorld } from './clusterFeed';
import type { ComparingWorld } from './comparing/comparer';
import type { FilesWorld } from './indexing';
import type { RenderWorld } from './rendering';

/** The world outside the server: packs, files, and a pause that lets the connection's messages through. */
export interface ServerWorld extends FilesWorld {
  /** One spelling for each file: an editor and the disk may percent-encode its name in different ways. */
  readonly canonicalUri: (uri: string) => string;
  readonly readPack: (name: string) => Uint8Array;
  /** What is said in a language, by what it is in English; absent, or undefined for a language: everything is in English. */
  readonly messagesIn?: (locale: string) => Readonly<Record<string, string>> | undefined;
  /** Notes on disk, at once, which files are looked at now: what is left there after an end names its cause. */
  readonly noteFiles?: (notePath: string, uris: readonly string[]) => void;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Milliseconds since any fixed moment; never goes back. */
  readonly now: () => number;
  /** What evaluates policies; absent: they are not looked at. */
  readonly policyEngine?: PolicyEngine;
  /** Absent: there are no clusters but the embedded one and the workspace's. */
  readonly clusters?: ClusterWorld;
  /** Absent: nothing is rendered. */
  readonly rendering?: RenderWorld;
  /** Starts a thread that compares placements; absent: nothing is compared. */
  readonly startComparing?: ComparingWorld['start'];
}
