import { type Diagnostic, FileChangeType, ResponseError } from 'vscode-languageserver/node';
import { followUp, paramsOf } from './requests';
import type { Backend, Memory, Server } from './server';
import { after, edited, movedBelow, type Step, type World } from './world';

/** One server and its editor. */
export interface Driver {
  readonly world: () => World;
  /** Does a step if it is possible. */
  readonly step: (step: Step) => Promise<void>;
  /**
   * The diagnostics of all files when the server is idle: JSON lines by path, sorted; a file without problems is
   * absent.
   */
  readonly problems: () => Promise<Problems>;
  readonly memory: () => Promise<Memory | undefined>;
  readonly close: () => Promise<void>;
}

export type Problems = ReadonlyMap<string, readonly string[]>;

/** Errors that a server may return: cancelled, content modified, or a refusal in a sentence. */
const HONEST_ERRORS = new Set([-32803, -32802, -32801, -32800]);
const LONGEST_ANSWER = 60_000;

/** Starts a server on a disk that already holds the world's files, and opens the open documents. */
export async function startDriver(world: World, backend: Backend, failed: (what: string) => void): Promise<Driver> {
  const state = { world, versions: 1, asked: 0 };
  const server = await backend.start({
    isTrusted: world.isTrusted,
    settings: () => state.world.settings,
    failed,
  });
  for (const [path, text] of world.open) await opened(server, path, text);
  const waiting = new Set<Promise<void>>();

  async function step(it: Step): Promise<void> {
    const next = after(state.world, it);
    if (next === undefined) return;
    const before = state.world;
    state.world = next;
    if (it.do === 'ask') {
      const answered: Promise<void> = ask(server, it, before, failed).finally(() => waiting.delete(answered));
      waiting.add(answered);
      if (it.seed % 2 === 0) await answered;
      return;
    }
    await tell(server, it, before, { backend, version: () => ++state.versions });
  }

  return {
    world: () => state.world,
    step,
    async problems() {
      await Promise.all(waiting);
      await server.settled();
      const known = [...server.diagnostics].filter(([, all]) => all.length > 0);
      return new Map(known.map(([path, all]) => [path, all.map(wordsOf).sort()]));
    },
    memory: server.memory,
    close: server.close,
  };
}

const wordsOf = ({ code, range, message, severity }: Diagnostic): string =>
  JSON.stringify([
    `${range.start.line}:${range.start.character}-${range.end.line}:${range.end.character}`,
    severity,
    code,
    message,
  ]);

const opened = (server: Server, path: string, text: string): Promise<void> =>
  server.connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri: server.uriOf(path), languageId: path.endsWith('.json') ? 'json' : 'yaml', version: 1, text },
  });

interface Telling {
  readonly backend: Backend;
  readonly version: () => number;
}

async function tell(server: Server, step: Step, before: World, { backend, version }: Telling): Promise<void> {
  const { connection, uriOf } = server;
  const changed = (...changes: readonly (readonly [string, FileChangeType])[]): Promise<void> =>
    connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: changes.map(([path, type]) => ({ uri: uriOf(path), type })),
    });
  const closed = (path: string) =>
    connection.sendNotification('textDocument/didClose', { textDocument: { uri: uriOf(path) } });
  switch (step.do) {
    case 'open':
      return opened(server, step.path, before.disk.get(step.path) ?? '');
    case 'close':
      return closed(step.path);
    case 'edit': {
      const { change } = edited(before.open.get(step.path) ?? '', step);
      return connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: uriOf(step.path), version: version() },
        contentChanges: [change],
      });
    }
    case 'save':
    case 'write': {
      const isNew = !before.disk.has(step.path);
      backend.put(step.path, step.do === 'write' ? step.text : (before.open.get(step.path) ?? ''));
      return changed([step.path, isNew ? FileChangeType.Created : FileChangeType.Changed]);
    }
    case 'delete':
      backend.remove(step.path);
      return changed([step.path, FileChangeType.Deleted]);
    case 'rename': {
      const shown = before.open.get(step.path);
      if (shown !== undefined) await closed(step.path);
      backend.remove(step.path);
      backend.put(step.to, before.disk.get(step.path) ?? '');
      if (shown !== undefined) await opened(server, step.to, shown);
      return changed([step.path, FileChangeType.Deleted], [step.to, FileChangeType.Created]);
    }
    case 'move': {
      const { moved } = movedBelow(before.disk, step.path, step.to);
      for (const [path, text] of moved) {
        backend.remove(step.path + path.slice(step.to.length));
        backend.put(path, text);
      }
      return changed([step.to, FileChangeType.Created], [step.path, FileChangeType.Deleted]);
    }
    case 'tell':
      return changed([step.path, step.type]);
    case 'settings':
      return connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    case 'trust':
      return connection.sendNotification('berth/trust', { isTrusted: step.isTrusted });
    case 'pause':
      return server.pause(step.milliseconds);
    case 'ask':
      return;
  }
}

async function ask(
  server: Server,
  step: Extract<Step, { do: 'ask' }>,
  world: World,
  failed: (what: string) => void,
): Promise<void> {
  const params = paramsOf(step, server.uriOf(step.path), world.open.get(step.path) ?? '');
  const answer = await answerTo(server, step.method, params, failed);
  const next = followUp(step.method, answer, step.seed);
  if (next !== undefined) await answerTo(server, next[0], next[1], failed);
}

async function answerTo(
  { connection }: Server,
  method: string,
  params: unknown,
  failed: (what: string) => void,
): Promise<unknown> {
  const timer = setTimeout(() => failed(`${method} is not answered`), LONGEST_ANSWER);
  try {
    return await connection.sendRequest(method, params);
  } catch (error) {
    if (error instanceof ResponseError && !HONEST_ERRORS.has(error.code)) failed(`${method}: ${error.message}`);
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
