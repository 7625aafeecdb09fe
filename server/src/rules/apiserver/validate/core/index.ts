import type { KindStrategy } from '../errors';
import { configMapStrategy, secretStrategy } from './bags';
import { resourceQuotaStrategy } from './quota';
import {
  disruptionBudgetStrategy,
  namespaceStrategy,
  priorityClassStrategy,
  runtimeClassStrategy,
  serviceAccountStrategy,
} from './small';

/** Kinds of several groups that are neither Pods nor storage, by `group/Kind`. */
export const coreStrategies: Readonly<Record<string, KindStrategy>> = {
  '/ConfigMap': configMapStrategy,
  '/ResourceQuota': resourceQuotaStrategy,
  '/Secret': secretStrategy,
  '/Namespace': namespaceStrategy,
  '/ServiceAccount': serviceAccountStrategy,
  'node.k8s.io/RuntimeClass': runtimeClassStrategy,
  'policy/PodDisruptionBudget': disruptionBudgetStrategy,
  'scheduling.k8s.io/PriorityClass': priorityClassStrategy,
};
