import type { WorkspaceChange } from '../../analysis/analysis';

/** A change that another thread can be given. */
export type PlainChange = Omit<WorkspaceChange, 'above' | 'rendered' | 'clusters'>;
