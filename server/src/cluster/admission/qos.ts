import { compareQuantities, isZeroQuantity, zeroQuantity } from '../../kube/quantity';
import type { Pod, PodSpec, ResourceRequirements } from '../../kube/types';
import { quantitiesOf } from '../quantities';
import { isPodLevelResource } from '../resources';

export type Qos = 'BestEffort' | 'Burstable' | 'Guaranteed';

/** Upstream: qos.GetPodQOS says BestEffort. */
export function isBestEffort(pod: Pod, spec: PodSpec): boolean {
  return (pod.status?.qosClass || podQos(spec)) === 'BestEffort';
}

/** Upstream: qos.ComputePodQOS. */
export function podQos(spec: PodSpec): Qos {
  const { resources } = spec;
  const wholePod = [...Object.keys(resources?.requests ?? {}), ...Object.keys(resources?.limits ?? {})];
  if (resources && wholePod.some(isPodLevelResource)) return requirementsQos(resources);
  const all = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].map(it =>
    requirementsQos(it.resources ?? {}),
  );
  return all.reduce<Qos>((qos, it) => (qos === it ? qos : 'Burstable'), all[0] ?? 'BestEffort');
}

function requirementsQos(resources: ResourceRequirements): Qos {
  const requests = quantitiesOf(resources.requests);
  const limits = quantitiesOf(resources.limits);
  const each = ['cpu', 'memory'].map((name): Qos => {
    const request = requests.get(name) ?? zeroQuantity;
    if (compareQuantities(request, limits.get(name) ?? zeroQuantity) !== 0) return 'Burstable';
    return isZeroQuantity(request) ? 'BestEffort' : 'Guaranteed';
  });
  return each[0] === each[1] ? each[0]! : 'Burstable';
}
