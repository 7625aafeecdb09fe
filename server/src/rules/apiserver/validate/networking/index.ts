import type { Strategies } from '../errors';
import { ipAddressStrategy, serviceCidrStrategy } from './addresses';
import { endpointSliceStrategy } from './endpointSlice';
import { endpointsStrategy } from './endpoints';
import { ingressClassStrategy, ingressStrategy } from './ingress';
import { networkPolicyStrategy } from './networkPolicy';

/** Kinds of networking, by `group/Kind`. */
export function networkingStrategies(): Strategies {
  return {
    '/Endpoints': endpointsStrategy,
    'discovery.k8s.io/EndpointSlice': endpointSliceStrategy,
    'networking.k8s.io/IPAddress': ipAddressStrategy,
    'networking.k8s.io/Ingress': ingressStrategy,
    'networking.k8s.io/IngressClass': ingressClassStrategy,
    'networking.k8s.io/NetworkPolicy': networkPolicyStrategy,
    'networking.k8s.io/ServiceCIDR': serviceCidrStrategy,
  };
}
