import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { createBrotliDecompress } from 'node:zlib';
import { type EngineThread, type FromEngine, PROGRAM } from './engine';
import { type WasmProgram, webAssembly } from './webAssembly';
import type { WorkerData } from './worker';

/** Bytes from which Go's garbage collector works harder. The module's hard maximum is 1 GiB. */
const SOFT_MEMORY_LIMIT = 512 * 2 ** 20;

const CHUNK_BYTES = 256 * 1024;

type WorkerMessage = { readonly log: string } | { readonly exit: number } | FromEngine;

/** The unpacked program is as large as the compiled one, and V8 would keep it until its heap grows. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** A buffer that grows in place, which the types of ES2023 do not have. */
interface GrowingBuffer extends ArrayBuffer {
  resize(bytes: number): void;
}
const GrowingArrayBuffer = ArrayBuffer as unknown as new (
  bytes: number,
  options: { readonly maxByteLength: number },
) => GrowingBuffer;

/** Address space for the program, of which only what it has is memory. */
const MOST_BYTES = 2 ** 29;

/** The 120 MB in one piece that grows, which is never copied. */
async function unpacked(path: string): Promise<ArrayBuffer> {
  const program = new GrowingArrayBuffer(0, { maxByteLength: MOST_BYTES });
  const chunks = createReadStream(path).pipe(createBrotliDecompress({ chunkSize: CHUNK_BYTES }));
  for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
    const at = program.byteLength;
    program.resize(at + chunk.length);
    new Uint8Array(program).set(chunk, at);
  }
  return program;
}

/**
 * V8 13, which Node 24 has, heeds the first flag at its own start alone. It needs both others: with one of them it still
 * optimizes, with the last one alone every function, which takes twice the CPU time.
 */
const BASELINE_ONLY = ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

/**
 * Uses only the baseline compiler: the optimizing one would take 200 MB more, and policies run for milliseconds. Functions
 * are checked with their compilation at the first call, as most are never called: to check all took a fifth of the start.
 * Compiled while it is decompressed, the program took 0.2 s of CPU time more, and for a moment 120 MB: V8 keeps what has come
 * and copies it at the end.
 */
async function compiled(folder: string): Promise<WasmProgram> {
  for (const flag of BASELINE_ONLY) setFlagsFromString(flag);
  setFlagsFromString('--wasm-lazy-validation');
  const program = await webAssembly.compile(await unpacked(join(folder, PROGRAM)));
  collectGarbage();
  return program;
}

/**
 * Starts threads of the engine's program inside the engine's process. The program is compiled once, with the first
 * thread; later threads only instantiate it.
 * @param folder Contains the program, `wasm_exec.js` and `policyWorker.js`.
 */
export function engineThreads(
  folder: string,
  log: (line: string) => void,
): (listener: (message: FromEngine) => void) => EngineThread {
  const state: { module: Promise<WasmProgram> | undefined } = { module: undefined };
  const busy: BusyThreads = { count: 0 };
  return listener => {
    const { thread, begin } = threadIn(folder, log, listener, busy);
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
  // Policies get nothing of the editor's environment.
  const options = { workerData, env: {}, stdout: true, stderr: true, execArgv: [] };
  return new Worker(join(folder, 'policyWorker.js'), options);
}

interface PendingThread {
  readonly thread: EngineThread;
  /** Called when the program is compiled. */
  readonly begin: (module: WasmProgram) => void;
}

/** How many threads of the process work on a call. */
interface BusyThreads {
  count: number;
}

function threadIn(
  folder: string,
  log: (line: string) => void,
  listener: (message: FromEngine) => void,
  busy: BusyThreads,
): PendingThread {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const running = {
    worker: undefined as Worker | undefined,
    isBusy: false,
    isEnded: false,
    /** CPU time of this process when the last call came. */
    usedBefore: process.cpuUsage(),
  };

  function begin(module: WasmProgram): void {
    if (running.isEnded) return;
    running.worker = startWorker(folder, module, flag.buffer as SharedArrayBuffer);
    running.worker.on('message', onMessage);
    running.worker.on('error', error => {
      rest();
      listener({ failure: `the policy engine failed: ${error.message}` });
    });
  }

  function onMessage(message: WorkerMessage): void {
    if ('log' in message) log(message.log);
    else if ('exit' in message) {
      end();
      // Go exits when its memory cannot grow.
      listener({ failure: 'it took more memory than there is for policies, or made the engine fail' });
    } else {
      if ('answer' in message) rest();
      Atomics.store(flag, 0, 0);
      listener(message);
    }
  }

  function rest(): void {
    if (running.isBusy) busy.count -= 1;
    running.isBusy = false;
  }

  function end(): void {
    rest();
    running.isEnded = true;
    void running.worker?.terminate();
    running.worker = undefined;
  }

  const thread: EngineThread = {
    post: (id, request) => {
      if (!running.isBusy) busy.count += 1;
      running.isBusy = true;
      running.usedBefore = process.cpuUsage();
      running.worker?.postMessage({ id, request });
    },
    // A cancellation that crosses the answer must not stop the next call.
    cancel: () => {
      if (running.isBusy) Atomics.store(flag, 0, 1);
    },
    requestWorkTime: id => {
      const { user, system } = process.cpuUsage(running.usedBefore);
      // Node 20 tells the time of the process alone, in which its busy threads have about equal parts.
      listener({ id, workedMilliseconds: (user + system) / 1000 / Math.max(1, busy.count) });
    },
    end,
  };
  return { thread, begin };
}
