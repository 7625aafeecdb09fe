import type { ExpandedSystem, Expander } from '../analysis/explore';
import type { Solve } from '../analysis/previewComparison';
import type { RunTool } from '../analysis/rendering';
import type { LayOut } from '../analysis/stateGraph';
import type { Bounds } from '../disk/within';
import type * as Live from '../live/main';
import type { PolicyEngine } from '../policy/engine/engine';
import type { CheckingAnswer, CheckingInput } from './threads/checkingMessages';

/** The bundle of the solver. */
export interface SolverModule {
  loadSolver(): Promise<Solve>;
}

/** The bundle for live clusters, as far as the command needs it. */
export type LiveModule = Pick<typeof Live, 'readLive'>;

/**
 * What stands at a path. `other`: a socket, a device, anything that is neither file nor folder. `outside`: it leads out of
 * the bounds, and was not looked at.
 */
export type PathEntry =
  | { readonly kind: 'file'; readonly bytes: number }
  | { readonly kind: 'folder' | 'missing' | 'other' | 'outside' }
  | { readonly kind: 'failure'; readonly reason: string };

export type Fallible<T> = { readonly value: T } | { readonly failure: string };

export interface ListedEntry {
  readonly name: string;
  /** Links are not followed. */
  readonly kind: 'file' | 'folder' | 'link';
}

/** Everything the command may ask of the outside. Only `cli/main` makes a real one. */
export interface OuterWorld {
  readonly version: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether standard output is a terminal that shows colours. */
  readonly colours: boolean;
  /** How many columns the terminal has that standard output is; undefined: it is none, and lines may have any length. */
  readonly columns?: number;
  /** Shows on a terminal what the command is at, in place of what it showed before; '' takes that away. */
  readonly progress?: (text: string) => void;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Bytes of a file of server/data/kubernetes. */
  readonly readPack: (name: string) => Uint8Array;
  /** What evaluates the policies that users bring; it costs nothing before the first policy. */
  readonly policyEngine: PolicyEngine;
  readonly readInput: () => Promise<Fallible<Uint8Array>>;
  readonly entry: (path: string, bounds: Bounds) => Promise<PathEntry>;
  /** The bytes of a path that is a file by `entry`, at most so many: of a manifest when not given. */
  readonly read: (path: string, bounds: Bounds, most?: number) => Promise<Fallible<Uint8Array>>;
  /** Entries of a folder, in any order. */
  readonly list: (folder: string) => Promise<Fallible<readonly ListedEntry[]>>;
  /** The path from the root of the file system, with forward slashes. */
  readonly absolute: (path: string) => string;
  /** The same without links; where there is nothing, the path with its links. */
  readonly real: (path: string) => Promise<string>;
  /** The user's own folder. */
  readonly home: string;
  /** Sends JSON by POST; gives what came back, whatever its status. Asked for with --ask-extenders only. */
  readonly post: (
    url: string,
    body: string,
    timeout: number,
  ) => Promise<Fallible<{ readonly status: number; readonly text: string }>>;
  /** Makes the pages of codes be in the language of the editor that asked; to be called before one is shown. */
  readonly learnPages?: () => void;
  /** Receives the number of characters that will be checked, before they are. */
  readonly expect?: (characters: number) => void;
  /** Has V8 optimize later, for much code that runs seldom. */
  readonly optimizeLater?: () => void;
  /** Writes a file in place of one that is there. */
  readonly write: (path: string, content: string | Uint8Array) => Promise<Fallible<void>>;
  /** What asks live clusters; loaded when it is first called. */
  readonly live: () => LiveModule;
  /** What solves integer programmes; loaded when it is first called. */
  readonly solver: () => Promise<Solve>;
  /** Has Graphviz lay out a graph, in a thread; loaded when it is first called. */
  readonly layOut: LayOut;
  /** Starts one of the user's own tools. Asked for with --render only. */
  readonly runProcess: RunTool;
  /** Has a thread of its own do what `checking.checkInThread` does. Rejects where that ends without an answer. */
  readonly checkInThread: (input: CheckingInput) => Promise<CheckingAnswer>;
  /** Starts a thread that expands states of a system, and must be ended. */
  readonly expandInThread: (system: ExpandedSystem) => Expander;
  /** Hands standard input and output over to the language server. */
  readonly startServer: () => void;
}

/** The outside as a verb sees it, with the options of its command line about that. */
export interface CliWorld extends OuterWorld {
  readonly borders: Borders;
  /** Whether programs of a kubeconfig may be run for a cluster that a file of the workspace names. */
  readonly namedPlugins: 'allowed' | 'refused';
}

/** The command was asked for something it cannot do; the message is one sentence for the user. */
export class UsageError extends Error {}

/** A path that was not read, as it leads out of what the command line names. */
export interface Skipped {
  readonly path: string;
  readonly reason: string;
}

/**
 * How far a command looks: what its arguments name it reads wherever they say, and what a file of a folder names, or a link
 * in it leads to, only within the repository of that folder, or within the folder where there is none.
 */
export interface Borders {
  /**
   * How far a path that the command line names may lead: anywhere, but out of the repository that it is written to be in,
   * as its links are others' words, not the user's.
   */
  readonly named: (path: string) => Promise<Bounds>;
  readonly of: (folder: string) => Promise<Bounds>;
  /** The same for what files of the user's own name: where there is no repository, the present folder counts as one. */
  readonly around: (folder: string) => Promise<Bounds>;
  /** The folder up to which a configuration is looked for from a folder on: a full path. */
  readonly searched: (folder: string) => Promise<string>;
  /** Tells of a link that leads out, once. */
  readonly skip: (path: string) => void;
  readonly skipped: () => readonly Skipped[];
}
