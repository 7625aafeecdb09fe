import { existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { type Connection, createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import type * as Live from '../live/main';
import { createPolicyEngine } from '../policy/engine/engine';
import { engineWorld } from '../policy/engine/process';
import { runProcess } from '../workspace/rendered/process';
import { bugReporter } from './analysisServices';
import { startComparing } from './comparing/thread';
import { type FileReach, type FileRead, lookWithin, pathOf, readWithin } from './disk';
import { excludedFrom, findManifests } from './files';
import { startServer } from './server';

/** Starts the language server on the transport that the arguments name (`--stdio`, `--node-ipc`, `--socket=N`). */
export function main(): void {
  const packs = join(__dirname, 'data');
  const connection = createConnection(ProposedFeatures.all);
  keepAlive(connection);
  boundHeap();
  startServer(connection, {
    noteFiles: createNote(),
    canonicalUri(uri) {
      const path = pathOf(uri);
      return path === undefined ? uri : pathToFileURL(path).href;
    },
    readPack: name => readFileSync(join(packs, name)),
    messagesIn,
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
      lookAt,
      readText,
    },
    startComparing: listener => startComparing(__dirname, listener),
    pause: milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds)),
    now: () => performance.now(),
  });
}

/** By then a client has been greeted. */
const GREETED_MILLISECONDS = 300;

/**
 * V8 looks for garbage for the first time at 512 MB, and then at up to four times what is live, were it not for the flags of
 * `start/server`. It measures anew what may be there whenever it has looked, so that it must look once.
 */
function boundHeap(): void {
  setTimeout(collectGarbage, GREETED_MILLISECONDS).unref();
}

const collectGarbage = (): void => (runInNewContext('gc') as () => void)();

/** A message that came in during a turn is read after it, and handled in the phase that follows. */
async function yieldToEventLoop(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/** A bug that nothing else catches is told, and the server goes on: what it knows is one immutable value, never half of one. */
function keepAlive(connection: Connection): void {
  const tell = bugReporter(connection);
  process.on('uncaughtException', error => tell('A bug of Berth', error));
  process.on('unhandledRejection', reason => tell('A bug of Berth', reason));
}

/** Writes at once, as whoever reads it does so after this process has ended. */
function createNote(): (path: string, uris: readonly string[]) => void {
  const open = new Map<string, number>();
  return (path, uris) => {
    try {
      const file = open.get(path) ?? openSync(path, 'w', 0o600);
      open.set(path, file);
      ftruncateSync(file);
      if (uris.length > 0) writeSync(file, uris.join('\n'), 0);
    } catch {
      // Without a note the server works as well.
    }
  };
}

/** The extension's own messages beside its bundles: those of ja for ja-JP, too. */
function messagesIn(locale: string): Readonly<Record<string, string>> | undefined {
  const [language = ''] = locale.split('-');
  const file = join(__dirname, '../l10n', `bundle.l10n.${language}.json`);
  return /^[a-z]+$/.test(language) && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** The client of live clusters is large, and most sessions never need it. */
function live(): Pick<typeof Live, 'followLive' | 'contextsOf'> {
  return require(join(__dirname, 'cluster.js')) as typeof Live;
}

async function readSource(file: string, reach: FileReach): Promise<FileRead> {
  const path = file.startsWith('file:') ? pathOf(file) : file.replace(/^~(?=[\\/])/, homedir());
  return path === undefined ? { failure: `${file} is on another computer` } : readWithin(path, reach);
}

/** A file that went away, or may not be read, does not exist for the workspace. */
async function readText(uri: string, reach: FileReach): Promise<string | undefined> {
  const path = pathOf(uri);
  const read = path === undefined ? undefined : await readWithin(path, reach);
  return read !== undefined && 'text' in read ? read.text : undefined;
}

async function lookAt(uri: string, reach: FileReach): Promise<'file' | 'folder' | 'nothing' | undefined> {
  const path = pathOf(uri);
  return path === undefined ? undefined : lookWithin(path, reach);
}

main();
