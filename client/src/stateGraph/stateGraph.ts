import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { StateGraphModel } from '../../../server/src/analysis/stateGraph';
import {
  type GraphTextFormat,
  type StateGraphAnswer,
  type StateGraphParams,
  type StateGraphSubject,
  type StateGraphTextAnswer,
  type StateGraphTextParams,
  stateGraphRequest,
  stateGraphTextRequest,
} from '../../../server/src/lsp/protocol';
import { type GraphExportFormat, saveExport } from '../preview/actions';
import { pageHtml } from '../webviewPage';
import { type FromGraph, isFromGraph, type ToGraph } from './messages';

/** The state graph of a system: at most one panel, which follows the changes of its file. */
export interface StateGraphView extends vscode.Disposable {
  /** Without a subject: the file of the active editor. */
  open(subject?: StateGraphSubject): Promise<void>;
}

/** Long enough to join the events of one keystroke. */
const SETTLE_MILLISECONDS = 300;

/** What is shown. */
interface Shown {
  readonly uri: vscode.Uri;
  readonly params: StateGraphParams;
}

/** @param started Resolves once the language server runs. */
export function createStateGraph(started: Promise<LanguageClient>, extension: vscode.Uri): StateGraphView {
  const state: {
    panel?: vscode.WebviewPanel | undefined;
    shown?: Shown;
    graph?: StateGraphModel | undefined;
    asking?: vscode.CancellationTokenSource;
    timer?: NodeJS.Timeout;
  } = {};
  const post = (message: ToGraph): void => void state.panel?.webview.postMessage(message);

  async function ask(): Promise<void> {
    state.asking?.cancel();
    state.asking = new vscode.CancellationTokenSource();
    const { token } = state.asking;
    const { shown } = state;
    if (!shown) return;
    const client = await started;
    const answer = await client
      .sendRequest<StateGraphAnswer>(stateGraphRequest, shown.params, token)
      .catch((error: unknown) => String(error));
    if (token.isCancellationRequested) return;
    state.graph = answer === null || typeof answer === 'string' ? undefined : answer;
    if (state.graph) post({ type: 'graph', graph: state.graph });
    else post({ type: 'empty', reason: typeof answer === 'string' ? answer : NOTHING() });
  }

  function answer(message: FromGraph): void {
    const { shown, graph } = state;
    if (!shown) return;
    if (message.type === 'ready') void ask();
    else if (message.type === 'reveal') void reveal(shown.uri, graph, message.at);
    else if (message.type === 'export') void exported(shown, graph, message.format, started);
    else {
      const { finding, within } = message;
      const { textDocument } = shown.params;
      state.shown = { ...shown, params: { textDocument, finding, ...(within !== undefined && { within }) } };
      void ask();
    }
  }

  const create = (): vscode.WebviewPanel =>
    openPanel(extension, answer, () => {
      state.panel = undefined;
      state.asking?.cancel();
      clearTimeout(state.timer);
    });

  const listener = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (!state.panel || contentChanges.length === 0) return;
    if (document.uri.toString() !== state.shown?.uri.toString()) return;
    clearTimeout(state.timer);
    state.timer = setTimeout(() => void ask(), SETTLE_MILLISECONDS);
  });

  return {
    async open(subject) {
      const uri = subject ? vscode.Uri.parse(subject.uri) : vscode.window.activeTextEditor?.document.uri;
      if (!uri) return;
      const client = await started;
      const textDocument = { uri: client.code2ProtocolConverter.asUri(uri) };
      const { finding } = subject ?? {};
      state.shown = { uri, params: { textDocument, ...(finding !== undefined && { finding }) } };
      if (state.panel) {
        state.panel.reveal(undefined, true);
        await ask();
      } else state.panel = create();
    },
    dispose() {
      state.panel?.dispose();
      listener.dispose();
    },
  };
}

/** Opens the page beside the editor. */
function openPanel(
  extension: vscode.Uri,
  received: (message: FromGraph) => void,
  closed: () => void,
): vscode.WebviewPanel {
  const title = vscode.l10n.t('State Graph');
  const panel = vscode.window.createWebviewPanel(
    'berth.stateGraph',
    title,
    { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
    { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extension, 'dist')] },
  );
  panel.webview.onDidReceiveMessage((message: unknown) => isFromGraph(message) && received(message));
  panel.onDidDispose(closed);
  panel.webview.html = pageHtml(panel.webview, extension, { bundle: 'graph', title });
  return panel;
}

const NOTHING = (): string => vscode.l10n.t('There is no system here, or its text has errors.');

/** Selects the step in its file, and leaves the focus where it is. */
async function reveal(uri: vscode.Uri, graph: StateGraphModel | undefined, at: number): Promise<void> {
  const span = graph?.way[at]?.step?.span;
  if (!span) return;
  const document = await vscode.workspace.openTextDocument(uri);
  const open = vscode.window.visibleTextEditors.find(it => it.document === document);
  await vscode.window.showTextDocument(document, {
    viewColumn: open?.viewColumn ?? vscode.ViewColumn.One,
    selection: new vscode.Range(document.positionAt(span.start), document.positionAt(span.end)),
    preserveFocus: true,
  });
}

const EXTENSIONS: Readonly<Record<GraphTextFormat, GraphExportFormat>> = { svg: 'svg', dot: 'dot', mermaid: 'mmd' };

async function exported(
  { params }: Shown,
  graph: StateGraphModel | undefined,
  format: GraphTextFormat,
  started: Promise<LanguageClient>,
): Promise<void> {
  const client = await started;
  const request: StateGraphTextParams = { ...params, format };
  const text = await client.sendRequest<StateGraphTextAnswer>(stateGraphTextRequest, request).catch(() => null);
  if (text !== null) await saveExport(EXTENSIONS[format], text, graph?.system.replace(/[^\w.-]/g, '-'));
  else
    void vscode.window.showWarningMessage(vscode.l10n.t('The state graph could not be exported: it takes too long.'));
}
