import { coreStrategies } from './core/index';
import { draStrategies } from './dra/index';
import type { KindStrategy } from './errors';
import { podStrategy } from './podSpec/podSpec';
import { storageStrategies } from './storage/index';
import {
  daemonSetStrategy,
  deploymentStrategy,
  replicaSetStrategy,
  replicationControllerStrategy,
  statefulSetStrategy,
} from './workloads/apps';
import { podTemplateStrategy } from './workloads/podTemplate';

/**
 * What the API server does with an object of a kind on create, by `group/Kind` (`/Pod` for the core group). A kind that
 * is not here is judged by its schema alone.
 */
export const STRATEGIES: Readonly<Record<string, KindStrategy>> = {
  '/Pod': podStrategy,
  '/PodTemplate': podTemplateStrategy,
  '/ReplicationController': replicationControllerStrategy,
  'apps/Deployment': deploymentStrategy,
  'apps/ReplicaSet': replicaSetStrategy,
  'apps/DaemonSet': daemonSetStrategy,
  'apps/StatefulSet': statefulSetStrategy,
  ...coreStrategies,
  ...draStrategies,
  ...storageStrategies,
};
