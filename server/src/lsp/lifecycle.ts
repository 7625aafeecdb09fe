import {
  type Connection,
  DidChangeConfigurationNotification,
  type InitializeParams,
  type InitializeResult,
  TextDocumentSyncKind,
  type WorkspaceFoldersChangeEvent,
} from 'vscode-languageserver/node';
import { speak } from '../base/l10n';
import { lazy } from '../base/lazy';
import type { AnalysisServices } from './analysisServices';
import type { Changes } from './changes';
import type { ClientSession } from './clientSession';
import { commandsFor } from './commands';
import { EDITOR_FEATURES } from './editorFeatures';
import { NAVIGATION } from './navigation';
import { abilitiesOf } from './notifications';
import { OUTLINE } from './outline';
import { type StartParams, type TrustParams, trustNotification } from './protocol';
import { SEMANTIC_TOKENS } from './semanticTokens';
import { readListing, readSettings } from './settings';
import type { ServerWorld } from './world';

const CAPABILITIES: InitializeResult['capabilities'] = {
  textDocumentSync: TextDocumentSyncKind.Incremental,
  codeLensProvider: { resolveProvider: true },
  ...EDITOR_FEATURES,
  ...OUTLINE,
  ...NAVIGATION,
  ...SEMANTIC_TOKENS,
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
};

/** Handles the client's capabilities, folders, settings and workspace trust. */
export function serveLifecycle(
  connection: Connection,
  { canonicalUri, messagesIn }: Pick<ServerWorld, 'canonicalUri' | 'messagesIn'>,
  session: ClientSession,
  { host, applyChange }: Pick<AnalysisServices, 'host' | 'applyChange'>,
  changes: Changes,
): void {
  connection.onInitialize((params: InitializeParams): InitializeResult => {
    session.abilities = abilitiesOf(params);
    const locale = params.locale ?? 'en';
    const messages = messagesIn?.(locale, 'bundle');
    speak(messages);
    session.learnPages = lazy(() => speak(messages, messagesIn?.(locale, 'pages')));
    takeStartParams(params.initializationOptions ?? {});
    session.folders = params.workspaceFolders?.map(it => canonicalUri(it.uri)) ?? [];
    return { serverInfo: { name: 'berth' }, capabilities: { ...CAPABILITIES, ...commandsFor(session.abilities) } };
  });

  connection.onInitialized(() => begin().finally(session.start));

  async function begin(): Promise<void> {
    if (session.abilities.configurationChanges)
      await connection.client.register(DidChangeConfigurationNotification.type, { section: 'berth' });
    trust({ isTrusted: session.isTrusted });
    applyFolders();
    await loadSettings();
    connection.workspace.onDidChangeWorkspaceFolders(foldersChanged);
    for (const folder of session.folders) await changes.indexing.folderAdded(folder);
  }
  connection.onDidChangeConfiguration(loadSettings);
  connection.onNotification(trustNotification, trust);

  async function foldersChanged({ added, removed }: WorkspaceFoldersChangeEvent): Promise<void> {
    const removedUris = removed.map(it => canonicalUri(it.uri));
    const addedUris = added.map(it => canonicalUri(it.uri));
    session.folders = [...session.folders.filter(it => !removedUris.includes(it)), ...addedUris];
    applyFolders();
    const isGone = (uri: string): boolean => removedUris.some(it => uri.startsWith(`${it}/`));
    const lost = host.analysis().uris.filter(it => isGone(it) && !session.open.has(it));
    changes.take(lost.map(uri => ({ uri, text: undefined })));
    for (const folder of addedUris) await changes.indexing.folderAdded(folder);
  }

  /** Folders are independent of each other. The last one holds documents that are in no folder. */
  function applyFolders(): void {
    applyChange({ folders: [...session.folders, ''].map(uri => ({ uri })) });
  }

  async function loadSettings(): Promise<void> {
    const given: unknown = session.abilities.configuration
      ? await connection.workspace.getConfiguration('berth')
      : undefined;
    const { settings, problems } = readSettings(given);
    session.settingsProblems = problems;
    session.listing = readListing(given);
    applyChange({ settings });
    changes.everythingChanged();
  }

  function takeStartParams({ isTrusted, notePath, leaveOut = [], isCareful }: Partial<StartParams>): void {
    session.isTrusted = isTrusted === true;
    session.notePath = typeof notePath === 'string' ? notePath : undefined;
    session.leftOut = new Set(leaveOut.map(canonicalUri));
    session.isCareful = isCareful === true;
    session.notices = [...session.leftOut].map(
      it =>
        `${it} is left out, because Berth ended twice while it looked at it. Restart the language server to try again.`,
    );
  }

  function trust(params: TrustParams): void {
    session.isTrusted = params.isTrusted;
    changes.clusters.trust(params);
    changes.rendering?.trust(params.isTrusted ? 'trusted' : 'untrusted');
  }
}
