import type { Change } from '../analysis/state/change';

/** A change that another thread can be given. */
export type PlainChange = Omit<Change, 'above' | 'rendered' | 'clusters'>;
