import type { DeviceModel, SliceModel } from '../../../cluster/devices/devices';
import { deviceSelectors } from '../../../kube/cel/deviceSelector';
import type { ResourceSpec, ResourceTotals } from '../../framework/allocation';
import type { Cycle, SchedulerGates } from '../../framework/interface';
import type { NodeInfo } from '../../framework/nodeInfo';
import { allocatedState, isAllocated } from './allocatedState';
import { mayBeDevices } from './extendedResources';
import { deviceFeatures, selectorFacts } from './features';
import { reaches } from './pools';
import { deviceRun } from './run';

/**
 * Counts devices for scores of extended resources; undefined when none of these resources can be devices. Upstream:
 * getDRAPreScoredParams and calculateDRAResourceTotals.
 */
export function deviceCounter(
  specs: readonly ResourceSpec[],
  gates: SchedulerGates,
): ((cycle: Cycle) => ResourceTotals) | undefined {
  if (!gates.isOn('DRAExtendedResource') || !specs.some(it => mayBeDevices(it.name))) return undefined;
  const features = deviceFeatures(gates);
  const compiler = deviceSelectors(selectorFacts(gates));
  return cycle => {
    const { classOfResource, claims } = cycle.cluster.devices;
    if (!specs.some(it => classOfResource.has(it.name))) return () => undefined;
    const { selectors, index } = deviceRun(cycle, { features, compiler, taintRules: 'counted' });
    const allocated = allocatedState(claims.values(), features);
    // Here upstream hides from selectors that a device allows several allocations; the scores depend on that oversight.
    const cache = cycle.work.once('devices/bare', () => new Map<DeviceModel, DeviceModel>());
    const bare = (device: DeviceModel): DeviceModel => {
      const { allowMultipleAllocations: _, ...rest } = device;
      const found = cache.get(device) ?? rest;
      cache.set(device, found);
      return found;
    };
    return (resource, node) => {
      const deviceClass = classOfResource.get(resource);
      if (!deviceClass) return undefined;
      const totals = { allocatable: 0, allocated: 0 };
      for (const slice of [...(index.ofNode.get(node.name) ?? []), ...index.shared]) {
        for (const device of reachableDevices(slice, node)) {
          const isOfClass = selectors.selects(deviceClass.selectors, '', bare(device));
          // After an error nothing counts.
          if (typeof isOfClass === 'object') return undefined;
          if (!isOfClass) continue;
          totals.allocatable++;
          if (isAllocated(device, allocated)) totals.allocated++;
        }
      }
      return totals.allocatable > 0 ? totals : undefined;
    };
  };
}

/** A slice that names no nodes counts everywhere here, though its devices cannot be allocated. */
function reachableDevices(
  { reach, devices, perDeviceNodeSelection }: SliceModel,
  { node }: NodeInfo,
): SliceModel['devices'] {
  if (perDeviceNodeSelection) return devices.filter(it => reaches(it.reach, node) === true);
  const isSilent = reach.nodeName === '' && !reach.allNodes && reach.nodeSelector === undefined;
  return isSilent || reaches(reach, node) === true ? devices : [];
}
