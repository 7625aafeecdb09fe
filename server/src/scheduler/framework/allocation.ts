import type { PodModel } from '../../cluster/pods/podModel';
import { isScalarResource, type Resources } from '../../cluster/resources/resources';
import type { NodeAmounts } from './nodeAmounts';
import type { NodeInfo } from './nodeInfo';

/** One resource that a score considers. Upstream: config.ResourceSpec. */
export interface ResourceSpec {
  readonly name: string;
  readonly weight: number;
}

export const CPU_AND_MEMORY: readonly ResourceSpec[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

/**
 * Amounts by index of the resource spec: used by the node's Pods, used with the Pod added, and allocatable; all three
 * are 0 for a resource that is left out. A buffer owned by the `AllocationState`: the next call of `allocations`
 * overwrites it, since objects for each of hundreds of nodes would be most of a run's garbage.
 */
export interface Allocations {
  readonly requested: Float64Array;
  readonly allocated: Float64Array;
  readonly allocatable: Float64Array;
}

/** What a resource score needs of a Pod, with the buffer for one node's amounts. */
export interface AllocationState {
  readonly requests: readonly number[];
  readonly deviceTotals: ResourceTotals | undefined;
  readonly buffer: Allocations;
}

/** A node's amounts of a resource that it has as devices only; undefined: none. */
export type ResourceTotals = (
  resource: string,
  node: NodeInfo,
) => { readonly allocatable: number; readonly allocated: number } | undefined;

export function allocationState(
  requests: readonly number[],
  deviceTotals: ResourceTotals | undefined,
): AllocationState {
  const column = (): Float64Array => new Float64Array(requests.length);
  return { requests, deviceTotals, buffer: { requested: column(), allocated: column(), allocatable: column() } };
}

/** Upstream: resourceAllocationScorer.calculateNodeAllocatableRequest. */
export function allocations(
  specs: readonly ResourceSpec[],
  { requests, deviceTotals, buffer }: AllocationState,
  node: NodeInfo,
  counted: 'requested' | 'nonZeroRequested',
): Allocations {
  for (let i = 0; i < specs.length; i++) {
    const { name } = specs[i]!;
    const requested = requests[i]!;
    const isAsked = requested !== 0 || !isScalarResource(name);
    const own = isAsked ? amountIn(node.node.allocatable, name) : 0;
    const counts = isAsked && own === 0 ? deviceTotals?.(name, node) : undefined;
    const isDefaulted = name === 'cpu' || name === 'memory';
    const taken = own === 0 ? 0 : amountIn(isDefaulted ? node[counted] : node.requested, name);
    const allocated = counts ? counts.allocated : taken;
    buffer.allocatable[i] = counts ? counts.allocatable : own;
    buffer.allocated[i] = allocated;
    buffer.requested[i] = counts || own !== 0 ? allocated + requested : 0;
  }
  return buffer;
}

/** Whether the amounts of these resources are in the columns of `NodeAmounts`. */
export const areInColumns = (specs: readonly ResourceSpec[]): boolean =>
  specs.every(it => it.name === 'cpu' || it.name === 'memory');

/** The same as `allocations` where `areInColumns`, for many nodes: calls `visit` with the amounts of each that fits. */
export function eachAllocation(
  specs: readonly ResourceSpec[],
  { requests, buffer }: AllocationState,
  { amounts, indexes, fits }: ManyNodes,
  counted: 'requested' | 'nonZeroRequested',
  visit: (found: Allocations, index: number) => void,
): void {
  const columns = specs.map(it => (it.name === 'cpu' ? 'cpu' : 'memory'));
  const totals = columns.map(it => amounts.allocatable[it]);
  const taken = columns.map(it => amounts[counted][it]);
  const { allocatable, allocated, requested } = buffer;
  for (let at = 0; at < indexes.length; at++) {
    const index = indexes[at]!;
    if (fits[index] !== 1) continue;
    for (let i = 0; i < columns.length; i++) {
      const own = totals[i]![index]!;
      allocatable[i] = own;
      allocated[i] = own === 0 ? 0 : taken[i]![index]!;
      requested[i] = own === 0 ? 0 : allocated[i]! + requests[i]!;
    }
    visit(buffer, index);
  }
}

/** Nodes by `NodeInfo.index`; of them those count where `fits` is 1. */
export interface ManyNodes {
  readonly amounts: NodeAmounts;
  readonly indexes: readonly number[];
  readonly fits: Uint8Array;
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
