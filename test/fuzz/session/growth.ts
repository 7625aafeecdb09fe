import type { Memory } from './server';

/** Memory after a collection, how many edits the server had seen then, and the heap of a fresh server with the same files. */
export interface MemorySample extends Memory {
  readonly edits: number;
  readonly fresh: number;
}

const FEWEST = 8;
/** What edits leave besides larger files: caches that are bounded but not full at first. */
const ALLOWED = { share: 0.25, bytes: 20 * 1024 * 1024 };

/**
 * What grows in one server: the heap beyond that of fresh servers in the last quarter of the samples beside that in the second
 * quarter, as in the first one everything is being read. undefined: it is flat, or there are too few samples to say.
 */
export function growth(samples: readonly MemorySample[]): string | undefined {
  if (samples.length < FEWEST) return undefined;
  const quarter = Math.floor(samples.length / 4);
  const [early, late] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)].map(it => ({
    beyond: median(it.map(one => one.heapUsed - one.fresh)),
    heap: median(it.map(one => one.heapUsed)),
    edits: it.at(-1)?.edits ?? 0,
  }));
  if (early === undefined || late === undefined) return undefined;
  const grown = late.beyond - early.beyond;
  if (grown <= early.heap * ALLOWED.share || grown <= ALLOWED.bytes) return undefined;
  const [then, now] = [early.beyond, late.beyond].map(mib);
  return `memory grows: ${then} MiB more than in a fresh server after ${early.edits} edits, ${now} after ${late.edits}`;
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

export const mib = (bytes: number): number => Math.round(bytes / 1024 / 1024);
