import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { createBrotliDecompress } from 'node:zlib';
import type { EngineThread, EngineWorld, FromThread } from './engine';
import { type Program, webAssembly } from './webAssembly';
import type { WorkerData } from './worker';

/** Bytes from which Go's collector works harder; the module itself has a maximum of 1 GiB. */
const SOFT_MEMORY_LIMIT = 512 * 2 ** 20;

const CHUNK_BYTES = 256 * 1024;

type Said = { readonly log: string } | { readonly exit: number } | FromThread;

/**
 * The real engine, from the files of the build. Only `lsp/main`, `cli/main` and tests make one.
 * @param folder Where `policyEngine.wasm.br`, `wasm_exec.js` and `policyWorker.js` are.
 */
export function engineWorld(folder: string, log: (line: string) => void): EngineWorld {
  const program = join(folder, 'policyEngine.wasm.br');
  const kept: { module: Promise<Program> | undefined } = { module: undefined };

  /**
   * Compiled while it is unpacked, so that its 120 MB are never in one piece on the heap, and by the quick compiler alone:
   * the optimizing one would take 200 MB that the system never gets back, and policies run for milliseconds. Functions are
   * compiled when they are first called, so that this holds until `release`.
   */
  async function compiled(): Promise<Program> {
    const unpacked = createReadStream(program).pipe(createBrotliDecompress({ chunkSize: CHUNK_BYTES }));
    const headers = { 'content-type': 'application/wasm' };
    setFlagsFromString('--liftoff-only');
    return webAssembly.compileStreaming(new Response(Readable.toWeb(unpacked) as ReadableStream, { headers }));
  }

  function start(listener: (message: FromThread) => void): EngineThread {
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const running: { worker: Worker | undefined; isEnded: boolean } = { worker: undefined, isEnded: false };
    kept.module ??= compiled();
    kept.module.then(
      module => {
        if (running.isEnded) return;
        const data: WorkerData = {
          module,
          wasmExec: join(folder, 'wasm_exec.js'),
          cancelFlag: flag.buffer as SharedArrayBuffer,
          softMemoryLimit: SOFT_MEMORY_LIMIT,
        };
        // Nothing of the editor's environment is for policies, and standard output belongs to the protocol.
        const options = { workerData: data, env: {}, stdout: true, stderr: true, execArgv: [] };
        running.worker = new Worker(join(folder, 'policyWorker.js'), options);
        running.worker.on('message', (it: Said) => hear(it));
        running.worker.on('error', error => listener({ failure: `the policy engine failed: ${error.message}` }));
      },
      (error: Error) => {
        kept.module = undefined;
        listener({ failure: `the policy engine cannot be loaded: ${error.message}` });
      },
    );

    function hear(message: Said): void {
      if ('log' in message) log(message.log);
      else if ('exit' in message) {
        end();
        // Go ends the program when its memory cannot grow.
        listener({ failure: 'it took more memory than there is for policies, or made the engine fail' });
      } else {
        if ('id' in message || 'ready' in message) Atomics.store(flag, 0, 0);
        // An engine that waits for questions keeps no process alive.
        if ('id' in message) running.worker?.unref();
        listener(message);
      }
    }

    function end(): void {
      running.isEnded = true;
      void running.worker?.terminate();
      running.worker = undefined;
    }

    return {
      post: (id, request) => {
        running.worker?.ref();
        running.worker?.postMessage({ id, request });
      },
      cancel: () => Atomics.store(flag, 0, 1),
      end,
    };
  }

  return {
    isBuilt: () => existsSync(program),
    start,
    release: () => {
      if (kept.module !== undefined) setFlagsFromString('--no-liftoff-only');
      kept.module = undefined;
    },
  };
}
