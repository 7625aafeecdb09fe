import type { Connection } from 'vscode-languageserver/node';
import type { AnalysisHost } from '../analysis/analysis';
import { createAnalysisHost } from '../analysis/host';
import { createLineIndexes, type LineIndexes } from './lineIndexes';
import { type ClusterLook, createLook } from './look';
import { createPlacing, type PlacementWork } from './placing';
import { judgingPolicies, type PolicyWorld } from './policies';
import { createPublishing } from './publishing';
import type { Session } from './session';
import { createTelling, type Telling } from './telling';
import type { ServerWorld } from './world';

const GAVE_UP =
  'Placing the Pods of this workspace takes more than 60 s, so nothing is said of where they land until something changes.';

/** The analysis of one connection, and what tells of it without being asked. */
export interface Analysing {
  readonly host: AnalysisHost;
  readonly lineIndexes: LineIndexes;
  readonly placing: PlacementWork;
  readonly telling: Telling;
  readonly look: ClusterLook;
  /** Has the problems of files told, those that a person waits for first. */
  readonly publishSoon: (uris: readonly string[]) => void;
  /** Resolves when nobody waits for an answer about what has come in. */
  readonly giveWay: () => Promise<void>;
  readonly isTyping: () => boolean;
}

export function createAnalysing(connection: Connection, world: ServerWorld, session: Session): Analysing {
  const { open } = session;
  const host = hostFor(connection, world, {
    open: () => [...open.keys()],
    publishSoon: uris => publishSoon(uris),
    settled(news) {
      telling.policiesAsked();
      if (news === 'placements') telling.everythingAged();
      else if (news === 'objects' || session.hasPendingLenses) telling.lensesAged();
    },
  });
  const lineIndexes = createLineIndexes(uri => host.analysis().text(uri));
  const telling = createTelling(connection, {
    host,
    linesOf: lineIndexes.of,
    abilities: () => session.abilities,
    open,
    notices: () => [...session.settingsProblems, ...session.notices],
  });
  const placing = createPlacing({
    analysis: () => host.analysis(),
    breathe: world.breathe,
    now: world.now,
    gaveUp: () => connection.console.warn(GAVE_UP),
  });
  const look = createLook(world, session);
  const {
    soon: publishSoon,
    giveWay,
    isTyping,
  } = createPublishing({
    look: (uri, work) => look([uri], work),
    onBug: (uri, error) => bugTeller(connection)(uri, error),
    placed: placing.placed,
    analysis: () => host.analysis(),
    isOpen: uri => open.has(uri),
    breathe: world.breathe,
    pause: world.pause,
    now: world.now,
    send: telling.diagnostics,
    release(uri) {
      host.analysis().release(uri);
      lineIndexes.forget(uri);
    },
  });
  return { host, lineIndexes, placing, telling, look, publishSoon, giveWay, isTyping };
}

type PolicyTelling = Pick<PolicyWorld, 'open' | 'publishSoon' | 'settled'>;

/** Tells a bug to whoever reads the log of the server. */
export const bugTeller =
  (connection: Pick<Connection, 'console'>) =>
  (what: string, error: unknown): void => {
    try {
      connection.console.error(`${what}: ${error instanceof Error ? error.stack : String(error)}`);
    } catch {
      // The client is gone, and what it would be told with it.
    }
  };

/** A host that has policies asked in the background. */
function hostFor(connection: Connection, world: ServerWorld, telling: PolicyTelling): AnalysisHost {
  const { readPack, pause, policyEngine } = world;
  const onBug = bugTeller(connection);
  const onPoliciesAsked = (): void => judging.judgeSoon();
  const host = createAnalysisHost({ readPack, ...(policyEngine && { policyEngine }), onBug, onPoliciesAsked });
  const judging = judgingPolicies(host, { ...telling, pause, failed: error => onBug('policy', error) });
  return judging.host;
}
