import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { type Backend, initialized, listening, type Memory, type Server, type ServerOptions, uriIn } from './server';

const LONGEST_TASK = 1_000;
/** The longest pause of the server before it continues is 400 ms. */
const QUIET_MILLISECONDS = 700;
const LOOK_MILLISECONDS = 70;
const LONGEST_WAIT = 600_000;

/** Servers of the build, each in its own process, on a folder of the disk. `root` is the project's folder. */
export function processes(root: string): Backend {
  const folder = mkdtempSync(join(tmpdir(), 'berth-fuzz-'));
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  return {
    start: options => start(root, folder, options),
    fill(files) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      for (const [path, text] of files) put(path, text);
    },
    put,
    remove: path => rmSync(join(folder, path), { force: true }),
    another: () => processes(root),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function start(root: string, folder: string, options: ServerOptions): Promise<Server> {
  const { failed } = options;
  const watch = join(root, 'test/fuzz/session/watch.cjs');
  const script = join(root, 'dist/server.js');
  const child = spawn(process.execPath, ['--expose-gc', '--require', watch, script, '--stdio'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const state = { isClosing: false };
  const ended = new Promise<void>(resolve => {
    child.once('exit', (code, signal) => {
      if (!state.isClosing) failed(`the server ended: ${signal ?? `exit code ${code}`}`);
      resolve();
    });
  });
  child.stdin?.on('error', () => undefined);
  child.stderr?.on('data', it => failed(`standard error: ${String(it).slice(0, 4000)}`));
  const memory = listenToWatch(child, failed);
  if (child.stdout === null || child.stdin === null) throw new Error('The server has no standard streams.');
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const base = `${pathToFileURL(folder).href}/`;
  const heard = listening(connection, base, options);
  await initialized(connection, base, options.isTrusted);
  return {
    connection,
    diagnostics: heard.diagnostics,
    uriOf: path => uriIn(base, path),
    settled: () => settled(child, heard.messages),
    pause: milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds)),
    memory,
    async close() {
      state.isClosing = true;
      connection.dispose();
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function listenToWatch(child: ChildProcess, failed: (what: string) => void): () => Promise<Memory> {
  const waiting: ((memory: Memory) => void)[] = [];
  const stream = child.stdio[3];
  if (stream !== null && stream !== undefined && 'read' in stream)
    createInterface({ input: stream }).on('line', line => {
      const message: { readonly task?: number } & Partial<Memory> = JSON.parse(line);
      if (message.task !== undefined && message.task > LONGEST_TASK)
        failed(`stall: one task took ${(message.task / 1000).toFixed(1)} s of CPU`);
      if (message.heapUsed !== undefined) waiting.shift()?.({ heapUsed: message.heapUsed, rss: message.rss ?? 0 });
    });
  child.once('exit', () => {
    for (const resolve of waiting.splice(0)) resolve({ heapUsed: 0, rss: 0 });
  });
  return () =>
    new Promise(resolve => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve({ heapUsed: 0, rss: 0 });
      waiting.push(resolve);
      child.kill('SIGUSR2');
    });
}

/** Waits until neither the server nor its child processes have used CPU time for a while. */
async function settled(child: ChildProcess, messages: () => number): Promise<void> {
  const start = performance.now();
  let [since, before] = [performance.now(), ''];
  while (child.exitCode === null && child.signalCode === null) {
    const { pid = 0 } = child;
    const now = `${messages()} ${workOf(pid)}`;
    // A process that waits for a CPU still has work to do.
    if (now !== before || isRunnable(pid)) since = performance.now();
    before = now;
    if (performance.now() - since > QUIET_MILLISECONDS) return;
    if (performance.now() - start > LONGEST_WAIT) throw new Error('The server does not come to rest.');
    await new Promise(resolve => setTimeout(resolve, LOOK_MILLISECONDS));
  }
}

/** CPU time of a process and its children, in units so coarse that measuring counts as none. */
function workOf(pid: number): string {
  return familyOf(pid)
    .map(it => `${it}:${Math.floor(ticksOf(it) / 2)}`)
    .join(' ');
}

/** Policies run in threads; the process state is that of its first thread only. */
const isRunnable = (pid: number): boolean =>
  familyOf(pid)
    .flatMap(it => threadsOf(it).map(thread => `${it}/task/${thread}`))
    .some(it => /^[RD]$/.test(statOf(it)[0] ?? ''));

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** The fields of /proc/PID/stat, or of a thread's PID/task/THREAD, after the name; empty for an ended process. */
function statOf(id: number | string): readonly string[] {
  try {
    return readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
}

function ticksOf(pid: number): number {
  const fields = statOf(pid);
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

function familyOf(pid: number): readonly number[] {
  return [pid, ...childrenOf(pid).flatMap(familyOf)];
}

function childrenOf(pid: number): readonly number[] {
  try {
    return threadsOf(pid).flatMap(it =>
      readFileSync(`/proc/${pid}/task/${it}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}
