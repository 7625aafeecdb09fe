import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { PassThrough } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  createConnection,
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { excludedFrom, findManifests } from '../../server/src/lsp/files';
import { startServer } from '../../server/src/lsp/server';
import { FILES_IN_FOLDER, manyFiles, type WorkspaceFile } from './workspace';

type ReadPack = (name: string) => Uint8Array;

export interface ServerTimes {
  readonly files: number;
  /** Milliseconds until all files are read and in the index. */
  readonly index: number;
  /** Milliseconds until the problems of all files are known, too. */
  readonly diagnosed: number;
  /** Milliseconds that the loop was held at most. */
  readonly longestTask: number;
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** Milliseconds from a letter in one file to the problem that another one has by it. */
  readonly crossFile: readonly number[];
}

const SENTINEL = 'zz/last.yaml';

/** A server on the real files of a temporary folder, as an editor starts it, from `initialized` on. */
export async function serverTimes(count: number, rounds: number, readPack: ReadPack): Promise<ServerTimes> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-server-'));
  try {
    const files = onDisk(manyFiles(count), folder);
    return await measured(folder, files, rounds, readPack);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function onDisk(files: readonly WorkspaceFile[], folder: string): readonly WorkspaceFile[] {
  const moved = files.map(it => ({ ...it, path: join(folder, it.uri.replace('file:///bench/', '')) }));
  const typo = {
    path: join(folder, SENTINEL),
    text: 'apiVersion: v1\nkind: Pod\nmetadata: { name: last }\nspek: {}\n',
  };
  for (const { path, text } of [...moved, typo]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return moved.map(({ path, text }) => ({ uri: pathToFileURL(path).href, text }));
}

async function measured(
  folder: string,
  files: readonly WorkspaceFile[],
  rounds: number,
  readPack: ReadPack,
): Promise<ServerTimes> {
  const { connection, published } = await startedIn(folder, readPack);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const start = performance.now();
  const isRead = new Promise<number>(resolve => {
    connection.onNotification('$/progress', ({ value }) => {
      if (value.kind === 'end') resolve(performance.now() - start);
    });
  });
  const isDiagnosed = published(pathToFileURL(join(folder, SENTINEL)).href, all => all > 0);
  await connection.sendNotification('initialized', {});
  const index = await isRead;
  await isDiagnosed;
  const diagnosed = performance.now() - start;
  delay.disable();
  const longestTask = delay.max / 1e6;
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const crossFile = await editedOften(files, rounds, connection, published);
  connection.dispose();
  return { files: files.length + 1, index, diagnosed, longestTask, heapBytes: heapUsed, residentBytes: rss, crossFile };
}

type Published = (uri: string, isMeant: (problems: number) => boolean) => Promise<void>;

async function startedIn(
  folder: string,
  readPack: ReadPack,
): Promise<{ readonly connection: MessageConnection; readonly published: Published }> {
  const [up, down] = [new PassThrough(), new PassThrough()];
  startServer(createConnection(new StreamMessageReader(up), new StreamMessageWriter(down)), {
    readPack,
    canonicalUri: uri => uri,
    async *manifestsBelow(uri, { scope }) {
      for await (const paths of findManifests(fileURLToPath(uri), scope)) yield paths.map(it => pathToFileURL(it).href);
    },
    excludedFrom({ folderUris, scope }) {
      const isOut = excludedFrom(
        folderUris.map(it => fileURLToPath(it)),
        scope,
      );
      return uri => isOut(fileURLToPath(uri));
    },
    readText: uri => readFile(fileURLToPath(uri), 'utf8').catch(() => undefined),
    yieldToEventLoop: () => new Promise(resolve => setImmediate(resolve)),
    now: () => performance.now(),
    pause: milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds)),
  });
  const connection = createMessageConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
  const waiting = new Map<string, (problems: number) => void>();
  connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) =>
    waiting.get(uri)?.(diagnostics.length),
  );
  connection.onRequest('window/workDoneProgress/create', () => null);
  connection.listen();
  await connection.sendRequest('initialize', {
    processId: null,
    rootUri: null,
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'bench' }],
    capabilities: { workspace: { workspaceFolders: true }, window: { workDoneProgress: true } },
  });
  const published: Published = (uri, isMeant) =>
    new Promise(resolve => {
      waiting.set(uri, problems => {
        if (!isMeant(problems)) return;
        waiting.delete(uri);
        resolve();
      });
    });
  return { connection, published };
}

/** Breaks and mends the key of a ConfigMap that the file before it reads. */
async function editedOften(
  files: readonly WorkspaceFile[],
  rounds: number,
  connection: MessageConnection,
  published: Published,
): Promise<readonly number[]> {
  // The first app of a folder reads the settings of the second.
  const first = files.findIndex(it => it.uri.endsWith(`app${FILES_IN_FOLDER}.yaml`));
  const [reader, edited] = [files[Math.max(first, 2)]!, files[Math.max(first, 2) + 1]!];
  const open = (textDocument: object) => connection.sendNotification('textDocument/didOpen', { textDocument });
  await open({ uri: edited.uri, languageId: 'yaml', version: 1, text: edited.text });
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const isBroken = round % 2 === 0;
    const text = isBroken ? edited.text.replace('  mode: fast', '  mood: fast') : edited.text;
    const start = performance.now();
    const told = published(reader.uri, problems => problems > 0 === isBroken);
    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: edited.uri, version: round + 2 },
      contentChanges: [{ text }],
    });
    await told;
    times.push(performance.now() - start);
  }
  return times;
}
