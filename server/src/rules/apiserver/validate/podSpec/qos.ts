import {
  compareQuantities,
  isZeroQuantity,
  parseQuantity,
  type Quantity,
  zeroQuantity,
} from '../../../../kube/quantity';
import type { Validation } from '../errors';
import { type Fields, get, record, records } from '../read';

export type QosClass = 'BestEffort' | 'Burstable' | 'Guaranteed';

/** The class of service that the server gives a Pod. Upstream: core/helper/qos.ComputePodQOS. */
export function podQos(spec: Fields, { isOn }: Validation): QosClass {
  const ofPod = record(spec, 'resources');
  const isOfPod = ofPod !== undefined && (!isOn('PodLevelResourcesFixKubeletQOSClass') || isPodLevelSet(ofPod));
  if (isOn('PodLevelResources') && isOfPod) return requirementsQos(ofPod);
  const containers = [...records(spec, 'initContainers'), ...records(spec, 'containers')];
  return commonQos(containers.map(it => requirementsQos(record(it, 'resources'))));
}

/** Upstream: IsSupportedPodLevelResource. */
function isPodLevelSet(resources: Fields): boolean {
  return ['requests', 'limits']
    .flatMap(it => Object.keys(record(resources, it) ?? {}))
    .some(it => it === 'cpu' || it === 'memory' || it.startsWith('hugepages-'));
}

function requirementsQos(resources: Fields): QosClass {
  const requests = record(resources, 'requests');
  const limits = record(resources, 'limits');
  return commonQos(
    ['cpu', 'memory'].map(name => {
      const request = amountOf(requests, name);
      if (compareQuantities(request, amountOf(limits, name)) !== 0) return 'Burstable';
      return isZeroQuantity(request) ? 'BestEffort' : 'Guaranteed';
    }),
  );
}

/** The class of parts: theirs when they agree, else Burstable. */
function commonQos(parts: readonly QosClass[]): QosClass {
  const [first = 'BestEffort', ...others] = parts;
  return others.every(it => it === first) ? first : 'Burstable';
}

function amountOf(amounts: Fields, name: string): Quantity {
  const written = get(amounts, name);
  return (written === undefined ? undefined : parseQuantity(String(written))) ?? zeroQuantity;
}
