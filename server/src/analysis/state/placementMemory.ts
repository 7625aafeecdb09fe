import { mostRecent } from '../../scheduler/framework/sharedWork';
import type { RunMemory } from '../../scheduler/incremental/runCache';
import { createRunMemory } from '../../scheduler/incremental/runCache';

/** What the runs of the environments of a workspace leave for the next ones. */
export type PlacementMemory = (root: string) => RunMemory;

/** Of so many environments the runs are remembered. */
const MOST_REMEMBERED = 3;

export const createPlacementMemory = (): PlacementMemory => mostRecent(MOST_REMEMBERED, createRunMemory);
