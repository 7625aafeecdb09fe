import type { PodModel } from '../../../cluster/model';

/**
 * Upstream: pkg/scheduler/framework/plugins/queuesort. Higher priority first; among equals the one that came into the
 * queue earlier, so sort with a stable sort.
 */
export function comparePriority(a: PodModel, b: PodModel): number {
  return b.priority - a.priority;
}
