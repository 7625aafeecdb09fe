import type { Connection } from 'vscode-languageserver/node';
import type { ChangedFile } from '../analysis/analysis';
import type { AnalysisServices } from './analysisServices';
import type { ClientSession } from './clientSession';
import { type ClusterServing, serveClusters } from './clusters';
import { createConsent } from './consent';
import { createIndexing, type Indexing } from './indexing';
import { createRendering, type RenderingServing } from './rendering';
import type { ServerWorld } from './world';

/** The sources of changes: editors, the disk, clusters and rendering. */
export interface Changes {
  readonly clusters: ClusterServing;
  /** Absent: nothing is rendered. */
  readonly rendering: RenderingServing | undefined;
  readonly indexing: Indexing;
  /** Applies new texts of files. */
  take(files: readonly ChangedFile[]): void;
  everythingChanged(): void;
}

/** Applies changes to the analysis and updates everything that depends on it. */
export function createChanges(
  connection: Connection,
  world: ServerWorld,
  session: ClientSession,
  services: AnalysisServices,
): Changes {
  const { host, applyChange, lineIndexes, notifications, placementWork, withNote, publishSoon, isTyping } = services;
  const state = { statusRequests: 0 };
  const folders = (): readonly string[] => session.folders;
  const mayRun = createConsent(connection, () => session.abilities);
  const clusterWorld = world.clusters && { ...world.clusters, folders, mayRun };
  const events = { started: session.started, onChange: clustersChanged };
  const clusters = serveClusters(connection, services, clusterWorld, events);
  const rendering =
    world.rendering &&
    createRendering({ host, applyChange, world: world.rendering, folders, pause: world.pause, onChange: changed });
  const indexing = createIndexing({
    connection,
    world: { ...world, yieldToEventLoop: services.waitForOpenFiles },
    isTyping,
    folders,
    ignoreScope: () => (session.isTrusted ? 'repository' : 'folders'),
    isOpen: uri => session.open.has(uri),
    knownUris: () => host.analysis().uris,
    canShowProgress: () => session.abilities.progress,
    parsed: files => carefully(files, it => seen(it).map(host.parsed)),
    index: files => void apply(files),
    take,
    onReading(work) {
      session.reading = work;
      const end = (): void => {
        if (session.reading === work) session.reading = undefined;
      };
      void work.then(end, end);
    },
    done(notice) {
      if (notice !== undefined) session.notices = [...session.notices, notice];
      everythingChanged();
    },
  });

  /** Files at which the server crashed are treated as missing. */
  function seen(files: readonly ChangedFile[]): readonly ChangedFile[] {
    return files.map(it => (session.leftOut.has(it.uri) ? { uri: it.uri, text: undefined } : it));
  }

  /** Does something with files, which is noted; after a crash with one after the other, so that the next note has one name. */
  function carefully<T>(files: readonly ChangedFile[], work: (files: readonly ChangedFile[]) => readonly T[]): T[] {
    const batches = session.isCareful ? files.map(it => [it]) : [files];
    return batches.flatMap(batch =>
      withNote(
        batch.map(it => it.uri),
        () => work(batch),
      ),
    );
  }

  const apply = (files: readonly ChangedFile[]): readonly string[] => [
    ...new Set(carefully(files, it => applyChange({ files: seen(it) }))),
  ];

  function take(files: readonly ChangedFile[]): void {
    if (files.length === 0) return;
    const touched = apply(files);
    clusters.filesChanged(files.map(it => it.uri));
    for (const { uri, text } of files) if (text === undefined) lineIndexes.forget(uri);
    changed(touched);
  }

  /** Problems of these files may differ now. */
  function changed(uris: readonly string[]): void {
    publishSoon(uris);
    clusters.reconcile();
    rendering?.reconcile();
    notifications.refreshEverything();
  }

  function clustersChanged(touched: readonly string[]): void {
    changed(touched);
    void tellStatus();
  }

  /** Tells the status, in slices, unless it is to be told once more by then. */
  async function tellStatus(): Promise<void> {
    state.statusRequests += 1;
    const { statusRequests } = state;
    await placementWork.finish(host.analysis().readyStatus());
    if (statusRequests === state.statusRequests) notifications.status();
  }

  function everythingChanged(): void {
    services.divided();
    clustersChanged(host.analysis().uris);
  }

  return { clusters, rendering, indexing, take, everythingChanged };
}
