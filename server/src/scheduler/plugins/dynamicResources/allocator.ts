import type { AllocationModel, ClaimModel, DeviceResult, DeviceToleration } from '../../../cluster/deviceClaims';
import type { DeviceModel, DeviceTaint } from '../../../cluster/devices';
import type { AllocatedState } from './allocatedState';
import { type Consumed, consumedBy, hasRoom, plusConsumed } from './capacity';
import { type Constraint, constraintOf } from './constraints';
import { type AvailableCounters, counterBook } from './counters';
import { nodesOf } from './nodes';
import { type Candidate, capacityFailure, MOST_DEVICES_OF_CLAIM, type Work, type WorkInput, worksOf } from './requests';

export interface AllocatorInput extends WorkInput {
  readonly allocated: AllocatedState;
  readonly available: AvailableCounters;
  /** What one Pod's search may still take on all nodes together. */
  readonly budget: { steps: number };
}

/**
 * `refusal` concerns one node; `error` stops the whole attempt, and so does a search that was given up.
 */
export type AllocatorAnswer =
  | { readonly allocations: readonly AllocationModel[] }
  | { readonly refusal: string }
  | { readonly error: string }
  | { readonly gaveUp: string };

/** Upstream stops after filterTimeout, 10 seconds by default; here a count stops the search, so that runs repeat. */
export const MOST_STEPS = 1_000_000;
export const MOST_STEPS_OF_POD = 10_000_000;
/** Upstream's words. */
export const GAVE_UP = 'timed out trying to allocate devices';

/** `tooMany`: the claim would have more devices than it may, so alternatives that need fewer are tried. */
type Outcome = 'done' | 'none' | 'tooMany' | { readonly error: string };

/** The place in the search. */
interface At {
  readonly claim: number;
  readonly request: number;
  readonly alternative: number;
  readonly device: number;
}

/** Where the next device of the same request is looked for first, so that no set of devices is tried twice. */
interface From {
  readonly pool: number;
  readonly slice: number;
  readonly device: number;
}

interface Taken extends Candidate {
  readonly work: Work;
  readonly consumed?: Consumed;
  readonly isShare: boolean;
}

const BEGINNING: From = { pool: 0, slice: 0, device: 0 };

/**
 * Devices for all claims on one node: every request against every candidate in a fixed order, the first full solution
 * wins. Upstream: the incubating Allocator.
 */
export function allocate(claims: readonly ClaimModel[], input: AllocatorInput): AllocatorAnswer {
  const { node, pools, features, allocated } = input;
  const works: (readonly (readonly Work[])[])[] = [];
  const constraints: Constraint[][] = [];
  for (const claim of claims) {
    const found = worksOf(claim, input);
    if ('error' in found) return found;
    works.push(found);
    const made = claim.constraints.map(it => constraintOf(it, features));
    const unknown = made.indexOf(undefined);
    if (unknown >= 0) {
      return { error: `claim ${claim.id}, constraint #${unknown}: empty constraint (unsupported constraint type?)` };
    }
    constraints.push(made.filter(it => it !== undefined));
  }

  const taken: Taken[][] = claims.map(() => []);
  /** Device → the claims it goes to. */
  const taking = new Map<string, Set<number>>();
  const takingCapacity = new Map<string, Consumed>();
  const counters = counterBook(input.available);
  const allowed = Math.min(MOST_STEPS, input.budget.steps);
  let steps = 0;

  const isInUse = ({ id }: DeviceModel): boolean => allocated.devices.has(id) || (taking.get(id)?.size ?? 0) > 0;
  const isShared = ({ id }: DeviceModel): boolean =>
    allocated.capacity.has(id) || allocated.shared.has(id) || takingCapacity.has(id);
  const room = (work: Work, { id, capacity }: DeviceModel) =>
    hasRoom(work.ask.capacity, capacity, allocated.capacity.get(id), takingCapacity.get(id), features);

  /** Undefined: cannot be taken. Else how to give it back. Upstream: allocateDevice. */
  const take = (work: Work, at: At, candidate: Candidate): (() => void) | undefined | { readonly error: string } => {
    const { device, pool } = candidate;
    const isMultiple = features.consumableCapacity && device.allowMultipleAllocations === true;
    const isAdmin = work.ask.adminAccess === true;
    if (!isMultiple && isAdmin && taking.get(device.id)?.has(at.claim)) return undefined;
    if (!isAdmin && isInUse(device)) return undefined;
    if (!features.partitionableDevices && device.consumesCounters.length > 0) return undefined;
    const undo: (() => void)[] = [];
    const giveBack = (): undefined => {
      for (const it of undo.reverse()) it();
    };
    // A device in use by others has its counters accounted for already.
    if (device.consumesCounters.length > 0 && !(isMultiple && isShared(device))) {
      if (!counters.reserve(device, pool)) return undefined;
      undo.push(() => counters.release(device, pool));
    }
    if (features.deviceTaints && isKeptAwayByTaint(device, work.ask.tolerations)) return giveBack();
    for (const constraint of constraints[at.claim]!) {
      if (!constraint.add(work.request, work.alternative, device)) {
        giveBack();
        if (!work.all) return undefined;
        const problem = `cannot add device ${device.id} because a claim constraint would not be satisfied`;
        return { error: `claim ${work.claim.id}, request ${work.ask.name}: ${problem}` };
      }
      undo.push(() => constraint.remove(work.request, work.alternative));
    }
    if (!isMultiple) {
      const users = taking.get(device.id) ?? new Set();
      taking.set(device.id, users.add(at.claim));
      undo.push(() => users.delete(at.claim));
    }
    let consumed: Consumed | undefined;
    if (features.consumableCapacity) {
      const fits = room(work, device);
      if (fits !== true) giveBack();
      if (typeof fits === 'object') return { error: capacityFailure(work, device.id, fits).error };
      if (!fits) return undefined;
      if (isMultiple) {
        consumed = consumedBy(work.ask.capacity, device.capacity, features);
        const before = takingCapacity.get(device.id);
        takingCapacity.set(device.id, plusConsumed(before, consumed));
        undo.push(() => (before ? takingCapacity.set(device.id, before) : takingCapacity.delete(device.id)));
      }
    }
    const results = taken[at.claim]!;
    const isCounted = consumed !== undefined && consumed.size > 0;
    results.push({ ...candidate, work, isShare: isMultiple, ...(isCounted && consumed && { consumed }) });
    undo.push(() => results.pop());
    return giveBack;
  };

  /** Upstream: allocateOne. */
  const search = (at: At, chosen: 'any alternative' | 'this alternative', from: From): Outcome => {
    steps++;
    if (steps > allowed) return { error: `node ${node.name}: ${GAVE_UP}` };
    const requests = works[at.claim];
    if (!requests) return 'done';
    const alternatives = requests[at.request];
    if (!alternatives) {
      const outcome = search(
        { claim: at.claim + 1, request: 0, alternative: 0, device: 0 },
        'any alternative',
        BEGINNING,
      );
      return outcome === 'tooMany' ? 'none' : outcome;
    }
    if (chosen === 'any alternative' && alternatives[0]?.alternative !== '')
      return searchAlternatives(at, alternatives);
    const work = alternatives[at.alternative]!;
    if (work.all?.length === 0) return 'none';
    if (at.device >= work.count) {
      const next: At = { claim: at.claim, request: at.request + 1, alternative: 0, device: 0 };
      return search(next, 'any alternative', BEGINNING);
    }
    if (work.count - at.device > MOST_DEVICES_OF_CLAIM - taken[at.claim]!.length) return 'tooMany';
    if (work.all) {
      const giveBack = take(work, at, work.all[at.device]!);
      if (giveBack === undefined) return 'none';
      if (typeof giveBack === 'object') return giveBack;
      const outcome = search({ ...at, device: at.device + 1 }, chosen, BEGINNING);
      if (outcome !== 'done') giveBack();
      return outcome;
    }
    return searchPools(work, at, chosen, from);
  };

  const searchAlternatives = (at: At, alternatives: readonly Work[]): Outcome => {
    let allTooMany = true;
    for (const alternative of alternatives.keys()) {
      const outcome = search({ ...at, alternative }, 'this alternative', BEGINNING);
      if (outcome === 'tooMany') continue;
      if (outcome !== 'none') return outcome;
      allTooMany = false;
    }
    return allTooMany ? 'tooMany' : 'none';
  };

  const searchPools = (work: Work, at: At, chosen: 'any alternative' | 'this alternative', from: From): Outcome => {
    const isAdmin = work.ask.adminAccess === true;
    for (let p = from.pool; p < pools.length; p++) {
      const pool = pools[p]!;
      for (let s = p === from.pool ? from.slice : 0; s < pool.slices.length; s++) {
        const slice = pool.slices[s]!;
        const first = p === from.pool && s === from.slice ? from.device : 0;
        for (let d = first; d < slice.devices.length; d++) {
          const device = slice.devices[d]!;
          if (isAdmin ? taking.get(device.id)?.has(at.claim) : isInUse(device)) continue;
          const selected = work.selects(device, slice);
          if (typeof selected === 'object') return selected;
          if (!selected) continue;
          const fits = !features.consumableCapacity || room(work, device);
          if (typeof fits === 'object') return capacityFailure(work, device.id, fits);
          if (!fits) continue;
          steps++;
          const giveBack = take(work, at, { device, slice, pool });
          if (giveBack === undefined) continue;
          if (typeof giveBack === 'object') return giveBack;
          const outcome = search({ ...at, device: at.device + 1 }, chosen, { pool: p, slice: s, device: d + 1 });
          if (outcome === 'done') return outcome;
          giveBack();
          if (outcome !== 'none') return outcome;
        }
      }
    }
    return 'none';
  };

  const outcome = search({ claim: 0, request: 0, alternative: 0, device: 0 }, 'any alternative', BEGINNING);
  input.budget.steps -= Math.min(steps, allowed);
  if (typeof outcome === 'object') return steps > allowed ? { gaveUp: outcome.error } : outcome;
  if (outcome !== 'done') {
    const isInvalid = pools.some(it => it.state === 'invalid');
    return { refusal: isInvalid ? 'invalid resource pools were encountered' : 'cannot allocate all claims' };
  }
  const allocations: AllocationModel[] = [];
  for (const [i, results] of taken.entries()) {
    const nodes = nodesOf(results, node.name, features);
    if (nodes && 'error' in nodes) return { error: `create NodeSelector for claim ${claims[i]!.name}: ${nodes.error}` };
    allocations.push({ results: results.map(it => resultOf(it, input)), ...(nodes && { nodes }) });
  }
  return { allocations };
}

function resultOf({ device, work, consumed, isShare }: Taken, { features }: AllocatorInput): DeviceResult {
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

/** Upstream: taintPreventsAllocation. */
function isKeptAwayByTaint({ taints }: DeviceModel, tolerations: readonly DeviceToleration[]): boolean {
  return taints.some(
    it =>
      (it.effect === 'NoSchedule' || it.effect === 'NoExecute') &&
      !tolerations.some(toleration => tolerates(toleration, it)),
  );
}

/** Upstream: resourceclaim.ToleratesTaint. */
function tolerates({ key, operator, value, effect }: DeviceToleration, taint: DeviceTaint): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === '' || operator === 'Equal') return value === taint.value;
  return operator === 'Exists';
}
