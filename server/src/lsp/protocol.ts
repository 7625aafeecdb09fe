import type { Range, WorkspaceEdit } from 'vscode-languageserver/node';
import type { ClusterView } from '../analysis/analysis';
import type {
  PreviewDelta,
  PreviewModel,
  PreviewReschedulers,
  PreviewWhy,
  ReschedulerKind,
  WhatIf,
} from '../analysis/previewModel';

/** Requests and notifications beyond LSP; the client has the same names. */

export const previewRequest = 'berth/preview';
export interface PreviewParams {
  readonly textDocument?: { readonly uri: string };
  readonly position?: { readonly line: number; readonly character: number };
  /** NAMESPACE/NAME; wins over the position. Needs `textDocument` to tell the environment. */
  readonly pod?: string;
  /** What is tried; absent: the placement of the files. */
  readonly whatIf?: WhatIf;
  /**
   * The revision of the model that the client has, 0 where it has none: the answer has a revision and may be told in terms
   * of that model. Absent: the answer is a whole model.
   */
  readonly known?: number;
}
export type PreviewAnswer = PreviewModel | null;
/** To a client that says what it knows. */
export type PreviewUpdate = PreviewModel | PreviewDelta | null;

/** Why the Pod of `PreviewParams` is where it is, with the edits of suggestions as an editor makes them. */
export const previewWhyRequest = 'berth/previewWhy';
export type PreviewWhyAnswer = {
  readonly why: PreviewWhy;
  /** For each suggestion; null where no file can be changed so. */
  readonly edits: readonly (WorkspaceEdit | null)[];
} | null;

/**
 * Places in several ways, in a thread of its own. What is known comes as `PreviewComparison` under `partialResultToken`;
 * the answer is null when all of it was told. A new request ends the one before, and so does its cancellation.
 */
export const previewComparisonRequest = 'berth/previewComparison';
export interface PreviewComparisonParams extends PreviewParams {
  readonly partialResultToken: string | number;
}

/** The preview is closed: what was fetched for what it tried is let go. No parameters. */
export const previewClosedNotification = 'berth/previewClosed';

/** What the descheduler's policies or the VPAs of the environment of `PreviewParams` would do; null where nobody asks any more. */
export const previewReschedulersRequest = 'berth/previewMovers';
export interface PreviewReschedulersParams extends PreviewParams {
  readonly kind: ReschedulerKind;
}
export type PreviewReschedulersAnswer = PreviewReschedulers | null;

/** Something that placements depend on has changed. No parameters. */
export const changedNotification = 'berth/changed';

export const statusNotification = 'berth/status';
export interface StatusParams {
  readonly kubernetesVersion: string;
  /** "default cluster", "4 nodes of the workspace" */
  readonly cluster: string;
  /** Settings that could not be followed, one sentence each. */
  readonly problems: readonly string[];
}

/** The open documents that hold Kubernetes objects, told when they are others than before: an editor offers the preview there. */
export const manifestsNotification = 'berth/manifests';
export interface ManifestsParams {
  /** As the client spells them. */
  readonly uris: readonly string[];
}

/** The clusters of all environments, for the tree, which asks again after `berth/changed`. No parameters. */
export const clusterRequest = 'berth/cluster';
export type ClusterAnswer = readonly ClusterView[];

/** Asks for everything that clusters are made of anew. No parameters, no answer. */
export const refreshClusterRequest = 'berth/refreshCluster';

/** The contexts of the user's kubeconfig. No parameters. */
export const contextsRequest = 'berth/contexts';
export interface ContextsAnswer {
  readonly contexts: readonly string[];
  readonly current?: string;
  /** Why there are none, half a sentence. */
  readonly failure?: string;
}

/**
 * From the server: whether a program may be run for the credentials of a cluster that a berth.yaml names. Sent to clients
 * that say `remembersConsent`; of others the server asks `window/showMessageRequest`, once for each program and start.
 */
export const mayRunRequest = 'berth/mayRun';
export interface MayRunParams {
  /** The uri of the folder of the berth.yaml. */
  readonly folder: string;
  /** The context that it names; absent: the current one of the kubeconfig. */
  readonly context?: string;
  /** The command with its arguments. */
  readonly program: string;
}
export type MayRunAnswer = 'yes' | 'no';

/** From the client: its user takes back every `yes`. No parameters. */
export const consentForgottenNotification = 'berth/consentForgotten';

/** `initializationOptions`: what a client says of itself and of the server's earlier ends. */
export interface StartParams extends TrustParams {
  /** A file that the server may write: the uris that it looks at, a line each. */
  readonly notePath?: string;
  /** Uris of files that are not to be looked at. */
  readonly leaveOut?: readonly string[];
  /** Whether the server ended before without being asked to. */
  readonly isCareful?: boolean;
  /** The commands that the client runs itself when a code lens is clicked: `previewCommand`, `policyLocationsCommand`. */
  readonly commands?: readonly string[];
  /** Whether the client answers `berth/mayRun`. */
  readonly remembersConsent?: boolean;
}

/** From the client: whether its user trusts the workspace. Until it is told, nobody does. Also `initializationOptions`. */
export const trustNotification = 'berth/trust';
export interface TrustParams {
  readonly isTrusted: boolean;
}

/** Opens the placement preview; one argument: `PreviewSubject`. Only clients that have a preview can run it. */
export const previewCommand = 'berth.preview';
/** A file, and a Pod (NAMESPACE/NAME) of it or a tab of the preview. */
export interface PreviewSubject {
  readonly uri: string;
  readonly pod?: string;
  readonly look?: ReschedulerKind;
}

/**
 * Shows what a policy rejects; one argument: `PolicyLocationsParams`. The server runs it for clients that do not, by
 * `window/showDocument`.
 */
export const policyLocationsCommand = 'berth.showPolicyPlaces';

/** Asks for the text of a virtual document, what kustomize or helm made; null when there is none any more. */
export const renderedRequest = 'berth/rendered';
export interface RenderedParams {
  /** The uri of the virtual document with the scheme of files. */
  readonly uri: string;
}

/** What the policy at a position, or the rule of it that a lens names, rejects; all that it looked at when that is nothing. */
export const policyLocationsRequest = 'berth/policyPlaces';
export interface PolicyLocationsParams {
  readonly textDocument: { readonly uri: string };
  readonly position: { readonly line: number; readonly character: number };
  readonly rule?: string;
}
export type PolicyLocationsAnswer = readonly { readonly uri: string; readonly range: Range }[];

/** Every placement test of the workspace, for the explorer, which asks again after `berth/changed`. No parameters. */
export const testsRequest = 'berth/tests';
export type TestsAnswer = readonly {
  readonly uri: string;
  readonly tests: readonly { readonly name: string; readonly range: Range }[];
}[];

/** Runs the tests of a file on what the workspace holds now. */
export const runTestsRequest = 'berth/runTests';
export interface RunTestsParams {
  readonly textDocument: { readonly uri: string };
  /** Names; all when absent. */
  readonly only?: readonly string[];
}
export interface RunTestsAnswer {
  readonly results: readonly {
    readonly name: string;
    readonly failures: readonly { readonly expectation: string; readonly message: string; readonly range: Range }[];
    readonly notes: readonly string[];
  }[];
  /** Why nothing was run, a clause. */
  readonly problem?: string;
  /** What is to be written where, should the user accept these placements. */
  readonly toAccept?: { readonly uri: string; readonly text: string };
}
