import { type Connection, type FileEvent, TextDocuments } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { renderedUri } from '../analysis/rendering';
import { type AnalysisServices, createAnalysisServices } from './analysisServices';
import { type Changes, createChanges } from './changes';
import { type ClientSession, newClientSession } from './clientSession';
import { serveCommands } from './commands';
import { createComparer } from './comparing/comparer';
import { serveEditorFeatures } from './editorFeatures';
import { serveExploring } from './exploring';
import { createLateAnswers } from './lateAnswers';
import { serveLateLenses } from './lateLenses';
import { serveLenses } from './lenses';
import { serveLifecycle } from './lifecycle';
import { serveNavigation } from './navigation';
import { serveOutline } from './outline';
import { servePreview } from './preview';
import {
  type FileStatusAnswer,
  type FileStatusParams,
  fileStatusRequest,
  type NodeFoldersAnswer,
  type NodeFoldersParams,
  nodeFoldersRequest,
  type RenderedParams,
  renderedRequest,
} from './protocol';
import type { RequestContext } from './requestContext';
import { serveReschedulers } from './reschedulers';
import { serveSemanticTokens } from './semanticTokens';
import { serveStateGraph } from './stateGraph';
import { serveTests } from './tests';
import type { ServerWorld } from './world';

/** Serves one client on a connection: LSP in, one analysis call, LSP out. */
export function startServer(connection: Connection, world: ServerWorld): void {
  const { canonicalUri } = world;
  const session = newClientSession();
  const services = createAnalysisServices(connection, world, session);
  const { host, lineIndexes, placementWork } = services;
  const changes = createChanges(connection, world, session, services);
  serveLifecycle(connection, world, session, services, changes);
  serveFiles(connection, canonicalUri, session, { ...changes, opened: services.opened });
  const context = { analysis: () => host.analysis(), canonicalUri, linesOf: lineIndexes.of, placementWork };
  serveRequests(connection, context, session);
  const late = createLateAnswers({
    pause: world.pause,
    arrived: services.notifications.refreshLenses,
    failed: error => connection.console.error(`lens: ${error instanceof Error ? error.stack : String(error)}`),
  });
  const lateLenses = serveLateLenses(connection, context, { session, late, now: world.now });
  serveLenses(connection, context, { session, late, lateLenses });
  serveReschedulers(connection, context, world);
  serveCommands(connection, context);
  serveStateGraph(connection, context, world);
  serveExploring(connection, context, {
    now: world.now,
    started: session.started,
    explored: services.explored,
  });
  servePreview(connection, context, {
    ...(world.startComparing && { comparer: createComparer({ ...world, start: world.startComparing }) }),
    tryCluster: changes.clusters.tryCluster,
    // Untrusted folders do not even get this information.
    hasKubeconfig: () => session.isTrusted && (world.clusters?.hasKubeconfig() ?? false),
  });
  connection.listen();
}

/** Handles open documents and changes on disk. */
function serveFiles(
  connection: Connection,
  canonicalUri: ServerWorld['canonicalUri'],
  { open }: ClientSession,
  { indexing, rendering, clusters, take, opened }: Changes & Pick<AnalysisServices, 'opened'>,
): void {
  const documents = new TextDocuments(TextDocument);
  documents.onDidOpen(({ document }) => {
    const uri = canonicalUri(document.uri);
    open.set(uri, document);
    opened(uri);
    void indexing.opened(uri);
  });
  documents.onDidChangeContent(({ document }) => {
    take([{ uri: canonicalUri(document.uri), text: document.getText() }]);
  });
  documents.onDidClose(({ document }) => {
    const uri = canonicalUri(document.uri);
    // The client may have opened the file by several uris.
    const other = documents.all().find(it => canonicalUri(it.uri) === uri);
    if (other === undefined) {
      open.delete(uri);
      return indexing.closed(uri);
    }
    open.set(uri, other);
    take([{ uri, text: other.getText() }]);
  });
  documents.listen(connection);
  connection.onDidChangeWatchedFiles(async ({ changes }: { changes: FileEvent[] }) => {
    const events = changes.map(it => ({ ...it, uri: canonicalUri(it.uri) }));
    const paths = events.map(it => it.uri);
    const files = await indexing.filesChanged(events);
    // A source may be a file that is no manifest of the workspace.
    clusters.filesChanged(paths);
    rendering?.filesChanged([...paths, ...files]);
  });
}

/** Serves requests about one file. */
function serveRequests(connection: Connection, context: RequestContext, session: ClientSession): void {
  connection.onRequest(renderedRequest, ({ uri }: RenderedParams): string | null => {
    const folder = context.canonicalUri(uri).replace(/\/[^/]*$/, '');
    return context.analysis().text(renderedUri(folder)) ?? null;
  });
  connection.onRequest(fileStatusRequest, ({ uri }: FileStatusParams): FileStatusAnswer => {
    const { settings, cluster } = context.analysis().statusAt(context.canonicalUri(uri));
    return { kubernetesVersion: settings.kubernetesVersion, cluster };
  });
  connection.onRequest(nodeFoldersRequest, ({ folder }: NodeFoldersParams): NodeFoldersAnswer => {
    const root = context.canonicalUri(folder);
    const pathOf = (uri: string): string => decodeURIComponent(uri.slice(root.length + 1));
    const found = context.analysis().nodeFolders(root);
    return found.map(({ uri, nodes, serves }) => ({ path: pathOf(uri), nodes, serves: serves.map(pathOf) }));
  });
  serveEditorFeatures(connection, context, session);
  serveOutline(connection, context);
  serveNavigation(connection, context);
  serveSemanticTokens(connection, context);
  serveTests(connection, context);
}
