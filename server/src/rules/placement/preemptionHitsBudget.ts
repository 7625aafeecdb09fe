import { t } from '../../base/l10n';
import { countedBudget } from '../../cluster/disruptions';
import type { PodModel } from '../../cluster/pods/podModel';
import { FieldPath } from '../../manifest/fieldPath';
import { violatedBudget } from '../../scheduler/queries';
import type { PlacementFacts } from '../framework/placementFacts';
import { defineRule } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';
import { counted } from './phrases';
import { sizedFacts } from './sizedFacts';

interface Facts {
  readonly pod: string;
  readonly priority: number;
  readonly node: string;
  readonly victim: string;
  readonly victimPriority: number;
  readonly more: number;
  readonly budget: string;
  readonly allowed: number;
}

export default defineRule<Facts>({
  meta: {
    code: 'placement/preemption-hits-budget',
    category: 'placement',
    severity: 'info',
    cost: 'placement',
    summary: 'To place a Pod, the scheduler would evict one that a PodDisruptionBudget protects.',
    why: 'Preemption honours budgets only as far as it can: where no other victims make room, it evicts Pods against their budget.',
    remedy:
      'Give the Pod a lower priority or `preemptionPolicy: Never`, make room for it, or raise the priority of what must not go.',
    details:
      "Told of running Pods that the placement evicts, by the budget's `status.disruptionsAllowed`, or, without one, by what the disruption controller would count of the running Pods. Silent unless the nodes of the cluster are known.",
    source: { project: 'kubernetes', symbol: 'preemption.filterPodsWithPDBViolation', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/#poddisruptionbudget-is-supported-but-not-guaranteed',
  },
  on: 'podSpec',

  *check(target, { placement }) {
    const facts = sizedFacts(placement?.(target.object));
    const place = podSpecOf(target);
    if (facts === undefined || place === undefined) return;
    const hits = facts.podsOf(target.object).flatMap(it => hitOf(it, facts) ?? []);
    const [first] = hits;
    if (first === undefined) return;
    const at = place.at.child('priorityClassName');
    yield {
      at: target.object.manifest.has(at) ? at : FieldPath.of('metadata', 'name'),
      part: 'value',
      facts: { ...first, more: hits.length - 1 },
    };
  },

  message: ({ facts: { pod, priority, node, victim, victimPriority, more, budget, allowed } }) =>
    t`to place ${pod} (priority ${priority}) on ${node}, the scheduler evicts ${victim} (priority ${victimPriority}), though PodDisruptionBudget ${budget} allows ${counted(allowed, 'disruption')}${more > 0 ? t`; so for ${more} more of its Pods` : ''}`,
});

function hitOf(pod: PodModel, facts: PlacementFacts): Omit<Facts, 'more'> | undefined {
  const victims = facts.victimsOf(pod);
  const { budgets, running } = facts.cluster;
  const hit = violatedBudget(
    victims,
    budgets.map(it => countedBudget(it, running)),
  );
  const node = facts.nodeOf(pod);
  if (hit === undefined || node === undefined) return undefined;
  return {
    pod: pod.id,
    priority: pod.priority,
    node,
    victim: hit.victim.id,
    victimPriority: hit.victim.priority,
    budget: hit.budget.source.metadata?.name ?? '',
    allowed: hit.budget.disruptionsAllowed,
  };
}
