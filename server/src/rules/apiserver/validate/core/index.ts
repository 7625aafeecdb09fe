import type { Strategies } from '../errors';
import { autoscalerStrategy } from './autoscaler';
import { configMapStrategy, secretStrategy } from './configMapAndSecret';
import { disruptionBudgetStrategy } from './disruptionBudget';
import { limitRangeStrategy } from './limitRange';
import { nodeStrategy } from './node';
import { resourceQuotaStrategy } from './quota';
import { serviceStrategy } from './service';
import { namespaceStrategy, priorityClassStrategy, runtimeClassStrategy, serviceAccountStrategy } from './smallKinds';

/** Kinds of several groups other than Pods and storage, by `group/Kind`. */
export function coreStrategies(): Strategies {
  return {
    '/ConfigMap': configMapStrategy,
    '/LimitRange': limitRangeStrategy,
    '/Node': nodeStrategy,
    '/ResourceQuota': resourceQuotaStrategy,
    '/Secret': secretStrategy,
    '/Service': serviceStrategy,
    '/Namespace': namespaceStrategy,
    '/ServiceAccount': serviceAccountStrategy,
    'autoscaling/HorizontalPodAutoscaler': autoscalerStrategy,
    'node.k8s.io/RuntimeClass': runtimeClassStrategy,
    'policy/PodDisruptionBudget': disruptionBudgetStrategy,
    'scheduling.k8s.io/PriorityClass': priorityClassStrategy,
  };
}
