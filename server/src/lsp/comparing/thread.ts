import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ComparingThread, FromComparer } from './comparer';

/** Node's limit for a thread's young and old objects would be that of a small machine. */
const HEAP_MEGABYTES = 2048;

/**
 * A thread that compares placements.
 * @param folder Where `comparing.js` and `optimum.js` are.
 */
export function startComparing(folder: string, listener: (message: FromComparer) => void): ComparingThread {
  // Nothing of the editor's environment is for it, and standard output belongs to the protocol.
  const worker = new Worker(join(folder, 'comparing.js'), {
    env: {},
    stdout: true,
    stderr: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
  });
  worker.on('message', (it: FromComparer) => listener(it));
  worker.on('error', error => listener({ failure: error.message }));
  // A thread that waits for questions keeps no process alive.
  worker.unref();
  return {
    post: message => worker.postMessage(message),
    end: () => void worker.terminate(),
  };
}
