import type { AllocationModel, DeviceResult, ResourceClaimModel } from '../../../cluster/devices/claims';
import type { AllocatedState } from './allocatedState';
import { type Constraint, constraintOf } from './constraints';
import type { AvailableCounters } from './counters';
import { type HeldDevice, holdings } from './holdings';
import { nodesOf } from './nodes';
import { type DeviceWork, requestGroupsOf, type WorkInput } from './requests';
import { type RequestGroups, type Search, searchAll } from './search';

export interface AllocatorInput extends WorkInput {
  readonly allocated: AllocatedState;
  readonly available: AvailableCounters;
  /** The steps that one Pod's search has left, on all nodes together. */
  readonly budget: { steps: number };
}

/** `refusal` concerns one node; `error` ends the whole attempt, and so does a search that exceeds its steps. */
export type AllocatorAnswer =
  | { readonly allocations: readonly AllocationModel[] }
  | { readonly refusal: string }
  | { readonly error: string }
  | { readonly gaveUp: string };

/**
 * Upstream stops after filterTimeout, 10 seconds by default; here the number of steps is limited, so that runs repeat.
 */
export const MAX_STEPS = 1_000_000;
export const MAX_STEPS_OF_POD = 10_000_000;
/** Upstream's text. */
export const GAVE_UP = 'timed out trying to allocate devices';

/**
 * Allocates devices for all claims on one node: tries every request against every candidate in a fixed order; the first
 * complete solution wins. Upstream: the incubating Allocator.
 */
export function allocate(claims: readonly ResourceClaimModel[], input: AllocatorInput): AllocatorAnswer {
  const { node, pools, features, budget } = input;
  const demand = demandOf(claims, input);
  if ('error' in demand) return demand;
  const search: Search = {
    requestGroups: demand.works,
    pools,
    holdings: holdings(input, demand.constraints),
    countsCapacity: features.consumableCapacity,
    allowed: Math.min(MAX_STEPS, budget.steps),
    steps: 0,
  };
  const outcome = searchAll(search);
  budget.steps -= Math.min(search.steps, search.allowed);
  if (outcome === 'gaveUp') return { gaveUp: `node ${node.name}: ${GAVE_UP}` };
  if (typeof outcome === 'object') return outcome;
  if (outcome !== 'done') {
    const isInvalid = pools.some(it => it.state === 'invalid');
    return { refusal: isInvalid ? 'invalid resource pools were encountered' : 'cannot allocate all claims' };
  }
  return allocationsOf(claims, search.holdings.taken, input);
}

interface Demand {
  readonly works: RequestGroups;
  /** By index of the claim. */
  readonly constraints: readonly (readonly Constraint[])[];
}

function demandOf(claims: readonly ResourceClaimModel[], input: AllocatorInput): Demand | { readonly error: string } {
  const works: (readonly (readonly DeviceWork[])[])[] = [];
  const constraints: (readonly Constraint[])[] = [];
  for (const claim of claims) {
    const found = requestGroupsOf(claim, input);
    if ('error' in found) return found;
    works.push(found);
    const made = claim.constraints.map(it => constraintOf(it, input.features));
    const unknown = made.indexOf(undefined);
    if (unknown >= 0) {
      return { error: `claim ${claim.id}, constraint #${unknown}: empty constraint (unsupported constraint type?)` };
    }
    constraints.push(made.filter(it => it !== undefined));
  }
  return { works, constraints };
}

function allocationsOf(
  claims: readonly ResourceClaimModel[],
  taken: readonly (readonly HeldDevice[])[],
  input: AllocatorInput,
): AllocatorAnswer {
  const allocations: AllocationModel[] = [];
  for (const [i, results] of taken.entries()) {
    const nodes = nodesOf(results, input.node.name, input.features);
    if (nodes && 'error' in nodes) return { error: `create NodeSelector for claim ${claims[i]!.name}: ${nodes.error}` };
    allocations.push({ results: results.map(it => resultOf(it, input)), ...(nodes && { nodes }) });
  }
  return { allocations };
}

function resultOf({ device, work, consumed, isShare }: HeldDevice, { features }: AllocatorInput): DeviceResult {
  return {
    request: work.alternative === '' ? work.request : `${work.request}/${work.alternative}`,
    driver: device.driver,
    pool: device.pool,
    device: device.name,
    adminAccess: work.ask.adminAccess === true,
    isShare,
    ...(consumed && { consumedCapacity: consumed }),
    bindingConditions: features.deviceBindingAndStatus ? (device.bindingConditions ?? []) : [],
    bindingFailureConditions: features.deviceBindingAndStatus ? device.bindingFailureConditions : [],
  };
}
