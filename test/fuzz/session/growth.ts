import type { Memory } from './server';

/** Memory after a collection, and how many edits the server had seen then. */
export interface MemorySample extends Memory {
  readonly edits: number;
}

const FEWEST = 8;
/** What edits leave: files that became larger, caches that are bounded but not full at first. */
const ALLOWED = { share: 1.25, bytes: 20 * 1024 * 1024 };

/**
 * What grows in one server: the heap of the last quarter of the samples beside that of the second quarter, as in the
 * first one everything is being read. undefined: it is flat, or there are too few samples to say.
 */
export function growth(samples: readonly MemorySample[]): string | undefined {
  if (samples.length < FEWEST) return undefined;
  const quarter = Math.floor(samples.length / 4);
  const [early, late] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)].map(it => ({
    heap: median(it.map(one => one.heapUsed)),
    edits: it.at(-1)?.edits ?? 0,
  }));
  if (early === undefined || late === undefined) return undefined;
  if (late.heap <= early.heap * ALLOWED.share || late.heap - early.heap <= ALLOWED.bytes) return undefined;
  return `memory grows: ${mib(early.heap)} MiB after ${early.edits} edits, ${mib(late.heap)} after ${late.edits}`;
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

export const mib = (bytes: number): number => Math.round(bytes / 1024 / 1024);
