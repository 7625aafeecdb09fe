import type { Strategies } from '../errors';
import { controllerRevisionStrategy } from './controllerRevision';
import { coreEventStrategy, eventStrategy } from './event';
import { evictionRequestStrategy, evictionStrategy } from './eviction';
import { leaseCandidateStrategy, leaseStrategy } from './lease';
import { clusterRoleBindingStrategy, clusterRoleStrategy, roleBindingStrategy, roleStrategy } from './rbac';

/** Access control, and kinds that controllers write, by `group/Kind`. */
export function controlStrategies(): Strategies {
  return {
    '/Event': coreEventStrategy,
    'apps/ControllerRevision': controllerRevisionStrategy,
    'coordination.k8s.io/Lease': leaseStrategy,
    'coordination.k8s.io/LeaseCandidate': leaseCandidateStrategy,
    'events.k8s.io/Event': eventStrategy,
    'lifecycle.k8s.io/Eviction': evictionStrategy,
    'lifecycle.k8s.io/EvictionRequest': evictionRequestStrategy,
    'rbac.authorization.k8s.io/ClusterRole': clusterRoleStrategy,
    'rbac.authorization.k8s.io/ClusterRoleBinding': clusterRoleBindingStrategy,
    'rbac.authorization.k8s.io/Role': roleStrategy,
    'rbac.authorization.k8s.io/RoleBinding': roleBindingStrategy,
  };
}
