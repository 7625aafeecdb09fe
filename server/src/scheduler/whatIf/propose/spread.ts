import { t } from '../../../base/l10n';
import type { TopologySpreadConstraint } from '../../../kube/types';
import { type ChangeCandidate, type Proposal, type Propose, specEdit } from '../candidate';
import type { PathStep } from '../edits';

const PLUGIN = 'PodTopologySpread';

/**
 * A larger skew, fewer domains, or a preference instead of a requirement. Constraints of the scheduler's configuration
 * are not part of the Pod.
 */
export const relaxSpread: Propose = ({ holder, tried }) => {
  const constraints = holder.spec.topologySpreadConstraints ?? [];
  // No domain holds more matching Pods than exist.
  const most = tried === undefined ? 1 : tried.cycle.nodes.reduce((sum, it) => sum + it.pods.length, 1);
  return constraints.flatMap((it, i): readonly Proposal[] => {
    if (it.whenUnsatisfiable !== 'DoNotSchedule') return [];
    const path: readonly PathStep[] = ['topologySpreadConstraints', i];
    const change = (words: string, cost: number, edit: ChangeCandidate['edits'][number]): ChangeCandidate => ({
      kind: 'topologySpread',
      plugin: PLUGIN,
      words,
      edits: [edit],
      cost,
      verifiedBy: 'filters',
    });
    const skew = it.maxSkew ?? 1;
    return [
      {
        count: most,
        at: n =>
          change(
            t`allow a skew of ${skew + n + 1} instead of ${skew} over ${keyOf(it)}`,
            Math.min(6, 2 + n * 0.5),
            specEdit(holder, [...path, 'maxSkew'], 'set', skew + n + 1),
          ),
      },
      ...(it.minDomains === undefined
        ? []
        : [
            change(
              t`ask for no number of domains (minDomains) of ${keyOf(it)}`,
              2,
              specEdit(holder, [...path, 'minDomains'], 'remove'),
            ),
          ]),
      change(
        t`prefer an even spread over ${keyOf(it)} instead of requiring it (ScheduleAnyway)`,
        3.5,
        specEdit(holder, [...path, 'whenUnsatisfiable'], 'set', 'ScheduleAnyway'),
      ),
    ];
  });
};

const keyOf = ({ topologyKey = '' }: TopologySpreadConstraint): string => topologyKey;
