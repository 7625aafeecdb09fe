import {
  CodeLensRefreshRequest,
  type Connection,
  DidChangeConfigurationNotification,
  type FileEvent,
  type InitializeParams,
  type InitializeResult,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { AnalysisHost } from '../analysis/analysis';
import { createAnalysisHost } from '../analysis/host';
import { renderedUri } from '../analysis/rendering';
import type { PolicyEngine } from '../policy/engine/engine';
import type { Problem } from '../rules/problem';
import { type LineIndex, lineIndex } from '../text/lineIndex';
import type { ClusterWorld } from './clusterFeed';
import { serveClusters } from './clusters';
import { toDiagnostic } from './convert';
import { HELP, serveHelp } from './help';
import { createIndexing, type FilesWorld } from './indexing';
import { serveLenses } from './lenses';
import { NAVIGATION, serveNavigation } from './navigation';
import { OUTLINE, serveOutline } from './outline';
import { judgingPolicies } from './policies';
import { servePreview } from './preview';
import {
  changedNotification,
  type RenderedParams,
  renderedRequest,
  statusNotification,
  type TrustParams,
  trustNotification,
} from './protocol';
import { createPublishing } from './publishing';
import { createRendering, type RenderWorld } from './rendering';
import { SEMANTIC_TOKENS, serveSemanticTokens } from './semanticTokens';
import { readSettings } from './settings';
import { serveTests } from './tests';

/** The world outside the server: packs, files, and a pause that lets the connection's messages through. */
export interface ServerWorld extends FilesWorld {
  /** One spelling for each file: an editor and the disk may percent-encode its name in different ways. */
  readonly canonicalUri: (uri: string) => string;
  readonly readPack: (name: string) => Uint8Array;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** What evaluates policies; absent: they are not looked at. */
  readonly policyEngine?: PolicyEngine;
  /** Absent: there are no clusters but the embedded one and the workspace's. */
  readonly clusters?: ClusterWorld;
  /** Absent: nothing is rendered. */
  readonly rendering?: RenderWorld;
}

/** Serves one client on a connection: LSP in, one analysis call, LSP out. */
export function startServer(connection: Connection, world: ServerWorld): void {
  const onBug = (code: string, error: unknown): void =>
    connection.console.error(`${code}: ${error instanceof Error ? error.stack : String(error)}`);
  const { policyEngine } = world;
  const host: AnalysisHost = judgingPolicies(
    createAnalysisHost({ readPack: world.readPack, ...(policyEngine && { policyEngine }), onBug }),
    {
      open: () => [...open.keys()],
      pause: world.pause,
      publishSoon: uris => publishSoon(uris),
      settled: refreshLenses,
      failed: error => onBug('policy', error),
    },
  );
  const documents = new TextDocuments(TextDocument);
  /** Open documents by canonical uri; they win over what the disk says. */
  const open = new Map<string, TextDocument>();
  const published = new Map<string, string>();
  const lineIndexes = new Map<string, { readonly text: string; readonly lines: LineIndex }>();
  const state = {
    canConfigure: false,
    canWatch: false,
    canRefreshLenses: false,
    canRefreshHints: false,
    canShowProgress: false,
    isTrusted: false,
    /** What was left out, for the status. */
    notices: [] as readonly string[],
    folders: [] as string[],
  };
  const clusters = serveClusters(connection, host, world.clusters, onClusters);
  const rendering =
    world.rendering && createRendering({ host, world: world.rendering, pause: world.pause, onChange: onRendered });
  const indexing = createIndexing({
    connection,
    world,
    folders: () => state.folders,
    isOpen: uri => open.has(uri),
    knownUris: () => host.analysis().uris,
    canShowProgress: () => state.canShowProgress,
    index: files => void host.apply({ files }),
    take,
    done(notice) {
      state.notices = notice === undefined ? state.notices : [...state.notices, notice];
      publishSoon(host.analysis().uris);
      refresh();
      sendStatus();
    },
  });
  const publishSoon = createPublishing({
    analysis: () => host.analysis(),
    isOpen: uri => open.has(uri),
    breathe: world.breathe,
    pause: world.pause,
    send,
  });

  connection.onInitialize((params: InitializeParams): InitializeResult => {
    const { workspace } = params.capabilities;
    state.canConfigure = workspace?.configuration === true;
    state.canWatch = workspace?.didChangeConfiguration?.dynamicRegistration === true;
    state.canShowProgress = params.capabilities.window?.workDoneProgress === true;
    state.canRefreshHints = workspace?.inlayHint?.refreshSupport === true;
    state.canRefreshLenses = workspace?.codeLens?.refreshSupport === true;
    state.isTrusted = params.initializationOptions?.isTrusted === true;
    state.folders = params.workspaceFolders?.map(it => world.canonicalUri(it.uri)) ?? [];
    return {
      serverInfo: { name: 'berth' },
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        codeLensProvider: {},
        ...HELP,
        ...OUTLINE,
        ...NAVIGATION,
        ...SEMANTIC_TOKENS,
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  });

  connection.onInitialized(async () => {
    if (state.canWatch) await connection.client.register(DidChangeConfigurationNotification.type, { section: 'berth' });
    trust({ isTrusted: state.isTrusted });
    applyFolders();
    await loadSettings();
    connection.workspace.onDidChangeWorkspaceFolders(async ({ added, removed }) => {
      const gone = removed.map(it => world.canonicalUri(it.uri));
      const come = added.map(it => world.canonicalUri(it.uri));
      state.folders = [...state.folders.filter(it => !gone.includes(it)), ...come];
      applyFolders();
      forget(uri => gone.some(it => uri.startsWith(`${it}/`)));
      for (const folder of come) await indexing.folderCame(folder);
    });
    for (const folder of state.folders) await indexing.folderCame(folder);
  });

  connection.onDidChangeConfiguration(loadSettings);

  connection.onDidChangeWatchedFiles(async ({ changes }: { changes: FileEvent[] }) => {
    const events = changes.map(it => ({ ...it, uri: world.canonicalUri(it.uri) }));
    await indexing.filesChanged(events);
    rendering?.filesChanged(events.map(it => it.uri));
  });

  documents.onDidOpen(({ document }) => open.set(world.canonicalUri(document.uri), document));

  documents.onDidChangeContent(({ document }) => {
    take([{ uri: world.canonicalUri(document.uri), text: document.getText() }]);
  });

  documents.onDidClose(({ document }) => {
    const uri = world.canonicalUri(document.uri);
    open.delete(uri);
    return indexing.closed(uri);
  });

  connection.onRequest(renderedRequest, ({ uri }: RenderedParams): string | null => {
    const folder = world.canonicalUri(uri).replace(/\/[^/]*$/, '');
    return host.analysis().text(renderedUri(folder)) ?? null;
  });
  connection.onNotification(trustNotification, trust);

  const asked = { analysis: () => host.analysis(), canonicalUri: world.canonicalUri, linesOf };
  serveHelp(connection, asked);
  serveOutline(connection, asked);
  serveNavigation(connection, asked);
  servePreview(connection, asked);
  serveSemanticTokens(connection, asked);
  serveTests(connection, asked);
  serveLenses(connection, asked);

  documents.listen(connection);
  connection.listen();

  function trust(params: TrustParams): void {
    clusters.trust(params);
    rendering?.trust(params.isTrusted ? 'trusted' : 'untrusted');
  }

  function onRendered(uris: readonly string[]): void {
    publishSoon(uris);
    refresh();
  }

  function onClusters(): void {
    publishSoon(host.analysis().uris);
    refresh();
    sendStatus();
  }

  function linesOf(uri: string): LineIndex | undefined {
    const text = host.analysis().text(uri);
    if (text === undefined) return undefined;
    const known = lineIndexes.get(uri);
    if (known?.text === text) return known.lines;
    const lines = lineIndex(text);
    lineIndexes.set(uri, { text, lines });
    return lines;
  }

  /** Each folder is on its own; the last one holds documents that are in none. */
  function applyFolders(): void {
    host.apply({ folders: [...state.folders, ''].map(uri => ({ uri })) });
  }

  async function loadSettings(): Promise<void> {
    const given: unknown = state.canConfigure ? await connection.workspace.getConfiguration('berth') : undefined;
    const { settings, problems } = readSettings(given);
    host.apply({ settings });
    const { status } = host.analysis();
    void connection.sendNotification(statusNotification, {
      kubernetesVersion: settings.kubernetesVersion,
      cluster: status.cluster,
      problems: [...problems, ...status.problems],
    });
    publishSoon(host.analysis().uris);
    refresh();
  }

  function forget(isGone: (uri: string) => boolean): void {
    take(
      host
        .analysis()
        .uris.filter(it => isGone(it) && !open.has(it))
        .map(uri => ({ uri, text: undefined })),
    );
  }

  function take(files: readonly { readonly uri: string; readonly text: string | undefined }[]): void {
    if (files.length === 0) return;
    const touched = host.apply({ files });
    clusters.filesChanged(files.map(it => it.uri));
    for (const { uri, text } of files) if (text === undefined) lineIndexes.delete(uri);
    publishSoon(touched);
    refresh();
  }

  /** Lenses and previews hang on every file of their environment, so they are asked for anew. */
  function refresh(): void {
    clusters.settle();
    rendering?.settle();
    refreshLenses();
    if (state.canRefreshHints) void connection.languages.inlayHint.refresh();
    void connection.sendNotification(changedNotification);
  }

  function refreshLenses(): void {
    if (state.canRefreshLenses) void connection.sendRequest(CodeLensRefreshRequest.type);
  }

  function sendStatus(): void {
    const { settings, status } = host.analysis();
    void connection.sendNotification(statusNotification, {
      kubernetesVersion: settings.kubernetesVersion,
      cluster: status.cluster,
      problems: [...status.problems, ...state.notices, ...[host.policyNotice()].flatMap(it => it ?? [])],
    });
  }

  function send(uri: string, problems: readonly Problem[]): void {
    const diagnostics = problems.map(it => toDiagnostic(it, linesOf));
    const version = open.get(uri)?.version;
    const key = JSON.stringify(diagnostics);
    // Of a file that nobody looks at, silence says that all is well and a repetition says nothing; an open one is
    // answered for each of its versions, as some clients wait for that.
    if (version === undefined && (published.get(uri) ?? '[]') === key) return;
    if (host.analysis().text(uri) === undefined) published.delete(uri);
    else published.set(uri, key);
    void connection.sendDiagnostics({ uri, diagnostics, ...(version !== undefined && { version }) });
  }
}
