import { existsSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { type Connection, createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { messagesIn } from '../disk/messages';
import { readPackIn } from '../disk/packs';
import { layOutIn } from '../explore/graphviz/thread';
import type * as Live from '../live/main';
import { createPolicyEngine } from '../policy/engine/engine';
import { engineWorld } from '../policy/engine/process';
import { runProcess } from '../workspace/rendered/process';
import { bugReporter } from './analysisServices';
import { startComparing } from './comparing/thread';
import { canonicalUri, type FileReach, type FileRead, lookWithin, pathOf, readWithin } from './disk';
import { excludedFrom, findManifests } from './files';
import { createMessageTurns } from './messageTurns';
import { startServer } from './server';

/** Starts the language server on the transport that the arguments name (`--stdio`, `--node-ipc`, `--socket=N`). */
export function main(): void {
  const { messageStrategy, yieldToEventLoop } = createMessageTurns(setImmediate);
  const connection = createConnection(ProposedFeatures.all, { messageStrategy });
  keepAlive(connection);
  boundHeap();
  startServer(connection, {
    noteFiles: createNote(),
    canonicalUri,
    readPack: readPackIn(join(__dirname, 'data')),
    messagesIn: (locale, bundle) => messagesIn(join(__dirname, '../l10n'), locale, bundle),
    policyEngine: createPolicyEngine(engineWorld(__dirname, line => connection.console.log(line))),
    async *manifestsBelow(folderUri, { folderUris, scope }) {
      const folder = pathOf(folderUri);
      if (folder === undefined) return;
      const isOpen = folderUris.includes(folderUri);
      if (!isOpen && (await lookWithin(folder, folderUris)) !== 'folder') return;
      for await (const paths of findManifests(folder, scope)) {
        yield paths.map(it => pathToFileURL(it).href);
      }
    },
    excludedFrom({ folderUris, scope }) {
      const isOut = excludedFrom(
        folderUris.flatMap(it => pathOf(it) ?? []),
        scope,
      );
      return async uri => {
        const path = pathOf(uri);
        return path === undefined || isOut(path);
      };
    },
    readText,
    yieldToEventLoop,
    clusters: {
      readSource,
      follow: (options, onContent) => live().followLive(options, onContent),
      contexts: () => live().contextsOf(),
      hasKubeconfig: () =>
        (process.env.KUBECONFIG || join(homedir(), '.kube', 'config')).split(delimiter).some(it => existsSync(it)),
    },
    rendering: {
      run: (command, args, options) => runProcess(command, args, { ...options, cwd: pathOf(options.cwd) ?? '' }),
      pathKind: pathKind,
      readText,
    },
    layOut: layOutIn(__dirname),
    startComparing: listener => startComparing(__dirname, listener),
    pause: milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds)),
    now: () => performance.now(),
  });
}

/** `initialize` has been answered by then. */
const GREETED_MILLISECONDS = 300;

/**
 * Without the flags of `start/server`, V8 would collect garbage first at 512 MB and then at up to four times the live size.
 * V8 applies new limits after a collection, so that one is needed.
 */
function boundHeap(): void {
  setTimeout(collectGarbage, GREETED_MILLISECONDS).unref();
}

const collectGarbage = (): void => (runInNewContext('gc') as () => void)();

/** Logs uncaught exceptions and continues: the state is one immutable value, which is never half changed. */
function keepAlive(connection: Connection): void {
  const report = bugReporter(connection);
  process.on('uncaughtException', error => report('A bug of Berth', error));
  process.on('unhandledRejection', reason => report('A bug of Berth', reason));
}

/** Writes synchronously, because the note is read after this process has ended. */
function createNote(): (path: string, uris: readonly string[]) => void {
  const open = new Map<string, number>();
  return (path, uris) => {
    try {
      const file = open.get(path) ?? openSync(path, 'w', 0o600);
      open.set(path, file);
      ftruncateSync(file);
      if (uris.length > 0) writeSync(file, uris.join('\n'), 0);
    } catch {
      // The note is optional.
    }
  };
}

/** Loads the client of live clusters on demand, because it is large and rarely needed. */
function live(): Pick<typeof Live, 'followLive' | 'contextsOf'> {
  return require(join(__dirname, 'cluster.js')) as typeof Live;
}

async function readSource(file: string, reach: FileReach): Promise<FileRead> {
  const path = file.startsWith('file:') ? pathOf(file) : file.replace(/^~(?=[\\/])/, homedir());
  return path === undefined ? { failure: `${file} is on another computer` } : readWithin(path, reach);
}

/** undefined: the file is missing or may not be read. */
async function readText(uri: string, reach: FileReach): Promise<string | undefined> {
  const path = pathOf(uri);
  const read = path === undefined ? undefined : await readWithin(path, reach);
  return read !== undefined && 'text' in read ? read.text : undefined;
}

async function pathKind(uri: string, reach: FileReach): Promise<'file' | 'folder' | 'nothing' | undefined> {
  const path = pathOf(uri);
  return path === undefined ? undefined : lookWithin(path, reach);
}

main();
