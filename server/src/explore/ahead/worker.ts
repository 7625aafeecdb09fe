import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { answerPart, type OfferedPart } from '../core/ahead';
import { type ExpandedSystem, systemExpander } from '../system/expander';

const { system, answers } = workerData as { readonly system: ExpandedSystem; readonly answers: MessagePort };
const expand = systemExpander(system);

parentPort?.on('message', (part: OfferedPart) =>
  answerPart(part, expand, it => {
    const { enabled, steps, words, hashes } = it;
    answers.postMessage(
      it,
      [enabled, steps, words, hashes].map(array => array.buffer as ArrayBuffer),
    );
  }),
);
