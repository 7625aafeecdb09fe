/** Flags for the command line of Node. */
export const optimizingLate: readonly string[];
