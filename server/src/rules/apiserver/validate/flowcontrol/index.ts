import type { Strategies } from '../errors';
import { flowSchema } from './flowSchema';
import { priorityLevel } from './priorityLevel';

/** API priority and fairness, by `group/Kind`. */
export function flowControlStrategies(): Strategies {
  return {
    'flowcontrol.apiserver.k8s.io/FlowSchema': flowSchema,
    'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': priorityLevel,
  };
}
