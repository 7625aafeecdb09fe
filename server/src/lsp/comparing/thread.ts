import { join } from 'node:path';
import type { ComparingThread, FromComparer } from './comparer';

// Loaded late: most sessions never compare.
const threads = (): typeof import('node:worker_threads') => require('node:worker_threads');

/** Node's default limit for a thread is too small. */
const HEAP_MEGABYTES = 2048;

/**
 * A thread that compares placements.
 * @param folder Where `comparing.js` and `optimum.js` are.
 */
export function startComparing(folder: string, listener: (message: FromComparer) => void): ComparingThread {
  // Without the editor's environment. Standard output belongs to the protocol.
  const worker = new (threads().Worker)(join(folder, 'comparing.js'), {
    env: {},
    stdout: true,
    stderr: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
  });
  worker.on('message', (it: FromComparer) => listener(it));
  worker.on('error', error => listener({ failure: error.message }));
  // A waiting thread must not keep the process alive.
  worker.unref();
  return {
    post: message => worker.postMessage(message),
    end: () => void worker.terminate(),
  };
}
