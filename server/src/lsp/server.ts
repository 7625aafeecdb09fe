import * as l10n from '@vscode/l10n';
import {
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
import type { Asked } from './asked';
import type { ClusterWorld } from './clusterFeed';
import { serveClusters } from './clusters';
import { type ComparingWorld, createComparer } from './comparing/comparer';
import { HELP, serveHelp } from './help';
import { createIndexing, type FilesWorld } from './indexing';
import { serveLenses } from './lenses';
import { createLineIndexes } from './lineIndexes';
import { serveMovers } from './movers';
import { NAVIGATION, serveNavigation } from './navigation';
import { OUTLINE, serveOutline } from './outline';
import { createPlacing } from './placing';
import { judgingPolicies, type PolicyWorld } from './policies';
import { servePreview } from './preview';
import { type RenderedParams, renderedRequest, type TrustParams, trustNotification } from './protocol';
import { createPublishing } from './publishing';
import { createRendering, type RenderWorld } from './rendering';
import { SEMANTIC_TOKENS, serveSemanticTokens } from './semanticTokens';
import { readSettings } from './settings';
import { abilitiesOf, createTelling } from './telling';
import { serveTests } from './tests';

/** The world outside the server: packs, files, and a pause that lets the connection's messages through. */
export interface ServerWorld extends FilesWorld {
  /** One spelling for each file: an editor and the disk may percent-encode its name in different ways. */
  readonly canonicalUri: (uri: string) => string;
  readonly readPack: (name: string) => Uint8Array;
  /** What is said in a language, by what it is in English; absent, or undefined for a language: everything is in English. */
  readonly messagesIn?: (locale: string) => Readonly<Record<string, string>> | undefined;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** What evaluates policies; absent: they are not looked at. */
  readonly policyEngine?: PolicyEngine;
  /** Absent: there are no clusters but the embedded one and the workspace's. */
  readonly clusters?: ClusterWorld;
  /** Absent: nothing is rendered. */
  readonly rendering?: RenderWorld;
  /** Starts a thread that compares placements; absent: nothing is compared. */
  readonly startComparing?: ComparingWorld['start'];
}

const CAPABILITIES: InitializeResult['capabilities'] = {
  textDocumentSync: TextDocumentSyncKind.Incremental,
  codeLensProvider: { resolveProvider: true },
  ...HELP,
  ...OUTLINE,
  ...NAVIGATION,
  ...SEMANTIC_TOKENS,
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
};

interface FileText {
  readonly uri: string;
  /** undefined: it is gone. */
  readonly text: string | undefined;
}

/** Serves one client on a connection: LSP in, one analysis call, LSP out. */
export function startServer(connection: Connection, world: ServerWorld): void {
  const { canonicalUri } = world;
  const documents = new TextDocuments(TextDocument);
  /** Open documents by canonical uri; they win over what the disk says. */
  const open = new Map<string, TextDocument>();
  const state = {
    abilities: abilitiesOf({ capabilities: {} }),
    isTrusted: false,
    /** What was left out. */
    notices: [] as readonly string[],
    settingsProblems: [] as readonly string[],
    folders: [] as readonly string[],
  };
  const host = hostFor(connection, world, {
    open: () => [...open.keys()],
    publishSoon: uris => publishSoon(uris),
    settled: () => telling.lensesAged(),
  });
  const lineIndexes = createLineIndexes(uri => host.analysis().text(uri));
  const telling = createTelling(connection, {
    host,
    linesOf: lineIndexes.of,
    abilities: () => state.abilities,
    versionOf: uri => open.get(uri)?.version,
    notices: () => [...state.settingsProblems, ...state.notices],
  });
  const placing = createPlacing({ analysis: () => host.analysis(), breathe: world.breathe });
  const publishSoon = createPublishing({
    placed: placing.placed,
    analysis: () => host.analysis(),
    isOpen: uri => open.has(uri),
    breathe: world.breathe,
    pause: world.pause,
    send: telling.diagnostics,
  });
  const clusters = serveClusters(connection, host, world.clusters, clustersChanged);
  const rendering =
    world.rendering &&
    createRendering({ host, world: world.rendering, pause: world.pause, onChange: uris => changed(uris) });
  const indexing = createIndexing({
    connection,
    world,
    folders: () => state.folders,
    isOpen: uri => open.has(uri),
    knownUris: () => host.analysis().uris,
    canShowProgress: () => state.abilities.progress,
    index: files => void host.apply({ files }),
    take,
    done(notice) {
      if (notice !== undefined) state.notices = [...state.notices, notice];
      everythingChanged();
    },
  });

  connection.onInitialize((params: InitializeParams): InitializeResult => {
    state.abilities = abilitiesOf(params);
    l10n.config({ contents: { ...world.messagesIn?.(params.locale ?? 'en') } });
    state.isTrusted = params.initializationOptions?.isTrusted === true;
    state.folders = params.workspaceFolders?.map(it => canonicalUri(it.uri)) ?? [];
    return { serverInfo: { name: 'berth' }, capabilities: CAPABILITIES };
  });

  connection.onInitialized(async () => {
    if (state.abilities.configurationChanges)
      await connection.client.register(DidChangeConfigurationNotification.type, { section: 'berth' });
    trust({ isTrusted: state.isTrusted });
    applyFolders();
    await loadSettings();
    connection.workspace.onDidChangeWorkspaceFolders(async ({ added, removed }) => {
      const gone = removed.map(it => canonicalUri(it.uri));
      const come = added.map(it => canonicalUri(it.uri));
      state.folders = [...state.folders.filter(it => !gone.includes(it)), ...come];
      applyFolders();
      forget(uri => gone.some(it => uri.startsWith(`${it}/`)));
      for (const folder of come) await indexing.folderCame(folder);
    });
    for (const folder of state.folders) await indexing.folderCame(folder);
  });

  connection.onDidChangeConfiguration(loadSettings);
  connection.onDidChangeWatchedFiles(async ({ changes }: { changes: FileEvent[] }) => {
    const events = changes.map(it => ({ ...it, uri: canonicalUri(it.uri) }));
    await indexing.filesChanged(events);
    rendering?.filesChanged(events.map(it => it.uri));
  });
  connection.onNotification(trustNotification, trust);

  documents.onDidOpen(({ document }) => open.set(canonicalUri(document.uri), document));
  documents.onDidChangeContent(({ document }) => {
    take([{ uri: canonicalUri(document.uri), text: document.getText() }]);
  });
  documents.onDidClose(({ document }) => {
    const uri = canonicalUri(document.uri);
    open.delete(uri);
    return indexing.closed(uri);
  });

  const asked = { analysis: () => host.analysis(), canonicalUri, linesOf: lineIndexes.of, placing };
  serveQuestions(connection, asked);
  serveMovers(connection, asked);
  servePreview(connection, asked, {
    ...(world.startComparing && { comparer: createComparer({ ...world, start: world.startComparing }) }),
    tryCluster: clusters.alsoWant,
    hasKubeconfig: () => world.clusters?.hasKubeconfig() ?? false,
  });
  documents.listen(connection);
  connection.listen();

  function trust(params: TrustParams): void {
    clusters.trust(params);
    rendering?.trust(params.isTrusted ? 'trusted' : 'untrusted');
  }

  /** Each folder is on its own; the last one holds documents that are in none. */
  function applyFolders(): void {
    host.apply({ folders: [...state.folders, ''].map(uri => ({ uri })) });
  }

  async function loadSettings(): Promise<void> {
    const given: unknown = state.abilities.configuration
      ? await connection.workspace.getConfiguration('berth')
      : undefined;
    const { settings, problems } = readSettings(given);
    state.settingsProblems = problems;
    host.apply({ settings });
    everythingChanged();
  }

  function forget(isGone: (uri: string) => boolean): void {
    const gone = host.analysis().uris.filter(it => isGone(it) && !open.has(it));
    take(gone.map(uri => ({ uri, text: undefined })));
  }

  function take(files: readonly FileText[]): void {
    if (files.length === 0) return;
    const touched = host.apply({ files });
    clusters.filesChanged(files.map(it => it.uri));
    for (const { uri, text } of files) if (text === undefined) lineIndexes.forget(uri);
    changed(touched);
  }

  /** Something else may be known of these files now; what hangs on the whole environment is brought in line with it. */
  function changed(uris: readonly string[]): void {
    publishSoon(uris);
    clusters.settle();
    rendering?.settle();
    telling.everythingAged();
  }

  function clustersChanged(touched: readonly string[]): void {
    changed(touched);
    telling.status();
  }

  function everythingChanged(): void {
    clustersChanged(host.analysis().uris);
  }
}

type PolicyTelling = Pick<PolicyWorld, 'open' | 'publishSoon' | 'settled'>;

/** The analysis of this connection, which has policies asked in the background. */
function hostFor(connection: Connection, world: ServerWorld, telling: PolicyTelling): AnalysisHost {
  const { readPack, pause, policyEngine } = world;
  const onBug = (code: string, error: unknown): void =>
    connection.console.error(`${code}: ${error instanceof Error ? error.stack : String(error)}`);
  const host = createAnalysisHost({ readPack, ...(policyEngine && { policyEngine }), onBug });
  return judgingPolicies(host, { ...telling, pause, failed: error => onBug('policy', error) });
}

/** What a client may ask. */
function serveQuestions(connection: Connection, asked: Asked): void {
  connection.onRequest(renderedRequest, ({ uri }: RenderedParams): string | null => {
    const folder = asked.canonicalUri(uri).replace(/\/[^/]*$/, '');
    return asked.analysis().text(renderedUri(folder)) ?? null;
  });
  serveHelp(connection, asked);
  serveOutline(connection, asked);
  serveNavigation(connection, asked);
  serveSemanticTokens(connection, asked);
  serveTests(connection, asked);
  serveLenses(connection, asked);
}
