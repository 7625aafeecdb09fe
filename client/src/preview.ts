import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { FromPreview, PreviewModel, ToPreview, WhatIf } from '../../server/src/analysis/preview';
import {
  type PreviewAnswer,
  type PreviewFiguresAnswer,
  type PreviewParams,
  type PreviewWhyAnswer,
  previewFiguresRequest,
  previewRequest,
  previewWhyRequest,
} from '../../server/src/lsp/protocol';
import { applySuggestion, saveExport } from './previewActions';

/** Argument of the command `berth.preview`, as code lenses give it: a Pod (NAMESPACE/NAME) and the file that has it. */
export interface PreviewSubject {
  readonly uri: string;
  readonly pod: string;
}

/** The placement preview: at most one panel, which follows the cursor and every change of the workspace. */
export interface Preview extends vscode.Disposable {
  /** Without a subject, that which stands under the cursor. */
  open(subject?: PreviewSubject): void;
  /** Asks the server anew, soon. */
  refresh(): void;
}

/** What the panel is about: a file of the workspace, and a place or a Pod in it. */
type Subject = { readonly uri: vscode.Uri } & ({ readonly position: vscode.Position } | { readonly pod: string });

const NOTHING_TRIED: WhatIf = { changes: [] };

/** Long enough to join the events of one keystroke, too short to be noticed. */
const settleMilliseconds = 120;

export function createPreview(client: LanguageClient, extension: vscode.Uri): Preview {
  let panel: vscode.WebviewPanel | undefined;
  let subject: Subject | undefined;
  let model: PreviewModel | undefined;
  let why: PreviewWhyAnswer = null;
  /** What is tried, as long as the panel is open. */
  let whatIf: WhatIf = NOTHING_TRIED;
  let timer: NodeJS.Timeout | undefined;
  let asking: vscode.CancellationTokenSource | undefined;

  const post = (message: ToPreview): void => void panel?.webview.postMessage(message);

  const explain = async (token?: vscode.CancellationToken): Promise<void> => {
    if (!subject || model?.chosen === undefined || !client.isRunning()) return;
    const params: PreviewParams = { ...toParams(client, subject), whatIf, pod: model.chosen };
    const told = await client.sendRequest<PreviewWhyAnswer>(previewWhyRequest, params, token);
    if (token?.isCancellationRequested || !told) return;
    why = told;
    post({ type: 'why', why: told.why });
  };

  const ask = async (): Promise<void> => {
    asking?.cancel();
    if (!panel?.visible) return;
    if (!client.isRunning()) {
      return post({ type: 'empty', reason: vscode.l10n.t('Open a Kubernetes manifest to see where its Pods land.') });
    }
    const source = new vscode.CancellationTokenSource();
    asking = source;
    try {
      const params = subject ? { ...toParams(client, subject), whatIf } : {};
      const answer = await client.sendRequest<PreviewAnswer>(previewRequest, params, source.token);
      if (source.token.isCancellationRequested) return;
      model = answer ?? undefined;
      why = null;
      post(
        answer
          ? { type: 'model', model: answer }
          : { type: 'empty', reason: vscode.l10n.t('There is no Pod to place.') },
      );
      if (answer && !answer.whyIsSlow) await explain(source.token);
    } catch (error) {
      if (source.token.isCancellationRequested) return;
      post({ type: 'empty', reason: vscode.l10n.t('The placement could not be computed: {0}', String(error)) });
    }
  };

  const compare = async (): Promise<void> => {
    if (!subject || !client.isRunning()) return;
    const params: PreviewParams = { ...toParams(client, subject), whatIf };
    post({ type: 'figures', figures: await client.sendRequest<PreviewFiguresAnswer>(previewFiguresRequest, params) });
  };

  const refresh = (): void => {
    if (!panel) return;
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), settleMilliseconds);
  };

  const choose = (next: Subject): void => {
    subject = next;
    refresh();
  };

  const follow = (editor: vscode.TextEditor | undefined): void => {
    if (editor && isManifest(editor.document)) choose({ uri: editor.document.uri, position: editor.selection.active });
  };

  const apply = async (pod: string, suggestion: number): Promise<void> => {
    const edit = why?.why.pod === pod ? why.edits[suggestion] : undefined;
    if (!edit) return;
    const title = why?.why.suggestions[suggestion]?.title ?? '';
    await applySuggestion(title, await client.protocol2CodeConverter.asWorkspaceEdit(edit));
  };

  const receive = (message: FromPreview): void => {
    if (message.type === 'ready') void ask();
    else if (message.type === 'reveal') void reveal(model, message.pod);
    else if (message.type === 'compare') void compare();
    else if (message.type === 'explain') void explain();
    else if (message.type === 'apply') void apply(message.pod, message.suggestion);
    else if (message.type === 'save') void saveExport(message.format, message.content);
    else if (message.type === 'try') {
      whatIf = message.whatIf;
      refresh();
    } else {
      const uri = subject?.uri ?? vscode.window.activeTextEditor?.document.uri;
      if (uri) choose({ uri, pod: message.pod });
    }
  };

  const create = (): vscode.WebviewPanel => {
    const created = vscode.window.createWebviewPanel(
      'berth.preview',
      vscode.l10n.t('Placement'),
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extension, 'dist')] },
    );
    created.webview.onDidReceiveMessage(receive);
    created.onDidChangeViewState(refresh);
    created.onDidDispose(() => {
      panel = undefined;
      whatIf = NOTHING_TRIED;
      asking?.cancel();
      clearTimeout(timer);
    });
    created.webview.html = page(created.webview, extension);
    return created;
  };

  const listeners = [
    vscode.window.onDidChangeTextEditorSelection(event => panel && follow(event.textEditor)),
    vscode.window.onDidChangeActiveTextEditor(editor => panel && follow(editor)),
    vscode.workspace.onDidChangeTextDocument(event => isManifest(event.document) && refresh()),
  ];

  return {
    open(wanted) {
      if (wanted) choose({ uri: vscode.Uri.parse(wanted.uri), pod: wanted.pod });
      else follow(vscode.window.activeTextEditor);
      if (panel) panel.reveal(undefined, true);
      else panel = create();
    },
    refresh,
    dispose() {
      panel?.dispose();
      for (const listener of listeners) listener.dispose();
    },
  };
}

function toParams(client: LanguageClient, subject: Subject): PreviewParams {
  const textDocument = { uri: client.code2ProtocolConverter.asUri(subject.uri) };
  if ('pod' in subject) return { textDocument, pod: subject.pod };
  return { textDocument, position: client.code2ProtocolConverter.asPosition(subject.position) };
}

/** Shows where a Pod is written, in the column in which its file is already open if it is. */
async function reveal(model: PreviewModel | undefined, pod: string): Promise<void> {
  const source = model?.pods.find(it => it.id === pod)?.source;
  if (!source) return;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(source.uri));
  const open = vscode.window.visibleTextEditors.find(it => it.document === document);
  const place = document.positionAt(source.offset);
  await vscode.window.showTextDocument(document, {
    viewColumn: open?.viewColumn ?? vscode.ViewColumn.One,
    selection: new vscode.Range(place, place),
  });
}

const isManifest = (document: vscode.TextDocument): boolean =>
  document.languageId === 'yaml' || document.languageId === 'json';

/** Nothing but the extension's own script and style may load; the script carries a nonce made for this page. */
function page(webview: vscode.Webview, extension: vscode.Uri): string {
  const nonce = randomBytes(18).toString('base64');
  const asset = (name: string): vscode.Uri => webview.asWebviewUri(vscode.Uri.joinPath(extension, 'dist', name));
  const policy = `default-src 'none'; style-src ${webview.cspSource} 'unsafe-inline'; script-src 'nonce-${nonce}'`;
  return `<!doctype html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${asset('preview.css')}">
<title>Placement</title>
</head>
<body>
<script nonce="${nonce}" src="${asset('preview.js')}"></script>
</body>
</html>`;
}
