import type { PreviewModel } from '../analysis/preview';

/** Requests and notifications beyond LSP; the client has the same names. */

export const previewRequest = 'berth/preview';
export interface PreviewParams {
  readonly textDocument?: { readonly uri: string };
  readonly position?: { readonly line: number; readonly character: number };
  /** NAMESPACE/NAME; wins over the position. Needs `textDocument` to tell the environment. */
  readonly pod?: string;
}
export type PreviewAnswer = PreviewModel | null;

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
