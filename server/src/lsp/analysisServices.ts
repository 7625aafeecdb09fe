import type { Connection } from 'vscode-languageserver/node';
import type { AnalysisHost } from '../analysis/analysis';
import { createAnalysisHost } from '../analysis/host';
import type { ClientSession } from './clientSession';
import { createLineIndexes, type LineIndexes } from './lineIndexes';
import { createNotedWork, type NotedWork } from './notedWork';
import { createNotifications, type Notifications } from './notifications';
import { createPlacementWork, type PlacementWork } from './placementWork';
import { judgingPolicies, type PolicyWorld } from './policies';
import { createPublishing } from './publishing';
import type { ServerWorld } from './world';

const GAVE_UP =
  'Placing the Pods of this workspace takes more than 60 s, so nothing is said of where they land until something changes.';

/** The analysis of one connection, and what tells of it without being asked. */
export interface AnalysisServices {
  readonly host: AnalysisHost;
  readonly lineIndexes: LineIndexes;
  readonly placementWork: PlacementWork;
  readonly notifications: Notifications;
  readonly withNote: NotedWork;
  /** Has the problems of files told, those that a person waits for first. */
  readonly publishSoon: (uris: readonly string[]) => void;
  /** Resolves when nobody waits for an answer about what has come in. */
  readonly waitForOpenFiles: () => Promise<void>;
  readonly isTyping: () => boolean;
}

export function createAnalysisServices(
  connection: Connection,
  world: ServerWorld,
  session: ClientSession,
): AnalysisServices {
  const { open } = session;
  const host = hostFor(connection, world, {
    open: () => [...open.keys()],
    publishSoon: uris => publishSoon(uris),
    settled(news) {
      notifications.policiesAsked();
      if (news === 'placements') notifications.everythingAged();
      else if (news === 'objects' || session.hasPendingLenses) notifications.lensesAged();
    },
  });
  const lineIndexes = createLineIndexes(uri => host.analysis().text(uri));
  const notifications = createNotifications(connection, {
    host,
    linesOf: lineIndexes.of,
    abilities: () => session.abilities,
    open,
    notices: () => [...session.settingsProblems, ...session.notices],
  });
  const placementWork = createPlacementWork({
    analysis: () => host.analysis(),
    yieldToEventLoop: world.yieldToEventLoop,
    now: world.now,
    gaveUp: () => connection.console.warn(GAVE_UP),
  });
  const withNote = createNotedWork(world, session);
  const {
    soon: publishSoon,
    waitForOpenFiles: giveWay,
    isTyping,
  } = createPublishing({
    withNote: (uri, work) => withNote([uri], work),
    onBug: (uri, error) => bugReporter(connection)(uri, error),
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
  return {
    host,
    lineIndexes,
    placementWork,
    notifications,
    withNote,
    publishSoon,
    waitForOpenFiles: giveWay,
    isTyping,
  };
}

type PolicyNotifications = Pick<PolicyWorld, 'open' | 'publishSoon' | 'settled'>;

/** Tells a bug to whoever reads the log of the server. */
export const bugReporter =
  (connection: Pick<Connection, 'console'>) =>
  (what: string, error: unknown): void => {
    try {
      connection.console.error(`${what}: ${error instanceof Error ? error.stack : String(error)}`);
    } catch {
      // The client is gone, and what it would be told with it.
    }
  };

/** A host that has policies asked in the background. */
function hostFor(connection: Connection, world: ServerWorld, notifications: PolicyNotifications): AnalysisHost {
  const { readPack, pause, policyEngine } = world;
  const onBug = bugReporter(connection);
  const onPoliciesAsked = (): void => judging.judgeSoon();
  const host = createAnalysisHost({
    readPack,
    ...(policyEngine && { policyEngine }),
    onBug,
    onPolicyQuestion: onPoliciesAsked,
  });
  const judging = judgingPolicies(host, { ...notifications, pause, failed: error => onBug('policy', error) });
  return judging.host;
}
