import { t } from '../../../base/l10n';
import type { PriorityClass } from '../../../kube/types';
import { type ChangeCandidate, MAX_ALTERNATIVES, type Situation, specEdit } from '../candidate';

/** The cluster's classes above the Pod's priority, lowest first, whichever plugin rejected it: preemption may help. */
export function raisePriority({ holder, pod, documents }: Situation): readonly ChangeCandidate[] {
  const classes = documents.ofKind(
    'scheduling.k8s.io',
    'PriorityClass',
  ) as readonly unknown[] as readonly PriorityClass[];
  return classes
    .filter(it => (it.value ?? 0) > pod.priority && it.preemptionPolicy !== 'Never')
    .sort((a, b) => (a.value ?? 0) - (b.value ?? 0))
    .slice(0, MAX_ALTERNATIVES)
    .map((it): ChangeCandidate => {
      const name = it.metadata?.name ?? '';
      const value = it.value ?? 0;
      const overridden = (['priority', 'preemptionPolicy'] as const).filter(field => holder.spec[field] !== undefined);
      return {
        kind: 'priority',
        plugin: 'DefaultPreemption',
        words: t`give it the PriorityClass ${name} (${value.toLocaleString('en')} instead of ${pod.priority.toLocaleString('en')})`,
        edits: [
          specEdit(holder, ['priorityClassName'], 'set', name),
          ...overridden.map(field => specEdit(holder, [field], 'remove')),
        ],
        cost: 4,
        verifiedBy: 'run',
      };
    });
}
