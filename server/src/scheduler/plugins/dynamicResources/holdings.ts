import type { DeviceToleration } from '../../../cluster/devices/claims';
import type { DeviceModel, DeviceTaint } from '../../../cluster/devices/devices';
import type { AllocatedState } from './allocatedState';
import { type Consumed, consumedBy, hasRoom, plusConsumed } from './capacity';
import type { Constraint } from './constraints';
import { type AvailableCounters, counterBook } from './counters';
import type { DeviceFeatures } from './features';
import { capacityFailure, type DeviceCandidate, type DeviceWork } from './requests';

/** A device that a claim is given during the search. */
export interface HeldDevice extends DeviceCandidate {
  readonly work: DeviceWork;
  readonly consumed?: Consumed;
  readonly isShare: boolean;
}

type Release = () => void;

/** What the claims of one search have allocated so far on one node. */
export interface Holdings {
  /** By index of the claim. */
  readonly taken: readonly (readonly HeldDevice[])[];
  /** Whether another claim has the device and does not share it with this one. */
  isHeld(work: DeviceWork, claim: number, device: DeviceModel): boolean;
  /** Whether a shared device has enough capacity left. */
  remaining(work: DeviceWork, device: DeviceModel): ReturnType<typeof hasRoom>;
  /** Allocates a device. undefined: not possible; otherwise how to release it. Upstream: allocateDevice. */
  allocate(
    work: DeviceWork,
    claim: number,
    candidate: DeviceCandidate,
  ): Release | undefined | { readonly error: string };
}

interface HoldingsInput {
  readonly allocated: AllocatedState;
  readonly available: AvailableCounters;
  readonly features: DeviceFeatures;
}

/** The result of one allocation step: how to undo it, nothing to undo, or the refusal. */
type StepResult = Release | undefined | 'no' | { readonly error: string };
type Step = (work: DeviceWork, claim: number, candidate: DeviceCandidate) => StepResult;

/** `constraints`: by index of the claim. */
export function holdings(
  { allocated, available, features }: HoldingsInput,
  constraints: readonly (readonly Constraint[])[],
): Holdings {
  const taken: HeldDevice[][] = constraints.map(() => []);
  const capacity = new Map<string, Consumed>();
  const counters = counterBook(available);
  const users = deviceUsers();
  const isInUse = ({ id }: DeviceModel): boolean => allocated.devices.has(id) || users.count(id) > 0;
  const isShared = ({ id }: DeviceModel): boolean =>
    allocated.capacity.has(id) || allocated.shared.has(id) || capacity.has(id);
  const isMultiple = (device: DeviceModel): boolean =>
    features.consumableCapacity && device.allowMultipleAllocations === true;
  const remaining: Holdings['remaining'] = (work, { id, capacity: all }) =>
    hasRoom(work.ask.capacity, all, allocated.capacity.get(id), capacity.get(id), features);

  const takeCounters: Step = (_work, _claim, { device, pool }) => {
    // The counters of a device in use are accounted for already.
    if (device.consumesCounters.length === 0 || (isMultiple(device) && isShared(device))) return undefined;
    if (!counters.reserve(device, pool)) return 'no';
    return () => counters.release(device, pool);
  };
  const takeCapacity: Step = (work, _claim, { device }) => {
    if (!features.consumableCapacity) return undefined;
    const fits = remaining(work, device);
    if (typeof fits === 'object') return { error: capacityFailure(work, device.id, fits).error };
    if (!fits) return 'no';
    if (!isMultiple(device)) return undefined;
    return consume(capacity, device.id, consumedBy(work.ask.capacity, device.capacity, features));
  };
  const write: Step = (work, claim, candidate) => {
    const isShare = isMultiple(candidate.device);
    const consumed = isShare ? consumedBy(work.ask.capacity, candidate.device.capacity, features) : undefined;
    const results = taken[claim]!;
    results.push({ ...candidate, work, isShare, ...(consumed && consumed.size > 0 && { consumed }) });
    return () => results.pop();
  };

  const steps: readonly Step[] = [
    takeCounters,
    (work, _, { device }) =>
      features.deviceTaints && isRefusedByTaint(device, work.ask.tolerations) ? 'no' : undefined,
    (work, claim, { device }) => satisfyAll(constraints[claim]!, work, device),
    (_, claim, { device }) => (isMultiple(device) ? undefined : users.add(device.id, claim)),
    takeCapacity,
    write,
  ];
  return {
    taken,
    remaining,
    isHeld: (work, claim, device) => (isAdmin(work) ? users.has(device.id, claim) : isInUse(device)),
    allocate(work, claim, candidate) {
      const { device } = candidate;
      if (isAdmin(work) ? !isMultiple(device) && users.has(device.id, claim) : isInUse(device)) return undefined;
      if (!features.partitionableDevices && device.consumesCounters.length > 0) return undefined;
      return runSteps(steps, work, claim, candidate);
    },
  };
}

const isAdmin = ({ ask }: DeviceWork): boolean => ask.adminAccess === true;

/** Runs the steps in order; when one fails, the previous ones are undone. */
function runSteps(
  steps: readonly Step[],
  work: DeviceWork,
  claim: number,
  candidate: DeviceCandidate,
): Release | undefined | { readonly error: string } {
  const undo: Release[] = [];
  const release = (): void => {
    for (let i = undo.length - 1; i >= 0; i--) undo[i]!();
  };
  for (const step of steps) {
    const done = step(work, claim, candidate);
    if (typeof done === 'function') undo.push(done);
    if (done === 'no' || typeof done === 'object') {
      release();
      return done === 'no' ? undefined : done;
    }
  }
  return release;
}

function satisfyAll(constraints: readonly Constraint[], work: DeviceWork, device: DeviceModel): StepResult {
  const { request, alternative } = work;
  if (constraints.length === 0) return undefined;
  for (const [i, constraint] of constraints.entries()) {
    if (constraint.add(request, alternative, device)) continue;
    for (const it of constraints.slice(0, i)) it.remove(request, alternative);
    if (!work.all) return 'no';
    const problem = `cannot add device ${device.id} because a claim constraint would not be satisfied`;
    return { error: `claim ${work.claim.id}, request ${work.ask.name}: ${problem}` };
  }
  return () => {
    for (const it of constraints) it.remove(request, alternative);
  };
}

/** Adds what a share of a device consumes, by the device's id. */
function consume(capacity: Map<string, Consumed>, id: string, more: Consumed): Release {
  const before = capacity.get(id);
  capacity.set(id, plusConsumed(before, more));
  return () => {
    if (before) capacity.set(id, before);
    else capacity.delete(id);
  };
}

/** The claims that have a device for themselves, by the device's id. */
function deviceUsers() {
  const users = new Map<string, Set<number>>();
  return {
    count: (id: string): number => users.get(id)?.size ?? 0,
    has: (id: string, claim: number): boolean => users.get(id)?.has(claim) === true,
    add(id: string, claim: number): Release {
      const found = users.get(id) ?? new Set();
      users.set(id, found.add(claim));
      return () => found.delete(claim);
    },
  };
}

/** Upstream: taintPreventsAllocation. */
function isRefusedByTaint({ taints }: DeviceModel, tolerations: readonly DeviceToleration[]): boolean {
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
