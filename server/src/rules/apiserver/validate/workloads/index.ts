import type { Strategies } from '../errors';
import { daemonSetStrategy, deploymentStrategy, replicaSetStrategy, replicationControllerStrategy } from './apps';
import { cronJobStrategy } from './cronJob';
import { jobStrategy } from './job';
import { podTemplateStrategy } from './podTemplate';
import { statefulSetStrategy } from './statefulSet';

/** The kinds that create Pods from a template, and PodTemplate itself. */
export function workloadStrategies(): Strategies {
  return {
    '/PodTemplate': podTemplateStrategy,
    '/ReplicationController': replicationControllerStrategy,
    'apps/Deployment': deploymentStrategy,
    'apps/ReplicaSet': replicaSetStrategy,
    'apps/DaemonSet': daemonSetStrategy,
    'apps/StatefulSet': statefulSetStrategy,
    'batch/Job': jobStrategy,
    'batch/CronJob': cronJobStrategy,
  };
}
