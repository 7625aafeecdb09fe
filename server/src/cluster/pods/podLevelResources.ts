import { isPodLevelResource } from '../../kube/podResources';
import { compareQuantities, formatQuantity, zeroQuantity } from '../../kube/quantity';
import type { PodSpec, ResourceList, ResourceRequirements } from '../../kube/types';
import { podQuantities, type Quantities, quantitiesOf } from '../resources/quantities';

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

/**
 * Fills in what the whole Pod leaves out, from its containers: limits of huge pages, requests (then from its limits),
 * and limits where every container has one. Upstream: podutil.DefaultPodLevelResources.
 */
export function podLevelDefaults(spec: PodSpec, resources: ResourceRequirements): ResourceRequirements {
  if (sizeOf(resources.requests) + sizeOf(resources.limits) === 0) return resources;
  const requested = podQuantities(spec, 'requests', () => false);
  const limited = podQuantities(spec, 'limits', () => false);
  const limits = {
    ...texts(limited, it => isHugePages(it) && resources.requests?.[it] === undefined),
    ...resources.limits,
  };
  const fromLimits = Object.entries(limits).filter(([name]) => isPodLevelResource(name));
  const requests = {
    ...Object.fromEntries(fromLimits),
    ...texts(requested, it => isPodLevelResource(it) && !isHugePages(it)),
    ...resources.requests,
  };
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const wanted = quantitiesOf(requests);
  const raised = [...limited].flatMap(([name, limit]) => {
    const isOpen = isPodLevelResource(name) && wanted.has(name) && limits[name] === undefined;
    if (!isOpen || !containers.every(it => it.resources?.limits?.[name] !== undefined)) return [];
    const request = wanted.get(name) ?? zeroQuantity;
    return [[name, formatQuantity(compareQuantities(request, limit) > 0 ? request : limit)] as const];
  });
  const allLimits = { ...Object.fromEntries(raised), ...limits };
  return {
    ...resources,
    ...(sizeOf(requests) > 0 && { requests }),
    ...(sizeOf(allLimits) > 0 && { limits: allLimits }),
  };
}

function texts(list: Quantities, isWanted: (name: string) => boolean): ResourceList {
  return Object.fromEntries(
    [...list].filter(([name]) => isWanted(name)).map(([name, it]) => [name, formatQuantity(it)]),
  );
}

function sizeOf(list: ResourceList | undefined): number {
  return Object.keys(list ?? {}).length;
}
