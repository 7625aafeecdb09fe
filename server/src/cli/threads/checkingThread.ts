import { join } from 'node:path';
import type { CheckingAnswer, CheckingInput } from './checkingMessages';

/** Node's own limit, several times this one, keeps more dead objects of a thread than its work has living ones. */
const YOUNG_MEGABYTES = 16;

// Node's module of threads is loaded by who has work for several.
const threads = (): typeof import('node:worker_threads') => require('node:worker_threads');

/**
 * Starts a thread that checks files.
 * @param folder Where `checking.js` is.
 */
export function startChecking(folder: string, input: CheckingInput): Promise<CheckingAnswer> {
  const { Worker } = threads();
  return new Promise((resolve, reject) => {
    // What V8 compiled for the command itself is what this one needs.
    const worker = new Worker(join(folder, 'checking.js'), {
      argv: ['check'],
      workerData: input,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', code => reject(new Error(`the thread ended with ${code}`)));
  });
}

/** Answers the thread that started this one. */
export function serveChecking(check: (input: CheckingInput) => Promise<CheckingAnswer>): void {
  const { parentPort, workerData } = threads();
  // A failure ends the thread, and the command hears of that.
  void check(workerData as CheckingInput).then(answer => parentPort?.postMessage(answer));
}
