import type { PodModel } from '../../cluster/pods/podModel';
import type { SchedulerPlugin } from './interface';
import type { SharedWork } from './sharedWork';

/** Everything of a Pod that a plugin reads; undefined where it does not share its answers. */
export function signatureOf({ shares }: SchedulerPlugin, pod: PodModel, work: SharedWork): string | undefined {
  return shares && work.alwaysForClass(pod)(shares, () => shares.sign(pod));
}
