import type { PodModel } from '../../cluster/model';
import { isScalarResource, type Resources } from '../../cluster/resources';
import type { NodeInfo } from './nodeInfo';

/** One resource that a score looks at. Upstream: config.ResourceSpec. */
export interface ResourceSpec {
  readonly name: string;
  readonly weight: number;
}

export const CPU_AND_MEMORY: readonly ResourceSpec[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

/** Per resource spec: taken by the Pods there, the same with the Pod, and what the node has; all 0: left out. */
export interface Allocation {
  readonly requested: number;
  readonly allocated: number;
  readonly allocatable: number;
}

/** What a node has of a resource that it has as devices alone, and what is taken of it; undefined: nothing. */
export type ResourceTotals = (
  resource: string,
  node: NodeInfo,
) => { readonly allocatable: number; readonly allocated: number } | undefined;

const LEFT_OUT: Allocation = { requested: 0, allocated: 0, allocatable: 0 };

/** Upstream: resourceAllocationScorer.calculateNodeAllocatableRequest. */
export function allocations(
  specs: readonly ResourceSpec[],
  podRequests: readonly number[],
  node: NodeInfo,
  counted: 'requested' | 'nonZeroRequested',
  devices?: ResourceTotals,
): readonly Allocation[] {
  return specs.map(({ name }, i) => {
    const asked = podRequests[i]!;
    if (asked === 0 && isScalarResource(name)) return LEFT_OUT;
    const allocatable = amountIn(node.node.allocatable, name);
    const counts = allocatable === 0 ? devices?.(name, node) : undefined;
    if (counts) return { ...counts, requested: counts.allocated + asked };
    if (allocatable === 0) return LEFT_OUT;
    const isDefaulted = name === 'cpu' || name === 'memory';
    const allocated = amountIn(isDefaulted ? node[counted] : node.requested, name);
    return { requested: allocated + asked, allocated, allocatable };
  });
}

export function requestsOf(
  pod: PodModel,
  specs: readonly ResourceSpec[],
  counted: 'requests' | 'nonZeroOfContainers',
): readonly number[] {
  return specs.map(it => amountIn(pod[counted], it.name));
}

export function amountIn(resources: Resources, name: string): number {
  switch (name) {
    case 'cpu':
      return resources.milliCpu;
    case 'memory':
      return resources.memory;
    case 'ephemeral-storage':
      return resources.ephemeralStorage;
    default:
      return resources.scalar.get(name) ?? 0;
  }
}
