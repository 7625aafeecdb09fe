import { parentPort, workerData } from 'node:worker_threads';
import { Graphviz } from '@hpcc-js/wasm-graphviz';
import type { LaidOutText, LayoutJob } from './layout';

/** Graphviz in WebAssembly (0.8 MB), hence a bundle of its own. */
async function laidOut({ dot, format }: LayoutJob): Promise<LaidOutText> {
  const graphviz = await Graphviz.load();
  return { text: graphviz.layout(dot, format, 'dot') };
}

laidOut(workerData as LayoutJob)
  .catch((error: Error): LaidOutText => ({ failure: error.message }))
  .then(answer => parentPort?.postMessage(answer));
