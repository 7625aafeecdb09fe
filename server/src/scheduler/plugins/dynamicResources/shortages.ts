import { push } from '../../../base/multiMap';
import type { ClusterModel } from '../../../cluster/clusterModel';
import type { DeviceAsk, ResourceClaimModel } from '../../../cluster/devices/claims';
import type { SliceModel } from '../../../cluster/devices/devices';
import type { DeviceInventory } from '../../../cluster/devices/inventory';
import type { PodModel } from '../../../cluster/pods/podModel';
import { deviceSelectors } from '../../../kube/cel/deviceSelector';
import type { SchedulerGates } from '../../framework/interface';
import { allocatedState, isAllocated } from './allocatedState';
import { deviceFeatures, selectorFacts } from './features';
import { claimsOfPod } from './podClaims';
import { selectorBook } from './selectors';

/** Requests that together want more devices than there are for them, on whatever nodes. */
export interface DeviceShortage {
  /** DRIVER/POOL/DEVICE; the requests can have no other one. */
  readonly devices: readonly string[];
  readonly wants: readonly DeviceWant[];
}

export interface DeviceWant {
  /** NAMESPACE/NAME */
  readonly claim: string;
  readonly request: string;
  readonly count: number;
  /** Those that use the claim. */
  readonly pods: readonly PodModel[];
}

/** Beyond, pairs of different requests would be too many to compare. */
const MOST_ASKS = 50;

/**
 * The shortages among the claims of Pods that have no devices yet, the fewest devices first. It holds however they are
 * allocated: each device of one claim goes to no other. Requests that need not have devices of their own (all devices,
 * alternatives, shares, admin access) do not count, and nothing is said while a pool is incomplete.
 */
export function deviceShortages(
  pods: readonly PodModel[],
  { devices }: ClusterModel,
  gates: SchedulerGates,
): readonly DeviceShortage[] {
  const slices = currentSlices(devices.slices);
  if (slices === undefined || slices.length === 0) return [];
  const byAsk = new Map<string, { readonly ask: DeviceAsk; readonly wants: DeviceWant[] }>();
  for (const [claim, users] of unallocatedClaims(pods, devices)) {
    for (const { name, exactly: ask } of claim.requests) {
      if (ask === undefined || !isForItself(ask)) continue;
      const key = JSON.stringify([ask.className, ask.selectors]);
      const found = byAsk.get(key) ?? { ask, wants: [] };
      found.wants.push({ claim: claim.id, request: name, count: ask.count, pods: users });
      byAsk.set(key, found);
    }
  }
  if (byAsk.size > MOST_ASKS) return [];
  const candidates = candidatesIn(slices, devices, gates);
  const demands = [...byAsk.values()].flatMap(({ ask, wants }) => {
    const found = candidates(ask);
    return found === undefined || found.size === 0 ? [] : [{ devices: found, wants }];
  });
  return demands
    .flatMap(({ devices: ids }): readonly DeviceShortage[] => {
      const wants = demands.filter(it => [...it.devices].every(id => ids.has(id))).flatMap(it => it.wants);
      return sumOf(wants) > ids.size ? [{ devices: [...ids], wants }] : [];
    })
    .sort((a, b) => a.devices.length - b.devices.length);
}

function sumOf(wants: readonly DeviceWant[]): number {
  return wants.reduce((sum, it) => sum + it.count, 0);
}

/** The slices of each pool's newest generation; undefined if some are missing. */
function currentSlices(slices: readonly SliceModel[]): readonly SliceModel[] | undefined {
  const newest = new Map<string, SliceModel[]>();
  for (const it of slices) {
    const known = newest.get(it.poolId)?.[0]?.generation;
    if (known === undefined || it.generation > known) newest.set(it.poolId, [it]);
    else if (it.generation === known) newest.get(it.poolId)?.push(it);
  }
  const pools = [...newest.values()];
  return pools.every(it => it.length === it[0]?.sliceCount) ? pools.flat() : undefined;
}

function unallocatedClaims(
  pods: readonly PodModel[],
  devices: DeviceInventory,
): ReadonlyMap<ResourceClaimModel, readonly PodModel[]> {
  const res = new Map<ResourceClaimModel, PodModel[]>();
  for (const pod of pods) {
    if (pod.spec.resourceClaims === undefined) continue;
    const claims = claimsOfPod(pod, devices);
    if ('wait' in claims) continue;
    for (const it of claims) if (it.allocation === undefined) push(res, it, pod);
  }
  return res;
}

const isForItself = ({ mode, adminAccess, capacity, hasDerivedAttributes, selectors }: DeviceAsk): boolean =>
  mode === 'ExactCount' &&
  adminAccess !== true &&
  capacity === undefined &&
  !hasDerivedAttributes &&
  !selectors.includes(undefined);

/** The free devices that a request selects; undefined if they cannot be told, or several claims may share one. */
function candidatesIn(
  slices: readonly SliceModel[],
  { classes, claims }: DeviceInventory,
  gates: SchedulerGates,
): (ask: DeviceAsk) => ReadonlySet<string> | undefined {
  const features = deviceFeatures(gates);
  const book = selectorBook(deviceSelectors(selectorFacts(gates)), features);
  const allocated = allocatedState(claims.values(), features);
  const free = slices.flatMap(it => it.devices).filter(it => !isAllocated(it, allocated));
  return ask => {
    const deviceClass = classes.get(ask.className);
    if (deviceClass === undefined) return undefined;
    const res = new Set<string>();
    for (const device of free) {
      const byClass = book.selects(deviceClass.selectors, '', device);
      const selected = byClass === true ? book.selects(ask.selectors, '', device) : byClass;
      if (typeof selected === 'object' || (selected && device.allowMultipleAllocations === true)) return undefined;
      if (selected) res.add(device.id);
    }
    return res;
  };
}
