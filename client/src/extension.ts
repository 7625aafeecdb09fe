import * as vscode from 'vscode';
import { LanguageClient, State, TransportKind } from 'vscode-languageclient/node';
import {
  type ContextsAnswer,
  changedNotification,
  consentForgottenNotification,
  contextsRequest,
  type ExploreSubject,
  type FileStatusAnswer,
  type FileStatusParams,
  fileStatusRequest,
  type ManifestsParams,
  type MayRunAnswer,
  type MayRunParams,
  manifestsNotification,
  mayRunRequest,
  type NodeFoldersAnswer,
  nodeFoldersRequest,
  type PolicyLocationsParams,
  type PreviewSubject,
  type StateGraphSubject,
  type StatusParams,
  statusNotification,
  type TrustParams,
  trustNotification,
} from '../../server/src/lsp/protocol';
import { askConsent, forgetConsents } from './askConsent';
import { createClusterTree } from './clusterView';
import { createConsents } from './consents';
import { excludeFolders } from './excludeFolders';
import { explain, registerPages, withPages } from './explain';
import { explore } from './explore';
import { offerHelpWithMany } from './manyProblems';
import { showPolicyLocations } from './policyLocations';
import { createPreview } from './preview/preview';
import { createRenderedDocuments } from './rendered';
import { setBaseline } from './setBaseline';
import { createStateGraph } from './stateGraph/stateGraph';
import { type ClusterChoices, createStatus } from './status';
import { createSupervisor, type Supervisor } from './supervisor';
import { createTestExplorer } from './tests';
import { createUpgradeCheck, type UpgradeRange } from './upgrade';

/** What other code in the extension host, tests above all, may use. */
export interface BerthApi {
  /** Resolves once the language server runs; the first document that may be a manifest starts it. */
  readonly client: Promise<LanguageClient>;
  /** The placement tests in the test explorer. */
  readonly tests: vscode.TestController;
}

/**
 * Registers everything at once, and starts the server when a document wants it: VS Code activates the extension for
 * every JSON file, of which few are manifests.
 */
export function activate(context: vscode.ExtensionContext): BerthApi {
  const status = createStatus(uri => fileStatusOf(client, uri));
  const keeper = createSupervisor(notePathIn(context), reason => status.failed(reason));
  const client = createClient(context, keeper);
  // A folder's own state: what is allowed in one workspace is not in another.
  const consents = createConsents(context.workspaceState, askConsent);
  const preview = createPreview(client, context.extensionUri);

  const started = firstManifest(context).then(async () => {
    await client.start();
    return client;
  });
  const stateGraph = createStateGraph(started, context.extensionUri);
  const clusters = createClusterTree(started);
  const rendered = createRenderedDocuments(started);
  const tests = createTestExplorer(started);
  const upgrades = createUpgradeCheck(context);
  const clusterChoices: ClusterChoices = {
    contexts: async () => (await started).sendRequest<ContextsAnswer>(contextsRequest),
    nodeFolders: async folder =>
      (await started).sendRequest<NodeFoldersAnswer>(nodeFoldersRequest, { folder: folder.toString() }),
  };
  started.catch((error: unknown) => status.failed(String(error)));

  context.subscriptions.push(
    client,
    status,
    preview,
    stateGraph,
    registerPages(context),
    client.onRequest<MayRunAnswer, void>(mayRunRequest, (params: MayRunParams) => consents.answer(params)),
    client.onNotification(statusNotification, (params: StatusParams) => status.show(params)),
    client.onNotification(manifestsNotification, ({ uris }: ManifestsParams) => offerPreview(uris)),
    clusters,
    rendered,
    tests,
    upgrades,
    vscode.window.onDidChangeActiveTextEditor(editor => editor && status.refresh()),
    client.onNotification(changedNotification, () => {
      status.refresh();
      rendered.changed();
      preview.refresh();
      clusters.changed();
      tests.changed();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(async () =>
      (await started).sendNotification(trustNotification, trustOf()),
    ),
    vscode.commands.registerCommand('berth.preview', (subject?: PreviewSubject | vscode.Uri) => preview.open(subject)),
    vscode.commands.registerCommand('berth.showStateGraph', (subject?: StateGraphSubject) => stateGraph.open(subject)),
    vscode.commands.registerCommand('berth.explore', (subject?: ExploreSubject) => explore(started, subject)),
    vscode.commands.registerCommand('berth.explain', explain),
    vscode.commands.registerCommand('berth.checkUpgrade', (range?: UpgradeRange) => upgrades.check(range)),
    vscode.commands.registerCommand('berth.clearUpgrade', () => upgrades.clear()),
    vscode.commands.registerCommand('berth.showPolicyPlaces', async (params: PolicyLocationsParams) =>
      showPolicyLocations(await started, params),
    ),
    offerHelpWithMany(context),
    vscode.commands.registerCommand('berth.setBaseline', () => setBaseline(context)),
    vscode.commands.registerCommand('berth.excludeFolders', excludeFolders),
    vscode.commands.registerCommand('berth.configure', () => status.configure()),
    vscode.commands.registerCommand('berth.selectKubernetesVersion', () => status.selectKubernetesVersion()),
    vscode.commands.registerCommand('berth.selectClusterSource', () => status.selectClusterSource(clusterChoices)),
    vscode.commands.registerCommand('berth.refreshCluster', () => clusters.refresh()),
    vscode.commands.registerCommand('berth.forgetConsents', () =>
      forgetConsents(consents, async () => (await started).sendNotification(consentForgottenNotification)),
    ),
    vscode.commands.registerCommand('berth.restart', () => {
      keeper.startedByHand();
      return client.needsStart() ? client.start() : client.restart();
    }),
    client.onDidChangeState(({ newState }) => {
      if (newState !== State.Stopped) return;
      offerPreview([]);
      status.failed(vscode.l10n.t('The language server does not run.'));
    }),
  );
  return { client: started, tests: tests.controller };
}

/** A server that stops meanwhile says so by itself. */
async function fileStatusOf(client: LanguageClient, uri: vscode.Uri): Promise<FileStatusAnswer | undefined> {
  if (!client.isRunning()) return undefined;
  const params: FileStatusParams = { uri: uri.toString() };
  return client.sendRequest<FileStatusAnswer>(fileStatusRequest, params).catch(() => undefined);
}

/** Menus and keys offer the preview where `resourcePath in berth.manifests`, also in editors that are not the active one. */
function offerPreview(uris: readonly string[]): void {
  // `resourcePath` is the path of this system for files of this machine, and that of the uri for those of another.
  const paths = uris.map(it => vscode.Uri.parse(it)).flatMap(it => [it.path, it.fsPath]);
  void vscode.commands.executeCommand('setContext', 'berth.manifests', [...new Set(paths)]);
}

const trustOf = (): TrustParams => ({ isTrusted: vscode.workspace.isTrusted });

/** Each window has its own server with its own note. */
const notePathIn = ({ storageUri, globalStorageUri }: vscode.ExtensionContext): string =>
  vscode.Uri.joinPath(storageUri ?? globalStorageUri, `looked-at-${process.pid}`).fsPath;

function createClient(context: vscode.ExtensionContext, keeper: Supervisor): LanguageClient {
  const module = context.asAbsolutePath('dist/server.js');
  // VS Code does not support nested braces here.
  const documents = vscode.workspace.createFileSystemWatcher(
    '**/{*.yaml,*.yml,*.json,*.rego,*.tpl,Kustomization,conftest.toml}',
  );
  const ignoreFiles = vscode.workspace.createFileSystemWatcher('**/{.gitignore,.berthignore}');
  // When a folder comes or goes, VS Code reports the folder, and maybe not its files.
  const entries = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
  context.subscriptions.push(documents, ignoreFiles, entries);
  // The server keeps there what V8 compiled, which halves the time until it answers.
  const env = { BERTH_COMPILE_CACHE: vscode.Uri.joinPath(context.globalStorageUri, 'compiled').fsPath };
  // Megabytes. Later versions of V8 take four times as much for new objects, and are no faster with it.
  const execArgv = ['--max-semi-space-size=16'];
  return new LanguageClient(
    'berth',
    'Berth',
    {
      run: { module, transport: TransportKind.ipc, options: { env, execArgv } },
      debug: { module, transport: TransportKind.ipc, options: { execArgv: ['--nolazy', '--inspect=6009'] } },
    },
    {
      documentSelector: [
        { scheme: 'file', language: 'yaml' },
        { scheme: 'file', language: 'json' },
        { scheme: 'untitled', language: 'yaml' },
        { scheme: 'untitled', language: 'json' },
        { scheme: 'file', pattern: '**/{*.rego,conftest.toml}' },
      ],
      middleware: { handleDiagnostics: (uri, diagnostics, next) => next(uri, withPages(diagnostics)) },
      initializationOptions: keeper.startParams,
      errorHandler: keeper.errorHandler,
      synchronize: { configurationSection: 'berth', fileEvents: [documents, ignoreFiles, entries] },
    },
  );
}

/** Resolves when a document is open that may be a manifest. */
function firstManifest(context: vscode.ExtensionContext): Promise<void> {
  if (vscode.workspace.textDocuments.some(mayBeManifest)) return Promise.resolve();
  return new Promise(done => {
    const check = (document: vscode.TextDocument): void => {
      if (!mayBeManifest(document)) return;
      for (const listener of listeners) listener.dispose();
      done();
    };
    const listeners = [
      vscode.workspace.onDidOpenTextDocument(check),
      vscode.workspace.onDidChangeTextDocument(event => check(event.document)),
    ];
    context.subscriptions.push(...listeners);
  });
}

function mayBeManifest(document: vscode.TextDocument): boolean {
  if (document.uri.scheme !== 'file' && document.uri.scheme !== 'untitled') return false;
  if (document.languageId === 'yaml') return true;
  return document.languageId === 'json' && /"apiVersion"\s*:/.test(document.getText());
}
