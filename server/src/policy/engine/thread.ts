import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { createBrotliDecompress } from 'node:zlib';
import { type EngineThread, type FromEngine, PROGRAM } from './engine';
import { type WasmProgram, webAssembly } from './webAssembly';
import type { WorkerData } from './worker';

/** Bytes from which Go's collector works harder; the module itself has a maximum of 1 GiB. */
const SOFT_MEMORY_LIMIT = 512 * 2 ** 20;

const CHUNK_BYTES = 256 * 1024;

type WorkerMessage = { readonly log: string } | { readonly exit: number } | FromEngine;

/** The chunks that a program came in are as large as itself, and V8 would keep them until its heap grows. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/**
 * Compiled while it is unpacked, so that its 120 MB are never in one piece on the heap, and by the quick compiler alone:
 * the optimizing one would take 200 MB more, and policies run for milliseconds.
 */
async function compiled(folder: string): Promise<WasmProgram> {
  const unpacked = createReadStream(join(folder, PROGRAM)).pipe(createBrotliDecompress({ chunkSize: CHUNK_BYTES }));
  const headers = { 'content-type': 'application/wasm' };
  setFlagsFromString('--liftoff-only');
  const program = await webAssembly.compileStreaming(
    new Response(Readable.toWeb(unpacked) as ReadableStream, { headers }),
  );
  collectGarbage();
  return program;
}

/**
 * Starts threads of the engine's program, which is compiled once, with the first one: a thread after a runaway need only
 * be instantiated. It runs in the engine's own process.
 * @param folder Where the program, `wasm_exec.js` and `policyWorker.js` are.
 */
export function engineThreads(
  folder: string,
  log: (line: string) => void,
): (listener: (message: FromEngine) => void) => EngineThread {
  const state: { module: Promise<WasmProgram> | undefined } = { module: undefined };
  return listener => {
    const { thread, begin } = threadIn(folder, log, listener);
    state.module ??= compiled(folder);
    state.module.then(begin, (error: Error) => {
      state.module = undefined;
      listener({ failure: `the policy engine cannot be loaded: ${error.message}` });
    });
    return thread;
  };
}

function startWorker(folder: string, module: WasmProgram, cancelFlag: SharedArrayBuffer): Worker {
  const wasmExec = join(folder, 'wasm_exec.js');
  const workerData: WorkerData = { module, wasmExec, cancelFlag, softMemoryLimit: SOFT_MEMORY_LIMIT };
  // Nothing of the editor's environment is for policies.
  const options = { workerData, env: {}, stdout: true, stderr: true, execArgv: [] };
  return new Worker(join(folder, 'policyWorker.js'), options);
}

interface PendingThread {
  readonly thread: EngineThread;
  /** Once the program is there. */
  readonly begin: (module: WasmProgram) => void;
}

function threadIn(folder: string, log: (line: string) => void, listener: (message: FromEngine) => void): PendingThread {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const running = {
    worker: undefined as Worker | undefined,
    isAsked: false,
    isEnded: false,
    /** The processor's time of this process when the last question came. */
    usedBefore: process.cpuUsage(),
  };

  function begin(module: WasmProgram): void {
    if (running.isEnded) return;
    running.worker = startWorker(folder, module, flag.buffer as SharedArrayBuffer);
    running.worker.on('message', onMessage);
    running.worker.on('error', error => listener({ failure: `the policy engine failed: ${error.message}` }));
  }

  function onMessage(message: WorkerMessage): void {
    if ('log' in message) log(message.log);
    else if ('exit' in message) {
      end();
      // Go ends the program when its memory cannot grow.
      listener({ failure: 'it took more memory than there is for policies, or made the engine fail' });
    } else {
      if ('answer' in message) running.isAsked = false;
      Atomics.store(flag, 0, 0);
      listener(message);
    }
  }

  function end(): void {
    running.isEnded = true;
    void running.worker?.terminate();
    running.worker = undefined;
  }

  const thread: EngineThread = {
    post: (id, request) => {
      running.isAsked = true;
      running.usedBefore = process.cpuUsage();
      running.worker?.postMessage({ id, request });
    },
    // One that crosses the answer is not for the next question.
    cancel: () => {
      if (running.isAsked) Atomics.store(flag, 0, 1);
    },
    requestWorkTime: id => {
      const { user, system } = process.cpuUsage(running.usedBefore);
      listener({ id, workedMilliseconds: (user + system) / 1000 });
    },
    end,
  };
  return { thread, begin };
}
