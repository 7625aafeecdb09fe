import type { Connection } from 'vscode-languageserver/node';
import type { AnalysisHost } from '../analysis/analysis';
import { createAnalysisHost } from '../analysis/host';
import type { ClientSession } from './clientSession';
import { createLineIndexes, type LineIndexes } from './lineIndexes';
import { createListedFiles } from './listedFiles';
import { createNotedWork, type NotedWork } from './notedWork';
import { createNotifications, type Notifications } from './notifications';
import { createPlacementWork, type PlacementWork } from './placementWork';
import { createPolicyWork } from './policyWork';
import { createPublishing } from './publishing';
import type { ServerWorld } from './world';

const GAVE_UP =
  'Placing the Pods of this workspace takes more than 60 s, so nothing is said of where they land until something changes.';

/** The analysis of one connection, and the background work that reports its results. */
export interface AnalysisServices {
  readonly host: Pick<AnalysisHost, 'analysis' | 'parsed'>;
  /** Applies a change and has policies evaluated again. Returns the files whose problems may differ now. */
  readonly applyChange: AnalysisHost['apply'];
  readonly lineIndexes: LineIndexes;
  readonly placementWork: PlacementWork;
  readonly notifications: Notifications;
  readonly withNote: NotedWork;
  /** Queues files for publishing of their problems, open files first. */
  readonly publishSoon: (uris: readonly string[]) => void;
  /** Publishes the problems of files anew after an exploration, and has lenses requested again. */
  readonly explored: (uris: readonly string[]) => void;
  /** Many files were read: they may be divided into other environments. */
  readonly divided: () => void;
  /** Publishes what is listed from now on, as a file of its environment is opened. */
  readonly opened: (uri: string) => void;
  /** Resolves when received messages are handled and quick problems of open files are published. */
  readonly waitForOpenFiles: () => Promise<void>;
  readonly isTyping: () => boolean;
}

export function createAnalysisServices(
  connection: Connection,
  world: ServerWorld,
  session: ClientSession,
): AnalysisServices {
  const { open } = session;
  const { readPack, policyEngine } = world;
  const onBug = bugReporter(connection);
  const host = createAnalysisHost({
    readPack,
    ...(policyEngine && { policyEngine }),
    onBug,
    onPolicyQuestion: () => policyWork.evaluateSoon(),
  });
  const policyWork = createPolicyWork({
    host,
    open: () => [...open.keys()],
    reading: () => session.reading,
    pause: world.pause,
    publishSoon: uris => publishSoon(uris),
    settled(news) {
      notifications.policiesEvaluated();
      if (news === 'placements') notifications.refreshEverything();
      else if (news === 'objects' || session.hasPendingLenses) notifications.refreshLenses();
    },
    failed: error => onBug('policy', error),
  });
  const lineIndexes = createLineIndexes(uri => host.analysis().text(uri));
  const notifications = createNotifications(connection, {
    host,
    linesOf: lineIndexes.of,
    abilities: () => session.abilities,
    open,
    notices: () => [...session.settingsProblems, ...session.notices],
    minSeverity: () => session.listing.minSeverity,
  });
  const placementWork = createPlacementWork({
    analysis: () => host.analysis(),
    reading: () => session.reading,
    yieldToEventLoop: world.yieldToEventLoop,
    now: world.now,
    gaveUp: () => connection.console.warn(GAVE_UP),
  });
  const withNote = createNotedWork(world, session);
  const listedFiles = createListedFiles({
    analysis: () => host.analysis(),
    listing: () => session.listing.files,
    open,
  });
  const publishing = createPublishing({
    isListed: listedFiles.isListed,
    hasStarted: session.hasStarted,
    withNote: (uri, work) => withNote([uri], work),
    onBug,
    place: placementWork.place,
    analysis: () => host.analysis(),
    isOpen: uri => open.has(uri),
    yieldToEventLoop: world.yieldToEventLoop,
    pause: world.pause,
    now: world.now,
    send: notifications.diagnostics,
    release(uri) {
      host.analysis().release(uri);
      lineIndexes.forget(uri);
    },
  });
  const publishSoon = publishing.soon;
  return {
    host,
    applyChange(change) {
      const touched = host.apply(change);
      policyWork.evaluateSoon();
      return touched;
    },
    lineIndexes,
    placementWork,
    notifications,
    withNote,
    publishSoon,
    explored(uris) {
      publishSoon(uris);
      notifications.refreshLenses();
    },
    divided: listedFiles.divided,
    opened: uri => publishSoon(listedFiles.opened(uri)),
    waitForOpenFiles: publishing.waitForOpenFiles,
    isTyping: publishing.isTyping,
  };
}

/** Writes a bug to the log of the server. */
export const bugReporter =
  (connection: Pick<Connection, 'console'>) =>
  (what: string, error: unknown): void => {
    try {
      connection.console.error(`${what}: ${error instanceof Error ? error.stack : String(error)}`);
    } catch {
      // The connection is closed.
    }
  };
