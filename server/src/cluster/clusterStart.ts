/**
 * Start time of the first running Pod without a startTime; each further one starts one second later. The value is
 * arbitrary.
 */
export const CLUSTER_START = Date.UTC(2026, 0, 1);
