import { fstatSync, readFileSync, statSync, writeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { speak } from '../base/l10n';
import { messagesIn, type TextBundle } from '../disk/messages';
import { readPackIn } from '../disk/packs';
import { startExpanding } from '../explore/ahead/thread';
import { layOutIn } from '../explore/graphviz/thread';
import { createDividedEngine } from '../policy/engine/divided';
import { engineWorld } from '../policy/engine/process';
import { runProcess } from '../workspace/rendered/process';
import { diskFrom, forward, reasonOf } from './disk';
import { runCli } from './run';
import { checkInThread } from './threads/checking';
import { serveChecking, startChecking } from './threads/checkingThread';
import type { Fallible, LiveModule, OuterWorld, SolverModule } from './world';

async function answer<T>(work: () => Promise<T>): Promise<Fallible<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { failure: reasonOf(error) };
  }
}

/** The real world: the file system, the standard streams and the clock. */
function realWorld(): OuterWorld {
  const isScreen = isTerminal(1);
  return {
    version: versionOfPackage(),
    out: createOut(isScreen || process.platform === 'win32'),
    err: text => void process.stderr.write(text),
    colours: showsColours(isScreen),
    ...columnsOfScreen(isScreen),
    progress: createProgress(),
    // Node's module for performance takes a while to load.
    now: () => process.uptime() * 1000,
    readPack: readPackIn(join(__dirname, 'data')),
    policyEngine: createDividedEngine(
      engineWorld(__dirname, () => undefined),
      policyThreads(),
    ),
    readInput: () => answer(readAll),
    ...diskFrom(),
    post: (url, body, timeout) =>
      answer(async () => {
        const headers = { 'Content-Type': 'application/json' };
        const signal = AbortSignal.timeout(timeout);
        const response = await fetch(url, { method: 'POST', headers, body, signal });
        return { status: response.status, text: await response.text() };
      }),
    expect: characters => {
      if (characters >= MANY_CHARACTERS) optimizeLater();
    },
    optimizeLater,
    learnPages: () => speakTexts('bundle', 'pages'),
    // The client of live clusters is large, and few commands need it.
    live: () => require(join(__dirname, 'cluster.js')) as LiveModule,
    // The solver is large too.
    solver: () => (require(join(__dirname, 'optimum.js')) as SolverModule).loadSolver(),
    layOut: layOutIn(__dirname),
    runProcess,
    checkInThread: input => startChecking(__dirname, input),
    expandInThread: system => startExpanding(__dirname, system),
    // The server's bundle reads the same arguments and takes the streams as soon as it is loaded.
    startServer: () => void require(join(__dirname, 'server.js')),
  };
}

/** Each has a memory of its own, of some 150 MB. */
const MOST_POLICY_THREADS = 4;

const policyThreads = (): number => Math.min(MOST_POLICY_THREADS, availableParallelism());

/** FORCE_COLOR decides where it is set, as it does for Node itself. */
function showsColours(isScreen: boolean): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isScreen && !NO_COLOR && TERM !== 'dumb';
}

/** The width of the terminal; COLUMNS, where it is set, stands for it. */
function columnsOfScreen(isScreen: boolean): Pick<OuterWorld, 'columns'> {
  const columns = Number(process.env.COLUMNS ?? (isScreen ? process.stdout.columns : 0));
  return Number.isInteger(columns) && columns >= NARROWEST ? { columns } : {};
}

/** Below this many columns a text is harder to read folded than not. */
const NARROWEST = 40;
/** Milliseconds before there is any progress to show, and between two showings. */
const [PROGRESS_AFTER, PROGRESS_EVERY] = [1000, 100];

/** Writes to standard error, where that is a terminal. */
function createProgress(): NonNullable<OuterWorld['progress']> {
  const state = { at: 0, isShown: false };
  return text => {
    const now = process.uptime() * 1000;
    if (text === '') {
      if (state.isShown) process.stderr.write('\r\u001b[K');
      state.isShown = false;
      return;
    }
    if (now < PROGRESS_AFTER || now - state.at < PROGRESS_EVERY || !isTerminal(2)) return;
    process.stderr.write(`\r\u001b[K${text}`);
    Object.assign(state, { at: now, isShown: true });
  };
}

/** Fewer are read before V8 has optimized much. */
const MANY_CHARACTERS = 500_000;
/** What a function may run, in bytes of its code, before V8 optimizes it; V8's own choice is the second one. */
const [LATE_BUDGET, BUDGET] = [528_000, 67_584];

/**
 * V8 11, which Node 20 has, optimizes the rules so soon that it spends a quarter of the time of some thousand documents on what it
 * throws away again, and half of the time of a small scenario on the scheduler. Later versions do better, and have no such flag.
 * What V8 compiled is kept for the flags that hold then.
 */
function optimizeLater(): void {
  if (!process.versions.v8.startsWith('11.')) return;
  const { setFlagsFromString } = require('node:v8') as typeof import('node:v8');
  setFlagsFromString(`--interrupt-budget=${LATE_BUDGET}`);
  process.prependOnceListener('exit', () => setFlagsFromString(`--interrupt-budget=${BUDGET}`));
}

/** Node's module for terminals brings its networking along: only what may be one is asked. */
function isTerminal(descriptor: 1 | 2): boolean {
  try {
    const out = fstatSync(descriptor);
    const nowhere = statSync('/dev/null', { throwIfNoEntry: false });
    const stream = () => (descriptor === 1 ? process.stdout : process.stderr);
    return out.isCharacterDevice() && out.rdev !== nowhere?.rdev && stream().isTTY === true;
  } catch {
    return false;
  }
}

/**
 * Writes to standard output. Files and pipes are written to without Node's streams, which take longer to load than most
 * answers to print; a full pipe that does not wait is left to the stream, and so is all that follows.
 */
function createOut(isStream: boolean): (text: string) => void {
  const state = { stream: isStream ? openStream() : undefined };
  return text => {
    const bytes = Buffer.from(text);
    const left = state.stream === undefined ? writeNow(bytes) : bytes;
    if (left === undefined) return;
    state.stream ??= openStream();
    state.stream.write(left);
  };
}

/** The part that could not be written at once; undefined when all was written, or when the reader has closed the pipe. */
function writeNow(bytes: Uint8Array): Uint8Array | undefined {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A reader that leaves early (`| head`) is no failure of this command.
      if (code === 'EPIPE') return undefined;
      if (code !== 'EAGAIN') throw error;
      return bytes.subarray(at);
    }
  }
  return undefined;
}

function openStream(): NodeJS.WriteStream {
  return process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exitCode ??= 0;
  });
}

async function readAll(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks);
}

/** The bundle is one folder below package.json. */
function versionOfPackage(): string {
  const { version } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
}

/** An editor, which shows what the command line says, names its language. */
function speakTexts(...bundles: readonly TextBundle[]): void {
  const { BERTH_LOCALE } = process.env;
  if (BERTH_LOCALE !== undefined) speak(...bundles.map(it => messagesIn(join(__dirname, '../l10n'), BERTH_LOCALE, it)));
}

/** Runs the command line of this process. */
export function main(): void {
  speakTexts('bundle');
  void runCli(
    process.argv.slice(2).map((it, index) => (index === 0 ? it : forwardOnWindows(it))),
    realWorld(),
  ).then(ending => {
    if (ending !== undefined) process.exitCode = ending;
  });
}

/** Checks files for a command that waits in another thread. */
export function checkHere(): void {
  const { readPack, absolute, policyEngine } = realWorld();
  serveChecking(input => checkInThread(input, { readPack, absolute, policyEngine }));
}

function forwardOnWindows(argument: string): string {
  return process.platform === 'win32' ? forward(argument) : argument;
}
