import type { PodModel } from '../../cluster/model';
import type { SchedulerPlugin } from './plugin';
import type { SharedWork } from './sharedWork';

/** All of a Pod that a plugin looks at; undefined where it does not share its answers. */
export function signBy({ shares }: SchedulerPlugin, pod: PodModel, work: SharedWork): string | undefined {
  return shares && work.twins(pod)(shares, () => shares.sign(pod));
}
