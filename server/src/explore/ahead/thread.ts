import { join } from 'node:path';
import type { Expander, PartAnswer } from '../core/ahead';
import type { ExpandedSystem } from '../system/expander';

/** Loaded when the first thread is wanted: most explorations want none. */
const threads = (): typeof import('node:worker_threads') => require('node:worker_threads');

/**
 * A thread that expands states of a system.
 * @param folder Where `exploring.js` is.
 */
export function startExpanding(folder: string, system: ExpandedSystem): Expander {
  const { MessageChannel, receiveMessageOnPort, Worker } = threads();
  const { port1, port2 } = new MessageChannel();
  // Without the environment. Standard output belongs to the report.
  const worker = new Worker(join(folder, 'exploring.js'), {
    workerData: { system, answers: port2 },
    transferList: [port2],
    env: {},
    stdout: true,
    stderr: true,
    execArgv: [],
  });
  // The search does not wait for a thread that ended, and expands the states itself.
  worker.on('error', () => undefined);
  worker.unref();
  return {
    offer: part => worker.postMessage(part, [part.words.buffer as ArrayBuffer]),
    // The search never leaves its thread to the event loop.
    receive: () => (receiveMessageOnPort(port1) as { readonly message: PartAnswer } | undefined)?.message,
    end() {
      port1.close();
      void worker.terminate();
    },
  };
}
