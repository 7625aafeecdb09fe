import type { KindStrategy } from '../errors';
import { flowSchema } from './flowSchema';
import { priorityLevel } from './priorityLevel';

/** API priority and fairness, by `group/Kind`. */
export const flowControlStrategies: Readonly<Record<string, KindStrategy>> = {
  'flowcontrol.apiserver.k8s.io/FlowSchema': flowSchema,
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': priorityLevel,
};
