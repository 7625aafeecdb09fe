import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type EngineThread, type EngineWorld, type FromEngine, PROGRAM } from './engine';

/** Messages to the engine's process; `run` numbers its threads. */
export type ToProcess =
  | { readonly run: number; readonly start: true }
  | { readonly run: number; readonly id: number; readonly request: string }
  | { readonly run: number; readonly cancel: true }
  | { readonly run: number; readonly workTimeOf: number }
  | { readonly run: number; readonly end: true };

export type FromProcess = { readonly log: string } | { readonly run: number; readonly message: FromEngine };

/** The environment variables that Node, or an editor that runs as Node, needs to start. */
const ENVIRONMENT = ['ELECTRON_RUN_AS_NODE', 'SystemRoot', 'LD_LIBRARY_PATH'];

export interface EngineProcess extends EngineWorld {
  /** The process id while the process runs. */
  readonly pid: () => number | undefined;
}

interface Started {
  readonly child: ChildProcess;
  readonly listeners: Map<number, (message: FromEngine) => void>;
  /** The threads that somebody waits for. Without any, the process must not keep this one alive. */
  readonly busy: Set<number>;
}

/**
 * The real engine, from the files of the build, in its own process: V8 and malloc keep much of the program's memory
 * for as long as a process lives, so only ending the process frees it. The process is Berth's own bundle, run by the
 * executable that runs Berth; nothing of a workspace is started. Only `lsp/main`, `cli/main` and tests create one.
 * @param folder Contains `policyEngine.wasm.br`, `wasm_exec.js`, `policyProcess.js` and `policyWorker.js`.
 */
export function engineWorld(folder: string, log: (line: string) => void): EngineProcess {
  const home = resolve(folder);
  const state: { started: Started | undefined; runs: number } = { started: undefined, runs: 0 };

  function started(): Started {
    if (state.started !== undefined) return state.started;
    const now = startProcess(home, log, () => {
      if (state.started === now) state.started = undefined;
    });
    state.started = now;
    return now;
  }

  function start(listener: (message: FromEngine) => void): EngineThread {
    const run = ++state.runs;
    const process = started();
    const { child, listeners } = process;
    listeners.set(run, listener);
    // A send to a process that is gone fails silently; its exit event reports it.
    const send = (message: ToProcess): void => void child.send(message, () => undefined);
    keepAlive(process, run);
    send({ run, start: true });
    return {
      post: (id, request) => {
        keepAlive(process, run);
        send({ run, id, request });
      },
      cancel: () => send({ run, cancel: true }),
      requestWorkTime: id => send({ run, workTimeOf: id }),
      end: () => {
        listeners.delete(run);
        letExit(process, run);
        send({ run, end: true });
      },
    };
  }

  return {
    isBuilt: () => existsSync(join(home, PROGRAM)),
    start,
    release: () => {
      state.started?.listeners.clear();
      state.started?.child.kill('SIGKILL');
      state.started = undefined;
    },
    pid: () => state.started?.child.pid,
  };
}

/** Calls `lost` when the process ends, before the listeners. */
function startProcess(home: string, log: (line: string) => void, lost: () => void): Started {
  // Loaded late: the module loads Node's networking, and most processes never start an engine.
  const { fork } = require('node:child_process') as typeof import('node:child_process');
  const child = fork(join(home, 'policyProcess.js'), [], {
    cwd: home,
    env: environment(),
    execArgv: [],
    serialization: 'advanced',
    // Standard output carries the language server's protocol.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const listeners: Started['listeners'] = new Map();
  const started: Started = { child, listeners, busy: new Set() };
  child.on('message', (message: FromProcess) => {
    if ('log' in message) return log(message.log);
    // A call that waits for the start keeps this process alive again, as soon as the listener has heard of it.
    if (!('workedMilliseconds' in message.message)) letExit(started, message.run);
    listeners.get(message.run)?.(message.message);
  });
  const lose = (why: string): void => {
    lost();
    for (const listener of listeners.values())
      listener({ failure: `the process of the policy engine ${why}`, gone: 'process' });
    listeners.clear();
  };
  child.on('error', error => lose(`failed: ${error.message}`));
  child.on('exit', (code, signal) => lose(`ended (${signal ?? code})`));
  return started;
}

function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(ENVIRONMENT.flatMap(it => (process.env[it] === undefined ? [] : [[it, process.env[it]]])));
}

function keepAlive({ child, busy }: Started, run: number): void {
  busy.add(run);
  child.ref();
  child.channel?.ref();
}

function letExit({ child, busy }: Started, run: number): void {
  busy.delete(run);
  if (busy.size > 0) return;
  child.unref();
  child.channel?.unref();
}
