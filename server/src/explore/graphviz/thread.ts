import { join } from 'node:path';
import type { LaidOutText, LayOut } from './layout';

/** Loaded when the first picture is wanted: most commands want none. */
const threads = (): typeof import('node:worker_threads') => require('node:worker_threads');

/** @param folder Where `graphviz.js` is. */
export const layOutIn =
  (folder: string): LayOut =>
  (job, milliseconds, onCancel) =>
    new Promise((resolve, reject) => {
      // Without the environment. Standard output belongs to the protocol, or to the report.
      const { Worker } = threads();
      const worker = new Worker(join(folder, 'graphviz.js'), {
        workerData: job,
        env: {},
        stdout: true,
        stderr: true,
        execArgv: [],
      });
      const end = (): void => {
        clearTimeout(timer);
        void worker.terminate();
        resolve(undefined);
      };
      const timer = setTimeout(end, milliseconds);
      onCancel?.(end);
      worker.on('message', (answer: LaidOutText) => {
        clearTimeout(timer);
        if ('text' in answer) resolve(answer.text);
        else reject(new Error(answer.failure));
      });
      worker.on('error', error => {
        clearTimeout(timer);
        reject(error);
      });
    });
