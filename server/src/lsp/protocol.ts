import type { Range, WorkspaceEdit } from 'vscode-languageserver/node';
import type { ClusterView } from '../analysis/analysis';
import type {
  PreviewDelta,
  PreviewFit,
  PreviewModel,
  PreviewReschedulers,
  PreviewWhy,
  ReschedulerKind,
  WhatIf,
} from '../analysis/previewModel';
import type { StateGraphModel } from '../analysis/stateGraph';

/** Requests and notifications beyond LSP. The client has the same names. */

export const previewRequest = 'berth/preview';
export interface PreviewParams {
  readonly textDocument?: { readonly uri: string };
  readonly position?: { readonly line: number; readonly character: number };
  /** NAMESPACE/NAME; takes precedence over the position. Needs `textDocument` for the environment. */
  readonly pod?: string;
  /** Changes to try; absent: the placement of the files. */
  readonly whatIf?: WhatIf;
  /**
   * The revision of the model that the client has, 0 for none: the answer has a revision and may be a delta to that model.
   * Absent: the answer is a whole model.
   */
  readonly known?: number;
}
export type PreviewAnswer = PreviewModel | null;
/** The answer to a client that sends `known`. */
export type PreviewUpdate = PreviewModel | PreviewDelta | null;

/** Why the Pod of `PreviewParams` is on its node or pending, with edits for the suggestions. */
export const previewWhyRequest = 'berth/previewWhy';
export type PreviewWhyAnswer = {
  readonly why: PreviewWhy;
  /** One per suggestion; null: no file can be changed in this way. */
  readonly edits: readonly (WorkspaceEdit | null)[];
} | null;

/** Whether the Pod of `PreviewFitParams` would fit on a node; null: there is no such Pod or node, or it is no longer wanted. */
export const previewFitRequest = 'berth/previewFit';
export interface PreviewFitParams extends PreviewParams {
  readonly node: string;
}
export type PreviewFitAnswer = PreviewFit | null;

/**
 * Compares placements by several strategies, in a thread of its own. Partial results are `PreviewComparison`s under
 * `partialResultToken`; the answer is null when the comparison is complete. A new request cancels the previous one.
 */
export const previewComparisonRequest = 'berth/previewComparison';
export interface PreviewComparisonParams extends PreviewParams {
  readonly partialResultToken: string | number;
}

/** The preview was closed: clusters that only it needed are released. No parameters. */
export const previewClosedNotification = 'berth/previewClosed';

/** What the descheduler's policies or the VPAs of the environment of `PreviewParams` would do; null: cancelled. */
export const previewReschedulersRequest = 'berth/previewMovers';
export interface PreviewReschedulersParams extends PreviewParams {
  readonly kind: ReschedulerKind;
}
export type PreviewReschedulersAnswer = PreviewReschedulers | null;

/** The state graph of a system with the way to one of its findings; null: there is none, or it is no longer wanted. */
export const stateGraphRequest = 'berth/stateGraph';
export interface StateGraphParams {
  readonly textDocument: { readonly uri: string };
  /** The key of a finding; absent: the first one; '': none. */
  readonly finding?: string;
  /** How many steps a state may be away from the way; absent: any number, or 1 where more states could not be read. */
  readonly within?: number | 'all';
}
export type StateGraphAnswer = StateGraphModel | null;

/** The same part of the state graph as text; null: there is none, or its picture takes too long. */
export const stateGraphTextRequest = 'berth/stateGraphText';
export interface StateGraphTextParams extends StateGraphParams {
  readonly format: GraphTextFormat;
}
export type GraphTextFormat = 'svg' | 'dot' | 'mermaid';
export type StateGraphTextAnswer = string | null;

/**
 * Explores what could happen in the environment of a file; its problems then have the findings. Progress is a share under
 * `progressToken`. null: cancelled, it takes too long, or nothing describes the nodes.
 */
export const exploreRequest = 'berth/explore';
export interface ExploreParams {
  readonly textDocument: { readonly uri: string };
  readonly progressToken: string | number;
}
export interface ExploreAnswer {
  readonly findings: readonly {
    readonly message: string;
    readonly place?: { readonly uri: string; readonly range: Range };
  }[];
  /** What is true whatever happens, a clause each. */
  readonly holds: readonly string[];
  /** What a limit left open, a clause each. */
  readonly open: readonly string[];
}

/** Explores what could happen; one argument: `ExploreSubject`. */
export const exploreCommand = 'berth.explore';
export interface ExploreSubject {
  readonly uri: string;
}

/** Something that placements depend on has changed. No parameters. */
export const changedNotification = 'berth/changed';

export const statusNotification = 'berth/status';
export interface StatusParams {
  readonly kubernetesVersion: string;
  /** "example cluster", "4 nodes of the workspace" */
  readonly cluster: string;
  /** Settings that could not be applied, one sentence each. */
  readonly problems: readonly string[];
  /** Settings that are followed otherwise than written, one sentence each. */
  readonly notes: readonly string[];
}

/** To the server: for what cluster Berth speaks in one file, which may differ from that of the first folder. */
export const fileStatusRequest = 'berth/fileStatus';
export interface FileStatusParams {
  readonly uri: string;
}
export type FileStatusAnswer = Pick<StatusParams, 'kubernetesVersion' | 'cluster'>;

/** The open documents that hold Kubernetes objects, sent after each change of the list: the client offers the preview there. */
export const manifestsNotification = 'berth/manifests';
export interface ManifestsParams {
  /** As the client spells them. */
  readonly uris: readonly string[];
}

/** The clusters of all environments, for the tree, which requests them again after `berth/changed`. No parameters. */
export const clusterRequest = 'berth/cluster';
export type ClusterAnswer = readonly ClusterView[];

/** Fetches all clusters again. No parameters, no answer. */
export const refreshClusterRequest = 'berth/refreshCluster';

/** The contexts of the user's kubeconfig. No parameters. */
export const contextsRequest = 'berth/contexts';
export interface ContextsAnswer {
  readonly contexts: readonly string[];
  readonly current?: string;
  /** Why there are none, half a sentence. */
  readonly failure?: string;
}

/** To the server: folders of a workspace folder whose Nodes could serve the Pods of others. */
export const nodeFoldersRequest = 'berth/nodeFolders';
export interface NodeFoldersParams {
  /** The uri of a folder of the workspace. */
  readonly folder: string;
}
/** Paths in that folder, as `paths` of an environment in berth.yaml has them. */
export type NodeFoldersAnswer = readonly {
  readonly path: string;
  readonly nodes: number;
  readonly serves: readonly string[];
}[];

/**
 * From the server: whether a program may be run for credentials of a cluster that a berth.yaml names. Sent to clients with
 * `remembersConsent`. For others the server uses `window/showMessageRequest`, once for each program and start.
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

/** From the client: the user withdraws every `yes`. No parameters. */
export const consentForgottenNotification = 'berth/consentForgotten';

/** `initializationOptions`: the client's abilities, and facts about earlier crashes of the server. */
export interface StartParams extends TrustParams {
  /** The path of a note that the server may write: the uris that it processes, one per line. */
  readonly notePath?: string;
  /** Uris of files to leave out. */
  readonly leaveOut?: readonly string[];
  /** Whether the server has crashed before. */
  readonly isCareful?: boolean;
  /**
   * The commands that the client runs itself when a code lens is clicked: `previewCommand`, `policyLocationsCommand`,
   * `chooseClusterCommand`.
   */
  readonly commands?: readonly string[];
  /** Whether the client answers `berth/mayRun`. */
  readonly remembersConsent?: boolean;
}

/** From the client: whether the user trusts the workspace, which is untrusted before. Also in `initializationOptions`. */
export const trustNotification = 'berth/trust';
export interface TrustParams {
  readonly isTrusted: boolean;
}

/** Opens the state graph of a system; one argument: `StateGraphSubject`. Only for clients that can draw it. */
export const stateGraphCommand = 'berth.showStateGraph';
export interface StateGraphSubject {
  readonly uri: string;
  /** The key of a finding; absent: the first one. */
  readonly finding?: string;
}

/** Opens the placement preview; one argument: `PreviewSubject`. Only for clients that have a preview. */
export const previewCommand = 'berth.preview';
/** A file, with a Pod (NAMESPACE/NAME), a tab of the preview, or an order of arrival. */
export interface PreviewSubject {
  readonly uri: string;
  readonly pod?: string;
  readonly look?: ReschedulerKind;
  /** An order of arrival to be tried, NAMESPACE/NAME. */
  readonly order?: readonly string[];
  /** The way to a finding of an exploration. */
  readonly trail?: { readonly finding: string };
}

/**
 * Shows what a policy rejects; one argument: `PolicyLocationsParams`. For clients that cannot run it, the server does by
 * `window/showDocument`.
 */
/** Without arguments. */
export const chooseClusterCommand = 'berth.selectClusterSource';

export const policyLocationsCommand = 'berth.showPolicyPlaces';

/** The text of a virtual document that kustomize or helm rendered; null: it no longer exists. */
export const renderedRequest = 'berth/rendered';
export interface RenderedParams {
  /** The uri of the virtual document with the scheme of files. */
  readonly uri: string;
}

/** Objects that the policy at a position, or one rule of it, rejects; all that it evaluated when it rejects none. */
export const policyLocationsRequest = 'berth/policyPlaces';
export interface PolicyLocationsParams {
  readonly textDocument: { readonly uri: string };
  readonly position: { readonly line: number; readonly character: number };
  readonly rule?: string;
}
export type PolicyLocationsAnswer = readonly { readonly uri: string; readonly range: Range }[];

/** All placement tests of the workspace, for the explorer, which requests them again after `berth/changed`. No parameters. */
export const testsRequest = 'berth/tests';
export type TestsAnswer = readonly {
  readonly uri: string;
  readonly tests: readonly { readonly name: string; readonly range: Range }[];
}[];

/** Runs the tests of a file on the current workspace. */
export const runTestsRequest = 'berth/runTests';
export interface RunTestsParams {
  readonly textDocument: { readonly uri: string };
  /** Names of tests; absent: all. */
  readonly only?: readonly string[];
}
export interface RunTestsAnswer {
  readonly results: readonly {
    readonly name: string;
    readonly failures: readonly { readonly expectation: string; readonly message: string; readonly range: Range }[];
    readonly notes: readonly string[];
  }[];
  /** Why nothing was run; a clause. */
  readonly problem?: string;
  /** The file to write if the user accepts these placements. */
  readonly toAccept?: { readonly uri: string; readonly text: string };
}
