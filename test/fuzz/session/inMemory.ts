import { PassThrough } from 'node:stream';
import {
  createConnection,
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { isFileRead } from '../../../server/src/analysis/metadata';
import { startServer } from '../../../server/src/lsp/server';
import type { ServerWorld } from '../../../server/src/lsp/world';
import type { PolicyEngine } from '../../../server/src/policy/engine/engine';
import { readPack } from '../../support/packs';
import { type Backend, initialized, listening, type Server, type ServerOptions, uriIn } from './server';

const BASE = 'file:///ws/';
/** Number of idle turns of the event loop after which the server counts as idle. */
const QUIET_TURNS = 40;
/** Maximum CPU time of an idle turn, in microseconds. */
const QUIET_MICROSECONDS = 500;
/** Duration of a turn of the event loop while the server is idle, in milliseconds. */
const A_TURN = 10;

type Files = Map<string, string>;

/**
 * Servers in this process on an in-memory disk: no process is started, and time is counted in turns of the event loop,
 * so that a run can be repeated. Policies use the engine if there is one; nothing is rendered.
 */
export function inMemory(engine?: PolicyEngine): Backend {
  const files: Files = new Map();
  return {
    start: options => start(files, engine, options),
    fill(wanted) {
      files.clear();
      for (const [path, text] of wanted) files.set(path, text);
    },
    put: (path, text) => void files.set(path, text),
    remove: path => void files.delete(path),
    another: () => inMemory(engine),
    close: () => undefined,
  };
}

/** Pending work that ends by itself. */
interface Busy {
  count: number;
}

async function start(files: Files, engine: PolicyEngine | undefined, options: ServerOptions): Promise<Server> {
  const busy: Busy = { count: 0 };
  const [up, down] = [new PassThrough(), new PassThrough()];
  const own = createConnection(new StreamMessageReader(up), new StreamMessageWriter(down));
  startServer(own, worldOf(files, engine, busy));
  const connection = createMessageConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
  const heard = listening(connection, BASE, options);
  await initialized(connection, BASE, options.isTrusted);
  return {
    connection,
    diagnostics: heard.diagnostics,
    uriOf: path => uriIn(BASE, path),
    settled: () => settled(busy, heard.messages),
    pause: turnsFor,
    memory: async () => undefined,
    async close() {
      connection.dispose();
      own.dispose();
    },
  };
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

async function turnsFor(milliseconds: number): Promise<void> {
  for (let i = 0; i < milliseconds; i += A_TURN) await turn();
}

async function settled(busy: Busy, messages: () => number): Promise<void> {
  for (let [quiet, before, spent] = [0, -1, 0]; quiet < QUIET_TURNS; ) {
    // Zero timers yield to other work, so one of them counts as a turn, too.
    await new Promise(resolve => setTimeout(resolve));
    await turn();
    // Background work yields between its slices without any notification.
    const { user, system } = process.cpuUsage();
    const hasWorked = user + system - spent > QUIET_MICROSECONDS;
    quiet = busy.count > 0 || hasWorked || messages() !== before ? 0 : quiet + 1;
    [before, spent] = [messages(), user + system];
  }
}

function worldOf(files: Files, engine: PolicyEngine | undefined, busy: Busy): ServerWorld {
  async function counted<T>(work: () => Promise<T>): Promise<T> {
    busy.count += 1;
    try {
      return await work();
    } finally {
      busy.count -= 1;
    }
  }
  const pathOf = (uri: string): string | undefined =>
    uri.startsWith(BASE) ? decodeURIComponent(uri.slice(BASE.length)) : undefined;
  return {
    readPack,
    canonicalUri: uri => uri,
    async *manifestsBelow(folder) {
      const below = `${folder}/`.slice(BASE.length);
      yield [...files.keys()].filter(it => it.startsWith(below) && isFileRead(it)).map(it => uriIn(BASE, it));
    },
    excludedFrom: () => async uri => pathOf(uri) === undefined,
    readText: async uri => files.get(pathOf(uri) ?? ''),
    yieldToEventLoop: () => counted(turn),
    now: () => performance.now(),
    pause: milliseconds => counted(() => turnsFor(milliseconds)),
    rendering: {
      run: async () => ({ end: 'missing' }),
      readText: async uri => files.get(pathOf(uri) ?? ''),
      async pathKind(uri) {
        const path = pathOf(uri) ?? '';
        if (files.has(path)) return 'file';
        return [...files.keys()].some(it => it.startsWith(`${path}/`)) ? 'folder' : 'nothing';
      },
    },
    ...(engine && {
      policyEngine: { ...engine, call: (request, limits) => counted(() => engine.call(request, limits)) },
    }),
  };
}
