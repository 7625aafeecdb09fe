import { systemPriorityClasses } from '../../kube/podTemplates';
import type { PodSpec, PriorityClass } from '../../kube/types';
import type { AdmissionFacts, Admitted } from './types';

/**
 * The Priority admission plugin: sets the Pod's priority and preemption policy from its class. Upstream:
 * Plugin.admitPod.
 */
export function admitPriority(spec: PodSpec, { priorityClasses, defaultPriorityClass }: AdmissionFacts): Admitted {
  const name = spec.priorityClassName;
  const found = name ? priorityClasses.get(name) : defaultPriorityClass;
  if (name && !found) return { rejected: `no PriorityClass with name ${name} was found` };
  const priority = found?.value ?? 0;
  if (spec.priority !== undefined && spec.priority !== priority) {
    return { rejected: contradiction('integer value of priority', spec.priority, priority) };
  }
  const preemptionPolicy = found?.preemptionPolicy ?? 'PreemptLowerPriority';
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
    return { rejected: contradiction('string value of PreemptionPolicy', spec.preemptionPolicy, preemptionPolicy) };
  }
  const priorityClassName = found?.metadata?.name;
  if (priorityClassName === undefined) return { spec: { ...spec, priority, preemptionPolicy } };
  return { spec: { ...spec, priority, preemptionPolicy, priorityClassName } };
}

function contradiction(what: string, written: number | string, computed: number | string): string {
  return `the ${what} (${written}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`;
}

/** Of several default classes the one with the lowest value. Upstream: getDefaultPriorityClass. */
export function defaultClassAmong(classes: Iterable<PriorityClass>): PriorityClass | undefined {
  let best: PriorityClass | undefined;
  for (const it of classes) {
    if (it.globalDefault === true && (best === undefined || (it.value ?? 0) < (best.value ?? 0))) best = it;
  }
  return best;
}

/** The classes of every cluster. Upstream: scheduling.SystemPriorityClasses. */
export const SYSTEM_PRIORITY_CLASSES: readonly PriorityClass[] = Object.entries(systemPriorityClasses).map(
  ([name, value]) => ({ metadata: { name }, value }),
);
