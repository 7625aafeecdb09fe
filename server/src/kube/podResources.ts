import { compareQuantities, isZeroQuantity, type Quantity, quantityOf, roundUpToMilli, zeroQuantity } from './quantity';
import type { Pod, PodSpec, ResourceList, ResourceRequirements } from './types';

export type QosClass = 'BestEffort' | 'Burstable' | 'Guaranteed';

/**
 * Whether a whole Pod may request the resource, in place of its containers. Upstream:
 * resource.IsSupportedPodLevelResource.
 */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

/** Whether upstream's qos.GetPodQOS is BestEffort. */
export function isBestEffort(pod: Pod, spec: PodSpec): boolean {
  return (pod.status?.qosClass || podQos(spec)) === 'BestEffort';
}

/** The QoS class that the server gives a Pod; without `isOn`, with all gates on. Upstream: qos.ComputePodQOS. */
export function podQos(spec: PodSpec, isOn: (gate: string) => boolean = () => true): QosClass {
  const { resources } = spec;
  const isOfPod = resources && (!isOn('PodLevelResourcesFixKubeletQOSClass') || namesPodLevel(resources));
  if (isOfPod && isOn('PodLevelResources')) return requirementsQos(resources);
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  return commonQos(containers.map(it => requirementsQos(it.resources)));
}

function namesPodLevel({ requests, limits }: ResourceRequirements): boolean {
  return [...Object.keys(requests ?? {}), ...Object.keys(limits ?? {})].some(isPodLevelResource);
}

function requirementsQos(resources: ResourceRequirements | undefined): QosClass {
  return commonQos(
    ['cpu', 'memory'].map(name => {
      const request = amountOf(resources?.requests, name);
      if (compareQuantities(request, amountOf(resources?.limits, name)) !== 0) return 'Burstable';
      return isZeroQuantity(request) ? 'BestEffort' : 'Guaranteed';
    }),
  );
}

/** The QoS class of several parts: theirs if they agree, else Burstable. */
function commonQos(parts: readonly QosClass[]): QosClass {
  const [first = 'BestEffort', ...others] = parts;
  return others.every(it => it === first) ? first : 'Burstable';
}

/** An unreadable amount counts as absent; amounts are rounded up to thousandths. Upstream: SetDefaults_ResourceList. */
function amountOf(amounts: ResourceList | undefined, name: string): Quantity {
  const quantity = quantityOf(amounts?.[name]);
  return quantity ? roundUpToMilli(quantity) : zeroQuantity;
}
