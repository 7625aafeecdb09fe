import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { type ComparisonQuestion, comparisonFor, type Solve } from '../../analysis/previewComparison';
import { readPackIn } from '../../disk/packs';
import type { FromComparer, ToThread } from './comparer';

interface SolverModule {
  loadSolver(): Promise<Solve>;
}

const port = parentPort;
if (port === null) throw new Error('Placements are compared in a worker thread only.');
const report = (message: FromComparer): void => port.postMessage(message);
const readPack = readPackIn(join(__dirname, 'data'));
const parts: ComparisonQuestion['inputs']['objects'][] = [];

async function answer(question: ComparisonQuestion): Promise<void> {
  // The solver is a bundle of its own, which the CLI loads, too.
  const solver = (require(join(__dirname, 'optimum.js')) as SolverModule).loadSolver();
  for await (const comparison of comparisonFor(question, { solver, readPack })) report({ comparison });
  report({ end: true });
}

port.on('message', (message: ToThread) => {
  if ('objects' in message) {
    parts.push(message.objects);
    return;
  }
  const { inputs, ...rest } = message.ask;
  const objects = parts.splice(0).flat();
  answer({ ...rest, inputs: { ...inputs, objects } }).catch((error: Error) => report({ failure: error.message }));
});
