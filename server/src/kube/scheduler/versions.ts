import type { UnknownObject } from '../../base/json';
import { printed } from '../../base/printed';
import { isPolicy } from './policy';

export const SCHEDULER_CONFIG_GROUP = 'kubescheduler.config.k8s.io';

/** The minor that no longer reads each old version; undefined if only its removal is known. */
const REMOVED: Readonly<Record<string, string | undefined>> = {
  v1alpha1: '1.19',
  v1alpha2: undefined,
  v1beta1: '1.23',
  v1beta2: '1.28',
  v1beta3: '1.29',
};

export interface RemovedConfiguration {
  /** `kubescheduler.config.k8s.io/v1beta3 KubeSchedulerConfiguration` */
  readonly what: string;
  readonly removed?: string;
}

/** A scheduler configuration, or args, of a version that no supported kube-scheduler reads. */
export function removedConfiguration(object: UnknownObject): RemovedConfiguration | undefined {
  if (isPolicy(object)) return { what: 'v1 Policy', removed: '1.23' };
  const [group, version = ''] = typeof object.apiVersion === 'string' ? object.apiVersion.split('/') : [];
  if (group !== SCHEDULER_CONFIG_GROUP || !Object.hasOwn(REMOVED, version)) return undefined;
  const removed = REMOVED[version];
  return { what: `${group}/${version} ${printed(object.kind)}`, ...(removed !== undefined && { removed }) };
}
