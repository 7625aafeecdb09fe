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
import { isBelowOne } from './atOrBelow';
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
  { host, applyChange, publishSoon }: Pick<AnalysisServices, 'host' | 'applyChange' | 'publishSoon'>,
  changes: Changes,
): void {
  connection.onInitialize((params: InitializeParams): InitializeResult => {
    session.abilities = abilitiesOf(params);
    const locale = params.locale ?? 'en';
    const messages = messagesIn?.(locale, 'bundle');
    speak(messages);
    session.learnPages = lazy(() => speak(messages, messagesIn?.(locale, 'pages')));
    takeStartParams(params.initializationOptions ?? {});
    takeFolders(foldersOf(params).map(canonicalUri));
    return { serverInfo: { name: 'berth' }, capabilities: { ...CAPABILITIES, ...commandsFor(session.abilities) } };
  });

  connection.onInitialized(() =>
    begin().finally(() => {
      session.start();
      // What was held back until then, and is asked for in the same turn as all that was read.
      publishSoon(host.analysis().uris);
    }),
  );

  async function begin(): Promise<void> {
    if (session.abilities.folderChanges) connection.workspace.onDidChangeWorkspaceFolders(foldersChanged);
    trust({ isTrusted: session.isTrusted });
    applyFolders();
    // Whatever a client refuses, the folders are read.
    if (session.abilities.configurationChanges)
      await connection.client
        .register(DidChangeConfigurationNotification.type, { section: 'berth' })
        .catch(() => undefined);
    await loadSettings();
    for (const folder of session.folders) await changes.indexing.folderAdded(folder);
  }
  connection.onDidChangeConfiguration(loadSettings);
  connection.onNotification(trustNotification, async (params: TrustParams) => {
    const before = session.isTrusted;
    trust(params);
    // Ignore files above the folders are followed in trusted ones.
    if (before !== params.isTrusted) await changes.indexing.othersLeftOut();
  });

  async function foldersChanged({ added, removed }: WorkspaceFoldersChangeEvent): Promise<void> {
    const removedUris = removed.map(it => canonicalUri(it.uri));
    const addedUris = added.map(it => canonicalUri(it.uri));
    takeFolders([...session.folders.filter(it => !removedUris.includes(it)), ...addedUris]);
    applyFolders();
    const { uris } = host.analysis();
    const lost = uris.filter(
      it => isBelowOne(it, removedUris) && !isBelowOne(it, session.folders) && !session.open.has(it),
    );
    changes.take(lost.map(uri => ({ uri, text: undefined })));
    changes.clusters.reachChanged();
    changes.rendering?.reachChanged();
    for (const folder of addedUris) await changes.indexing.folderAdded(folder);
    // A folder around a removed one may leave out what that one did not.
    if (removedUris.some(it => isBelowOne(it, session.folders))) await changes.indexing.othersLeftOut();
  }

  function takeFolders(uris: readonly string[]): void {
    session.folders = [...new Set(uris)];
  }

  /** Folders are independent of each other. The last one holds documents that are in no folder. */
  function applyFolders(): void {
    applyChange({ folders: [...session.folders, ''].map(uri => ({ uri })) });
  }

  const asking = { questions: 0, answered: 0, given: undefined as unknown };

  /** The answer to the latest question counts, in whatever order they come; refused: the last one still does. */
  async function loadSettings(): Promise<void> {
    const question = ++asking.questions;
    const answer = session.abilities.configuration ? connection.workspace.getConfiguration('berth') : undefined;
    const given: unknown = await answer?.catch(() => asking.given);
    if (question < asking.answered) return;
    Object.assign(asking, { answered: question, given });
    const { settings, problems } = readSettings(given);
    session.settingsProblems = problems;
    session.listing = readListing(given);
    applyChange({ settings });
    changes.everythingChanged();
  }

  function takeStartParams({ isTrusted, notePath, leaveOut, isCareful }: Partial<StartParams>): void {
    session.isTrusted = isTrusted === true;
    session.notePath = typeof notePath === 'string' ? notePath : undefined;
    const leftOut: readonly unknown[] = Array.isArray(leaveOut) ? leaveOut : [];
    session.leftOut = new Set(leftOut.filter(it => typeof it === 'string').map(canonicalUri));
    session.isCareful = isCareful === true;
    session.notices = [...session.leftOut].map(
      it =>
        `${it} is left out, because Berth ended twice while it looked at it. Restart the language server to try again.`,
    );
  }

  function trust({ isTrusted }: TrustParams): void {
    session.isTrusted = isTrusted;
    changes.clusters.trust({ isTrusted });
    changes.rendering?.trust(isTrusted ? 'trusted' : 'untrusted');
  }
}

/** Uris of the folders that are open at the start; older clients know of one alone. */
function foldersOf({ workspaceFolders, rootUri }: InitializeParams): readonly string[] {
  if (workspaceFolders) return workspaceFolders.map(it => it.uri);
  return rootUri ? [rootUri] : [];
}
