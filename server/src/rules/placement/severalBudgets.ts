import { t } from '../../base/l10n';
import { lazy } from '../../base/lazy';
import { quoted } from '../../base/quoted';
import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../../workspace/object';
import { podsSelected, podsTargetOf } from '../../workspace/references/definitions';
import type { Snapshot } from '../../workspace/workspace';
import { defineRule } from '../framework/rule';

interface Facts {
  readonly other: string;
  readonly workload: string;
}

/** No more budgets of a namespace are compared with each. */
const MOST_BUDGETS = 200;

const SELECTOR = FieldPath.of('spec', 'selector');

export default defineRule<Facts>({
  meta: {
    code: 'placement/several-budgets',
    category: 'placement',
    severity: 'warning',
    cost: 'workspace',
    summary: 'Two PodDisruptionBudgets select the same Pods.',
    why: 'The eviction API refuses a Pod with several budgets with an internal error, whatever they allow, so that no drain of a node gets past it.',
    remedy: 'Keep one budget, or let their selectors tell the Pods apart.',
    details:
      'Pods and workloads of the workspace are looked at, and 200 budgets of a namespace. It is information where the two are in different files, which may be alternatives.',
    source: { project: 'kubernetes', symbol: 'registry/core/pod/storage.(*EvictionREST).Create', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/workloads/pods/disruptions/',
  },
  on: ['PodDisruptionBudget'],

  *check({ object }, { snapshot }) {
    if (object.group !== 'policy') return;
    const selected = selectedBy(object, snapshot);
    if (selected.length === 0) return;
    const own = lazy(() => new Set(selected));
    const namespace = object.namespace ?? 'default';
    let left = MOST_BUDGETS;
    for (const other of snapshot.objectsOf(object.group, object.kind)) {
      if ((other.namespace ?? 'default') !== namespace || other.name === object.name) continue;
      if (left-- === 0) return;
      const others = selectedBy(other, snapshot);
      const [first] = others;
      // Most budgets that share Pods share the first one, and a set of all takes longer than to look for it.
      const shared = first !== undefined && selected.includes(first) ? first : others.find(it => own().has(it));
      if (shared === undefined) continue;
      yield {
        at: SELECTOR,
        part: 'key',
        facts: { other: other.name ?? '', workload: `${shared.kind} ${quoted(shared.name ?? '')}` },
        ...(other.manifest.uri !== object.manifest.uri && !snapshot.complete && { severity: 'info' as const }),
        related: [{ object: other, at: SELECTOR, message: t`PodDisruptionBudget ${quoted(other.name ?? '')}` }],
      };
      return;
    }
  },

  message: ({ facts: { other, workload } }) =>
    t`PodDisruptionBudget ${quoted(other)} selects the Pods of ${workload}, too: the eviction API serves none of them`,
});

/** The Pods and workloads whose Pods a budget selects. */
function selectedBy(budget: WorkspaceObject, snapshot: Snapshot): readonly WorkspaceObject[] {
  const target = podsTargetOf(snapshot, budget);
  return target === undefined ? [] : podsSelected(snapshot, target);
}
