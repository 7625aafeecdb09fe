// The built server as another process, and what this system tells of it.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { root } from './run.mjs';

/** The path of the built server. */
export function builtServer() {
  const server = join(root, 'dist/server.js');
  if (!existsSync(server)) throw new Error('dist/server.js does not exist: `npm run build` makes it.');
  return server;
}

/**
 * Starts the built server as an editor does.
 * @param {Record<string, string>=} variables of its environment, beside those of this process
 */
export const startServer = variables =>
  spawn(process.execPath, [builtServer(), '--stdio'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...variables },
  });

/**
 * Does something with a server that ends afterwards. A server that ends before is an error.
 * @template T
 * @param {(server: import('node:child_process').ChildProcess) => Promise<T>} work
 * @param {Record<string, string>=} variables
 */
export async function withServer(work, variables) {
  const child = startServer(variables);
  try {
    const ended = new Promise((_, fail) => {
      child.once('error', fail);
      child.once('exit', (code, signal) =>
        fail(new Error(`The server ended while it was measured (${signal ?? code}).`)),
      );
    });
    return await Promise.race([work(child), ended]);
  } finally {
    child.removeAllListeners('exit');
    child.kill();
  }
}

/**
 * Greets a started server that is to serve a folder, and answers what it asks for: no settings.
 * @param {import('node:child_process').ChildProcess} server
 * @param {string} folder
 * @param {object} capabilities of the editor
 */
export async function greeted(server, folder, capabilities) {
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  connection.onError(() => undefined);
  connection.onRequest((method, params) =>
    method === 'workspace/configuration' ? params.items.map(() => null) : null,
  );
  connection.listen();
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'bench' }],
    capabilities,
    initializationOptions: { isTrusted: true },
  });
  await connection.sendNotification('initialized', {});
  return connection;
}

/** Gives promises that the problems of some version of a file are told. */
export function toldOf(connection) {
  const waiting = new Map();
  connection.onNotification('textDocument/publishDiagnostics', it => {
    waiting.get(`${it.uri} ${it.version}`)?.();
    waiting.delete(`${it.uri} ${it.version}`);
  });
  return (uri, version) => new Promise(resolve => waiting.set(`${uri} ${version}`, resolve));
}

/** Starts a lap: how long it took, and how long the main thread of a process ran in it; both in milliseconds. */
export function lapOf(pid) {
  const start = performance.now();
  const ran = ranUntilNow(pid);
  return () => ({ milliseconds: performance.now() - start, ran: ran && ranUntilNow(pid) - ran });
}

/** undefined on systems that do not tell. */
function ranUntilNow(pid) {
  const file = `/proc/${pid}/task/${pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6 : undefined;
}

/** MiB; undefined on systems that do not tell. */
export function residentOf(pid) {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1]) / 1024);
}
