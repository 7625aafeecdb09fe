import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { PreviewModel, ReschedulerKind } from '../../../server/src/analysis/previewModel';
import { type ContextsAnswer, contextsRequest, type PreviewSubject } from '../../../server/src/lsp/protocol';
import { pickContext } from '../status';
import { isManifest } from '../workspaceFiles';
import { saveExport } from './actions';
import type { FromPreview, ToPreview } from './messages';
import { openPage } from './page';
import { createPreviewRequests, type PreviewRequests, type RequestSubject } from './requests';

/** The placement preview: at most one panel, which follows the cursor and every change of the workspace. */
export interface Preview extends vscode.Disposable {
  /** A menu gives a file, a code lens its subject; without either it shows what is under the cursor. */
  open(subject?: PreviewSubject | vscode.Uri): void;
  /** Requests the placement again, after a short while. */
  refresh(): void;
}

/** Long enough to join the events of one keystroke, too short to be noticed. */
const settleMilliseconds = 120;

export function createPreview(client: LanguageClient, extension: vscode.Uri): Preview {
  let panel: vscode.WebviewPanel | undefined;
  let timer: NodeJS.Timeout | undefined;
  const post = (message: ToPreview): void => void panel?.webview.postMessage(message);
  const questions = createPreviewRequests(client, post);
  const tabRequest = createTabRequest(post);

  const refresh = (): void => {
    if (!panel) return;
    clearTimeout(timer);
    timer = setTimeout(() => panel?.visible && void questions.place(), settleMilliseconds);
  };

  const choose = (next: RequestSubject): void => {
    questions.setSubject(next);
    refresh();
  };

  const follow = (editor: vscode.TextEditor | undefined): void => {
    if (editor && isManifest(editor.document)) choose({ uri: editor.document.uri, position: editor.selection.active });
  };

  const create = (): vscode.WebviewPanel =>
    openPage(extension, {
      received: message => answer(message, { client, questions, choose, showTab: tabRequest.pageIsReady, refresh }),
      shown(page) {
        if (!page.visible) questions.stopComparing();
        refresh();
      },
      closed() {
        panel = undefined;
        tabRequest.pageIsGone();
        questions.stop();
        clearTimeout(timer);
      },
    });

  const listeners = listening({ isOpen: () => panel !== undefined, follow, edited: questions.edited, refresh });

  return {
    open(given) {
      const wanted = given instanceof vscode.Uri ? subjectOfMenu(given) : given;
      if (wanted) choose(subjectOf(wanted));
      else follow(vscode.window.activeTextEditor);
      if (wanted?.order) questions.tryOrder(wanted.order);
      if (wanted?.trail) questions.followTrail(wanted.trail.finding);
      tabRequest.set(wanted?.look);
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

/** Menus of the active editor give its file alone: there the cursor is used. */
function subjectOfMenu(file: vscode.Uri): PreviewSubject | undefined {
  const isActive = vscode.window.activeTextEditor?.document.uri.toString() === file.toString();
  return isActive ? undefined : { uri: file.toString() };
}

function subjectOf({ uri, pod }: PreviewSubject): RequestSubject {
  const parsed = vscode.Uri.parse(uri);
  return pod === undefined ? { uri: parsed, position: new vscode.Position(0, 0) } : { uri: parsed, pod };
}

/** The tab that a code lens opens, kept until the page is ready: a page that still loads loses what it is told. */
function createTabRequest(post: (message: ToPreview) => void) {
  let wanted: ReschedulerKind | undefined;
  let isReady = false;
  const send = (): void => {
    if (!isReady) return;
    if (wanted) post({ type: 'look', at: wanted });
    wanted = undefined;
  };
  return {
    set(at: ReschedulerKind | undefined): void {
      wanted = at;
      send();
    },
    pageIsReady(): void {
      isReady = true;
      send();
    },
    pageIsGone(): void {
      isReady = false;
    },
  };
}

interface Listener {
  readonly isOpen: () => boolean;
  readonly follow: (editor: vscode.TextEditor | undefined) => void;
  readonly edited: () => void;
  readonly refresh: () => void;
}

function listening({ isOpen, follow, edited, refresh }: Listener): readonly vscode.Disposable[] {
  return [
    vscode.window.onDidChangeTextEditorSelection(event => isOpen() && follow(event.textEditor)),
    vscode.window.onDidChangeActiveTextEditor(editor => isOpen() && follow(editor)),
    vscode.workspace.onDidChangeTextDocument(event => {
      if (!isManifest(event.document) || event.contentChanges.length === 0) return;
      edited();
      refresh();
    }),
  ];
}

/** What handlers of the page’s messages need. */
interface AnswerContext {
  readonly client: LanguageClient;
  readonly questions: PreviewRequests;
  readonly choose: (subject: RequestSubject) => void;
  readonly showTab: () => void;
  readonly refresh: () => void;
}

function answer(message: FromPreview, context: AnswerContext): void {
  const { questions, choose, showTab, refresh } = context;
  if (message.type === 'ready') {
    questions.pageIsNew();
    showTab();
    void questions.place();
  } else if (message.type === 'reveal') void reveal(questions.model(), message.pod);
  else if (message.type === 'tryOn') void questions.tryOn(message.pod, message.node);
  else if (message.type === 'compare') void questions.compare();
  else if (message.type === 'stopComparing') questions.stopComparing();
  else if (message.type === 'askContext') void tryKubeContext(context);
  else if (message.type === 'askMovers') void questions.askEvictions(message.kind);
  else if (message.type === 'explain') void questions.explain();
  else if (message.type === 'apply') void questions.apply(message.pod, message.suggestion);
  else if (message.type === 'save') void saveExport(message.format, message.content);
  else if (message.type === 'try') {
    questions.tryWhatIf(message.whatIf);
    refresh();
  } else {
    const uri = questions.subject()?.uri ?? vscode.window.activeTextEditor?.document.uri;
    if (uri) choose({ uri, pod: message.pod });
  }
}

async function tryKubeContext({ client, questions, refresh }: AnswerContext): Promise<void> {
  const context = await pickContext(() => client.sendRequest<ContextsAnswer>(contextsRequest));
  if (context === undefined) return;
  questions.trySource(`live:${context}`);
  refresh();
}

/** Shows where a Pod is written, in the column in which its file is already open if it is. */
async function reveal(model: PreviewModel | undefined, pod: string): Promise<void> {
  const source = [...(model?.pods ?? []), ...(model?.refused ?? [])].find(it => it.id === pod)?.source;
  if (!source) return;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(source.uri));
  const open = vscode.window.visibleTextEditors.find(it => it.document === document);
  const place = document.positionAt(source.offset);
  await vscode.window.showTextDocument(document, {
    viewColumn: open?.viewColumn ?? vscode.ViewColumn.One,
    selection: new vscode.Range(place, place),
  });
}
