import { t } from '../../../base/l10n';
import type { ChangeCandidate, Proposal, Situation } from '../candidate';
import { type ObjectRef, type PathStep, valueIn } from '../edits';

/** Where a group declares its minimum number of Pods. */
interface Minimum {
  readonly object: ObjectRef;
  readonly path: readonly PathStep[];
  readonly count: number;
}

const GANG: readonly PathStep[] = ['schedulingPolicy', 'gang', 'minCount'];
/** API groups of the PodGroups of other gang schedulers. */
const OTHERS = ['scheduling.x-k8s.io', 'scheduling.volcano.sh', 'scheduling.incubator.k8s.io'] as const;

/** A smaller minimum: as many Pods as get a node, otherwise one less at a time. */
export function smallerGang(situation: Situation): readonly Proposal[] {
  const placed = situation.gang?.placed;
  return minimaOf(situation).flatMap((it): readonly Proposal[] => {
    if (it.count <= 1) return [];
    if (placed !== undefined && placed >= 1 && placed < it.count) return [change(it, placed)];
    return [{ count: it.count - 1, at: i => change(it, it.count - 1 - i) }];
  });
}

function change({ object, path, count }: Minimum, wanted: number): ChangeCandidate {
  return {
    kind: 'gang',
    plugin: 'GangScheduling',
    words: t`let ${wanted} instead of ${count} Pods of ${object.kind} ${object.name} go together`,
    edits: [{ object, path, action: 'set', value: wanted }],
    cost: 3 + (3 * (count - wanted)) / count,
    verifiedBy: 'run',
  };
}

function minimaOf({ gang, holder, documents, pod }: Situation): readonly Minimum[] {
  if (gang === undefined) return [];
  const { namespace } = pod;
  const at = (object: ObjectRef, path: readonly PathStep[], otherwise?: unknown): readonly Minimum[] => {
    const count = valueIn(documents.find(object), path) ?? otherwise;
    return Number.isInteger(count) ? [{ object, path, count: Number(count) }] : [];
  };
  const named = (group: string, kind: string): ObjectRef => ({ group, kind, namespace, name: gang.name });
  const job = documents.find(holder.ref);
  const hasGang = valueIn(job, ['spec', 'scheduling', 'schedulingPolicy', 'gang']) !== undefined;
  return [
    ...at(named('scheduling.k8s.io', 'PodGroup'), ['spec', ...GANG]),
    ...OTHERS.flatMap(it => at(named(it, 'PodGroup'), ['spec', 'minMember'])),
    ...at(named('batch.volcano.sh', 'Job'), ['spec', 'minAvailable']),
    ...(hasGang ? at(holder.ref, ['spec', 'scheduling', ...GANG], valueIn(job, ['spec', 'parallelism'])) : []),
  ];
}
