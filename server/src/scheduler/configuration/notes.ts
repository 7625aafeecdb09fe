import { t } from '../../base/l10n';
import { lazy } from '../../base/lazy';
import type { Note } from '../../cluster/pods/note';
import type { Scenario } from '../../cluster/scenario';
import type { Attempt } from '../result';

/** The percentage of nodes that is enough, by scheduler name; 0: derived from the size of the cluster. */
export type Percentages = ReadonlyMap<string, number>;

/** Clusters with fewer nodes are evaluated completely. Upstream: minFeasibleNodesToFind. */
const MIN_FEASIBLE_NODES = 100;

/** Upstream: minFeasibleNodesPercentageToFind. */
const MIN_PERCENTAGE = 5;

/** Upstream: numFeasibleNodesToFind. */
function enoughNodes(written: number, nodes: number): number {
  if (nodes < MIN_FEASIBLE_NODES) return nodes;
  const percentage = written === 0 ? Math.max(MIN_PERCENTAGE, 50 - Math.trunc(nodes / 125)) : written;
  return Math.max(MIN_FEASIBLE_NODES, Math.trunc((nodes * percentage) / 100));
}

/**
 * Berth evaluates every node, so that runs repeat; the note says for how many Pods kube-scheduler would have stopped
 * earlier.
 */
export function percentageNotes(
  percentages: Percentages,
  { cluster, pending }: Scenario,
  attempts: readonly Attempt[],
): readonly Note[] {
  const names = lazy(() => new Map(pending.map(it => [it.id, it.schedulerName])));
  return [...percentages].flatMap(([schedulerName, percentage]): readonly Note[] => {
    const enough = enoughNodes(percentage, cluster.nodes.length);
    const isForAll = pending.every(it => it.schedulerName === schedulerName);
    const cut = new Set<string>();
    for (const { pod, fits } of attempts) {
      if (fits && fits.feasible > enough && (isForAll || names().get(pod) === schedulerName)) cut.add(pod);
    }
    if (cut.size === 0) return [];
    const subject = cut.size === 1 ? `${[...cut][0]}` : t`${cut.size} Pods of ${schedulerName}`;
    const why = percentage === 0 ? t('not set') : String(percentage);
    const message = t`More than ${enough} of ${cluster.nodes.length} nodes fit ${subject}. kube-scheduler scores the first ${enough} that it finds (percentageOfNodesToScore is ${why}) and may take a worse one; here all are scored.`;
    return [{ message }];
  });
}
