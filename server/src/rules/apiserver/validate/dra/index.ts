import type { Strategies } from '../errors';
import { resourceClaim, resourceClaimTemplate } from './claim';
import { deviceClass } from './deviceClass';
import { deviceTaintRule } from './deviceTaintRule';
import { resourcePoolStatusRequest } from './poolStatusRequest';
import { resourceSlice } from './resourceSlice';
import { compositePodGroup, podGroup, workload } from './scheduling';

/** The API server's strategies for devices and gangs, by `group/Kind`. */
export function draStrategies(): Strategies {
  return {
    'resource.k8s.io/ResourceClaim': resourceClaim,
    'resource.k8s.io/ResourceClaimTemplate': resourceClaimTemplate,
    'resource.k8s.io/DeviceClass': deviceClass,
    'resource.k8s.io/DeviceTaintRule': deviceTaintRule,
    'resource.k8s.io/ResourcePoolStatusRequest': resourcePoolStatusRequest,
    'resource.k8s.io/ResourceSlice': resourceSlice,
    'scheduling.k8s.io/Workload': workload,
    'scheduling.k8s.io/PodGroup': podGroup,
    'scheduling.k8s.io/CompositePodGroup': compositePodGroup,
  };
}
