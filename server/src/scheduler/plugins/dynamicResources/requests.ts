import { smallest } from '../../../base/manyItems';
import { jsonText } from '../../../base/printed';
import type { NodeModel } from '../../../cluster/clusterModel';
import type { DeviceAsk, RequestModel, ResourceClaimModel } from '../../../cluster/devices/claims';
import type { DeviceClass, DeviceModel, SliceModel } from '../../../cluster/devices/devices';
import { hasRoom } from './capacity';
import type { DeviceFeatures } from './features';
import { type Pool, reaches } from './pools';
import type { Selected, SelectorBook } from './selectors';

/** One device that can be allocated. */
export interface DeviceCandidate {
  readonly device: DeviceModel;
  readonly slice: SliceModel;
  readonly pool: Pool;
}

/** A request, or one alternative of it, prepared for the search. Upstream: requestData. */
export interface DeviceWork {
  readonly claim: ResourceClaimModel;
  readonly ask: DeviceAsk;
  /** The request; `alternative` is empty unless the request is a prioritised list. */
  readonly request: string;
  readonly alternative: string;
  readonly count: number;
  /** All devices, for a request with allocation mode All. */
  readonly all?: readonly DeviceCandidate[];
  selects(device: DeviceModel, slice: SliceModel): Selected;
}

export interface WorkInput {
  readonly node: NodeModel;
  readonly pools: readonly Pool[];
  readonly classes: ReadonlyMap<string, DeviceClass>;
  readonly selectors: SelectorBook;
  readonly features: DeviceFeatures;
}

type Failure = { readonly error: string };

/** Upstream: resource.AllocationResultsMaxSize. */
export const MAX_DEVICES_OF_CLAIM = 32;

/** By request, then by alternative. Upstream: the first half of Allocate. */
export function requestGroupsOf(
  claim: ResourceClaimModel,
  input: WorkInput,
): readonly (readonly DeviceWork[])[] | Failure {
  const works: (readonly DeviceWork[])[] = [];
  let least = 0;
  for (const request of claim.requests) {
    const found = alternativesOf(claim, request, input);
    if ('error' in found) return found;
    const count = smallest(found.map(it => it.count));
    if (count > MAX_DEVICES_OF_CLAIM - least) {
      const limit = `exceeds the claim limit of ${MAX_DEVICES_OF_CLAIM}, with ${least} already accounted for`;
      return { error: `claim ${claim.id}, request ${request.name}: adding ${count} devices ${limit}` };
    }
    least += count;
    works.push(found);
  }
  return works;
}

function alternativesOf(
  claim: ResourceClaimModel,
  request: RequestModel,
  input: WorkInput,
): readonly DeviceWork[] | Failure {
  const { prioritizedList, consumableCapacity, allocator } = input.features;
  const { exactly, firstAvailable } = request;
  const fail = (part: string, problem: string): Failure => ({ error: `claim ${claim.id}, ${part}: ${problem}` });
  if (!prioritizedList && firstAvailable.length > 0) {
    return fail(`request ${request.name}`, 'has subrequests, but the DRAPrioritizedList feature is disabled');
  }
  const greedy = [exactly, ...firstAvailable].find(it => it?.capacity !== undefined);
  if (!consumableCapacity && allocator === 'incubating' && greedy) {
    const part = greedy === exactly ? 'request' : 'subrequest';
    return fail(`${part} ${greedy.name}`, 'has capacity requests, but the DRAConsumableCapacity feature is disabled');
  }
  const asks = firstAvailable.length > 0 ? firstAvailable : exactly ? [exactly] : [];
  const works: DeviceWork[] = [];
  for (const ask of asks) {
    const work = deviceWorkOf(claim, request.name, ask, firstAvailable.length > 0 ? ask.name : '', input);
    if ('error' in work) return work;
    works.push(work);
  }
  return works.length > 0 ? works : fail(`request ${request.name}`, 'unknown request type');
}

/** Upstream: validateDeviceRequest. */
function deviceWorkOf(
  claim: ResourceClaimModel,
  request: string,
  ask: DeviceAsk,
  alternative: string,
  input: WorkInput,
): DeviceWork | Failure {
  const fail = (problem: string): Failure => ({ error: `claim ${claim.id}, request ${ask.name}${problem}` });
  if (ask.hasDerivedAttributes) return fail(': cannot handle request with derived attributes, the feature is disabled');
  const foreign = ask.selectors.indexOf(undefined);
  if (foreign >= 0) return fail(`, selector #${foreign}: CEL expression empty (unsupported selector type?)`);
  if (!input.features.adminAccess && ask.adminAccess !== undefined) {
    return fail(': admin access is requested, but the feature is disabled');
  }
  if (ask.className === '') return fail(': missing device class name (unsupported request type?)');
  const { className } = ask;
  const deviceClass = input.classes.get(className);
  if (!deviceClass) {
    return fail(
      `: could not retrieve device class ${className}: deviceclass.resource.k8s.io ${jsonText(className)} not found`,
    );
  }
  const work: DeviceWork = {
    claim,
    ask,
    request,
    alternative,
    count: ask.count,
    selects: selection(claim, ask, deviceClass, input),
  };
  if (ask.mode === 'ExactCount') return work;
  if (ask.mode !== 'All') return fail(`: unsupported count mode ${ask.mode}`);
  const all = allDevices(work, input);
  if ('error' in all) return all;
  return { ...work, count: all.length, all };
}

/** Upstream: isSelectable. */
function selection(
  claim: ResourceClaimModel,
  ask: DeviceAsk,
  deviceClass: DeviceClass,
  { node, selectors, features }: WorkInput,
): DeviceWork['selects'] {
  const cache = new Map<DeviceModel, Selected>();
  const select = (device: DeviceModel, slice: SliceModel): Selected => {
    if (!features.deviceBindingAndStatus && (device.bindingConditions ?? []).length > 0) return false;
    const byClass = selectors.selects(deviceClass.selectors, `class ${deviceClass.name}`, device);
    if (byClass !== true) return byClass;
    const byRequest = selectors.selects(ask.selectors, `claim ${claim.id}`, device);
    if (byRequest !== true || !slice.perDeviceNodeSelection) return byRequest;
    return reaches(device.reach, node);
  };
  return (device, slice) => {
    const found = cache.get(device) ?? select(device, slice);
    cache.set(device, found);
    return found;
  };
}

function allDevices(work: DeviceWork, { pools, features }: WorkInput): readonly DeviceCandidate[] | Failure {
  const { claim, ask } = work;
  const res: DeviceCandidate[] = [];
  for (const pool of pools) {
    if (pool.state !== 'usable') {
      const state = pool.state === 'invalid' ? 'invalid' : 'being updated';
      const problem = `asks for all devices, but resource pool ${pool.id} is currently ${state}`;
      return { error: `claim ${claim.id}, request ${ask.name}: ${problem}` };
    }
    for (const slice of pool.slices) {
      for (const device of slice.devices) {
        const selected = work.selects(device, slice);
        if (typeof selected === 'object') return selected;
        if (!selected) continue;
        const fits =
          !features.consumableCapacity || hasRoom(ask.capacity, device.capacity, undefined, undefined, features);
        if (typeof fits === 'object') return capacityFailure(work, device.name, fits);
        if (fits) res.push({ device, slice, pool });
      }
    }
  }
  return res;
}

export function capacityFailure({ claim, ask }: DeviceWork, device: string, { error }: Failure): Failure {
  return { error: `claim ${claim.id}, request ${ask.name}: checking capacity for device ${device}: ${error}` };
}
