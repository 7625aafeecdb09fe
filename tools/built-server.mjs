// The built server as another process, and what this system tells of it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** The path of the built server. */
export function builtServer() {
  const server = join(root, 'dist/server.js');
  if (!existsSync(server)) throw new Error('dist/server.js does not exist: `npm run build` makes it.');
  return server;
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
