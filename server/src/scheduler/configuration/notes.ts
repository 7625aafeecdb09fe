import type { Scenario } from '../../cluster/fromObjects';
import type { Note } from '../../cluster/model';

/** With fewer nodes than this all of them are looked at. Upstream: minFeasibleNodesToFind. */
const ALWAYS_LOOKED_AT = 100;

/** Every node is looked at here, so that runs repeat; says when kube-scheduler would not. */
export function percentageNotes(percentage: number, { cluster }: Scenario): readonly Note[] {
  const nodes = cluster.nodes.length;
  const enough = Math.max(ALWAYS_LOOKED_AT, Math.trunc((nodes * percentage) / 100));
  if (percentage <= 0 || percentage >= 100 || nodes <= enough) return [];
  const message = `percentageOfNodesToScore ${percentage}: kube-scheduler stops at ${enough} nodes that fit; here all ${nodes} are looked at.`;
  return [{ message }];
}
