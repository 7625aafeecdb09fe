/** A Pod or a group of Pods. */
interface Prioritised {
  readonly priority: number;
}

/**
 * Upstream: pkg/scheduler/framework/plugins/queuesort. Higher priority first; among equals the earlier arrival, so use
 * a stable sort.
 */
export function comparePriority(a: Prioritised, b: Prioritised): number {
  return b.priority - a.priority;
}
