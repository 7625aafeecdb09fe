import type * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { PreviewModel, ReschedulerKind, WhatIf } from '../../../server/src/analysis/previewModel';
import { type PreviewParams, previewClosedNotification } from '../../../server/src/lsp/protocol';
import { createComparisonRequests } from './comparisonRequests';
import { createEvictionRequests } from './evictionRequests';
import { createExplanationRequests } from './explanationRequests';
import { createFitRequests } from './fitRequests';
import type { ToPreview } from './messages';
import { createPlacementRequests } from './placementRequests';

/** What the panel is about: a file of the workspace, and a position or a Pod in it. */
export type RequestSubject = { readonly uri: vscode.Uri } & (
  | { readonly position: vscode.Position }
  | { readonly pod: string }
);

const NOTHING_TRIED: WhatIf = { changes: [] };

/** The requests of the preview to the server; each answer is posted to the page. */
export interface PreviewRequests {
  subject(): RequestSubject | undefined;
  model(): PreviewModel | undefined;
  /** For the next requests. */
  setSubject(subject: RequestSubject): void;
  tryWhatIf(whatIf: WhatIf): void;
  /** Cancels an earlier request. */
  place(): Promise<void>;
  /** The page is a new one: the next model is posted as a whole. */
  pageIsNew(): void;
  explain(token?: vscode.CancellationToken): Promise<void>;
  /** Posts partial results until the comparison is complete or stopped. */
  compare(): Promise<void>;
  stopComparing(): void;
  /** Tries this source of clusters from the next request on. */
  trySource(source: string): void;
  /** Tries this order of arrival from the next request on. */
  tryOrder(order: readonly string[]): void;
  /** Follows the way to a finding of an exploration from the next request on. */
  followTrail(finding: string): void;
  /** Asks what the descheduler or VPAs would do, after everything else that is tried. Cancels an earlier request. */
  askEvictions(kind: ReschedulerKind): Promise<void>;
  /** Posts whether a Pod would fit on a node. Cancels an earlier request. */
  tryOn(pod: string, node: string): Promise<void>;
  /**
   * A manifest changed: no rescheduler is tried any more, since it would be simulated again with each keystroke, and what was
   * explored is no longer true.
   */
  edited(): void;
  /** Makes the change of a suggestion of the last explanation. */
  apply(pod: string, suggestion: number): Promise<void>;
  /** Cancels all requests and forgets what is tried. */
  stop(): void;
}

export function createPreviewRequests(client: LanguageClient, post: (message: ToPreview) => void): PreviewRequests {
  let subject: RequestSubject | undefined;
  /** What is tried, as long as the panel is open. */
  let whatIf = NOTHING_TRIED;
  const explaining = createExplanationRequests(client, post);
  const placing = createPlacementRequests(client, post, explaining.outdate);
  const comparing = createComparisonRequests(client, post);
  const following = createEvictionRequests(client, post);
  const fitting = createFitRequests(client, post);

  const attemptElsewhere = (next: WhatIf): void => {
    whatIf = next;
    post({ type: 'trying', whatIf });
  };

  const params = (): PreviewParams => (subject ? { ...toParams(client, subject), whatIf } : {});

  const explain = async (token?: vscode.CancellationToken): Promise<void> => {
    const chosen = placing.model()?.chosen;
    if (chosen !== undefined) await explaining.explain(params(), chosen, token);
  };

  return {
    subject: () => subject,
    model: placing.model,
    setSubject(next) {
      subject = next;
    },
    tryWhatIf(next) {
      whatIf = next;
    },
    async place() {
      const token = await placing.place(params());
      if (token && !placing.model()?.whyIsSlow) await explain(token);
    },
    pageIsNew: placing.forget,
    explain,
    compare: () => comparing.compare(params()),
    stopComparing: comparing.stop,
    trySource(source) {
      attemptElsewhere({ ...whatIf, source });
    },
    tryOrder(order) {
      const { mover: _, trail: __, ...rest } = whatIf;
      attemptElsewhere({ ...rest, order });
    },
    followTrail(finding) {
      attemptElsewhere({ changes: [], trail: { finding } });
    },
    askEvictions: kind => following.ask(params(), kind),
    tryOn: (pod, node) => fitting.ask({ ...params(), pod, node }),
    edited() {
      const { mover, trail, ...rest } = whatIf;
      if (mover || trail) attemptElsewhere(rest);
    },
    apply: explaining.apply,
    stop() {
      whatIf = NOTHING_TRIED;
      for (const it of [placing, comparing, following, fitting]) it.stop();
      if (client.isRunning()) void client.sendNotification(previewClosedNotification);
    },
  };
}

function toParams(client: LanguageClient, subject: RequestSubject): PreviewParams {
  const textDocument = { uri: client.code2ProtocolConverter.asUri(subject.uri) };
  if ('pod' in subject) return { textDocument, pod: subject.pod };
  return { textDocument, position: client.code2ProtocolConverter.asPosition(subject.position) };
}
