import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { PreviewModel, ToPreview, WhatIf } from '../../server/src/analysis/preview';
import { changedBy, type PreviewDelta } from '../../server/src/analysis/previewDelta';
import type { MoverKind } from '../../server/src/analysis/previewMovers';
import {
  type PreviewMoversAnswer,
  type PreviewMoversParams,
  type PreviewNews,
  type PreviewParams,
  type PreviewWhyAnswer,
  previewClosedNotification,
  previewMoversRequest,
  previewRequest,
  previewWhyRequest,
} from '../../server/src/lsp/protocol';
import { applySuggestion, type Versions, versionsNow } from './previewActions';
import { createComparing } from './previewComparing';

/** What the panel is about: a file of the workspace, and a place or a Pod in it. */
export type Subject = { readonly uri: vscode.Uri } & (
  | { readonly position: vscode.Position }
  | { readonly pod: string }
);

const NOTHING_TRIED: WhatIf = { changes: [] };

/** What the preview asks of the server; each answer is posted. */
export interface Questions {
  subject(): Subject | undefined;
  model(): PreviewModel | undefined;
  /** From the next question on. */
  about(subject: Subject): void;
  attempt(whatIf: WhatIf): void;
  /** The answer to an earlier question no longer counts. */
  place(): Promise<void>;
  /** The page is a new one: the next model is posted as a whole. */
  pageIsNew(): void;
  explain(token?: vscode.CancellationToken): Promise<void>;
  /** What is known of the comparison is posted again and again, until everything is or it is stopped. */
  compare(): Promise<void>;
  stopComparing(): void;
  /** What is tried from the next question on, with this source of clusters. */
  attemptOn(source: string): void;
  /** Asks what movers would do, after what else is tried; an earlier question of the kind counts no more. */
  askMovers(kind: MoverKind): Promise<void>;
  /** A manifest is another one: from the next question on no mover is tried, as it would be followed anew with each keystroke. */
  edited(): void;
  /** Makes the change of a suggestion of the last explanation. */
  apply(pod: string, suggestion: number): Promise<void>;
  /** Nobody wants an answer any more, and nothing is tried. */
  stop(): void;
}

export function createQuestions(client: LanguageClient, post: (message: ToPreview) => void): Questions {
  let subject: Subject | undefined;
  let model: PreviewModel | undefined;
  let why: { readonly told: NonNullable<PreviewWhyAnswer>; readonly versions: Versions } | undefined;
  /** What is tried, as long as the panel is open. */
  let whatIf = NOTHING_TRIED;
  let asking: vscode.CancellationTokenSource | undefined;
  let following: vscode.CancellationTokenSource | undefined;
  const comparing = createComparing(client, post);

  const attemptElsewhere = (next: WhatIf): void => {
    whatIf = next;
    post({ type: 'trying', whatIf });
  };

  const params = (): PreviewParams => (subject ? { ...toParams(client, subject), whatIf } : {});

  const explain = async (token?: vscode.CancellationToken): Promise<void> => {
    if (model?.chosen === undefined || !client.isRunning()) return;
    const versions = versionsNow();
    const told = await client
      .sendRequest<PreviewWhyAnswer>(previewWhyRequest, { ...params(), pod: model.chosen }, token)
      .catch(() => null);
    if (token?.isCancellationRequested || !told) return;
    why = { told, versions };
    post({ type: 'why', why: told.why });
  };

  return {
    subject: () => subject,
    model: () => model,
    about(next) {
      subject = next;
    },
    attempt(next) {
      whatIf = next;
    },
    async place() {
      asking?.cancel();
      if (!client.isRunning()) {
        model = undefined;
        return post({ type: 'empty', reason: vscode.l10n.t('Open a Kubernetes manifest to see where its Pods land.') });
      }
      asking = new vscode.CancellationTokenSource();
      const { token } = asking;
      try {
        const before = model;
        const asked: PreviewParams = { ...params(), known: before?.revision ?? 0 };
        const answer = await client.sendRequest<PreviewNews>(previewRequest, asked, token);
        if (token.isCancellationRequested) return;
        model = answer ? modelOf(answer, before) : undefined;
        // What the page offers goes with its old model, and not before.
        why = undefined;
        if (!answer || !model) return post({ type: 'empty', reason: vscode.l10n.t('There is no Pod to place.') });
        post('lists' in answer ? { type: 'change', delta: answer } : { type: 'model', model: answer });
        if (!model.whyIsSlow) await explain(token);
      } catch (error) {
        if (token.isCancellationRequested) return;
        model = undefined;
        post({ type: 'empty', reason: vscode.l10n.t('The placement could not be computed: {0}', String(error)) });
      }
    },
    pageIsNew() {
      model = undefined;
    },
    explain,
    compare: () => comparing.compare(params()),
    stopComparing: comparing.stop,
    attemptOn(source) {
      attemptElsewhere({ ...whatIf, source });
    },
    async askMovers(kind) {
      following?.cancel();
      if (!client.isRunning()) return;
      following = new vscode.CancellationTokenSource();
      const { token } = following;
      const movers = await client
        .sendRequest<PreviewMoversAnswer>(
          previewMoversRequest,
          { ...params(), kind } satisfies PreviewMoversParams,
          token,
        )
        .catch(() => null);
      if (movers && !token.isCancellationRequested) post({ type: 'movers', movers });
    },
    edited() {
      const { mover, ...rest } = whatIf;
      if (mover) attemptElsewhere(rest);
    },
    async apply(pod, suggestion) {
      const { told, versions } = why?.told.why.pod === pod ? why : {};
      const edit = told?.edits[suggestion];
      if (!told || !versions || !edit) {
        void vscode.window.showWarningMessage(
          vscode.l10n.t('This suggestion is worked out anew. Try again in a moment.'),
        );
        return;
      }
      why = undefined;
      const title = told.why.suggestions[suggestion]?.title ?? '';
      await applySuggestion(title, await client.protocol2CodeConverter.asWorkspaceEdit(edit), versions);
    },
    stop() {
      whatIf = NOTHING_TRIED;
      asking?.cancel();
      comparing.stop();
      following?.cancel();
      if (client.isRunning()) void client.sendNotification(previewClosedNotification);
    },
  };
}

const modelOf = (answer: PreviewModel | PreviewDelta, before: PreviewModel | undefined): PreviewModel | undefined =>
  'lists' in answer ? before && changedBy(before, answer) : answer;

function toParams(client: LanguageClient, subject: Subject): PreviewParams {
  const textDocument = { uri: client.code2ProtocolConverter.asUri(subject.uri) };
  if ('pod' in subject) return { textDocument, pod: subject.pod };
  return { textDocument, position: client.code2ProtocolConverter.asPosition(subject.position) };
}
