import { mostRecent } from '../../scheduler/framework/sharedWork';
import { createRunMemory, type RunMemory } from '../../scheduler/incremental/runCache';

/** Memory of scheduler runs for reuse in the next run, by the root of the files' cluster. */
export type PlacementMemory = (root: string) => RunMemory;

/** The number of most recently used roots that are kept. */
const MOST_REMEMBERED = 3;

export const createPlacementMemory = (): PlacementMemory => mostRecent(MOST_REMEMBERED, createRunMemory);
