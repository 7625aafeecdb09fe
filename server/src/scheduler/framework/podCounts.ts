import type { PodModel } from '../../cluster/pods/podModel';
import type { Cycle } from './interface';
import type { NodeInfo } from './nodeInfo';
import { type Alike, eachMove } from './sharedWork';

/** Which Pods are counted: all, or those that are not on their way out. */
export type Counted = 'all' | 'staying';

const PART_OF: Readonly<Record<Counted, (pod: PodModel) => object | undefined>> = {
  all: it => it.labels,
  staying: it => (it.terminating ? undefined : it.labels),
};

/** What was counted, and of which nodes. */
interface Census {
  nodes: readonly NodeInfo[] | undefined;
  readonly counts: Float64Array;
  readonly groups: Asked;
}

/** Where more nodes than these have changed, counting anew by groups is quicker than going after each Pod that moved. */
const FEW_CHANGES = 16;

/**
 * How many Pods of each node a test means, by `NodeInfo.index`; read it within the cycle. The test looks at nothing but
 * namespace and labels; `key` says all that it hangs on, and `namespace` the only one that it means.
 */
export function countMeant(
  key: string,
  counted: Counted,
  isMeant: (pod: PodModel) => boolean,
  { nodes, work }: Pick<Cycle, 'nodes' | 'work'>,
  namespace?: string,
): Float64Array {
  const partOf = PART_OF[counted];
  const census = work.once(
    key,
    (): Census => ({ nodes: undefined, counts: new Float64Array(nodes.length), groups: nobodyAsked() }),
  );
  const { nodes: before, counts } = census;
  const changed = before && work.changed(before, nodes);
  census.nodes = nodes;
  if (before && changed && changed.length <= FEW_CHANGES) {
    for (const index of changed) {
      eachMove(before[index], nodes[index]!, (pod, by) => {
        if (partOf(pod) && isMeant(pod)) counts[index]! += by;
      });
    }
    return counts;
  }
  counts.fill(0);
  const all = work.alike(LABELS[counted], partOf, nodes);
  const groups = namespace === undefined ? all : groupsIn(namespace, all, LABELS[counted], work);
  for (const { on } of among(groups, it => isMeant(it.sample), census.groups)) {
    for (const [index, count] of on) counts[index]! += count;
  }
  return counts;
}

const LABELS: Readonly<Record<Counted, string>> = { all: 'labels/all', staying: 'labels/staying' };

/** Every workload asks for those of its namespace, which are few of all. */
function groupsIn(namespace: string, all: readonly Alike[], key: string, work: Cycle['work']): readonly Alike[] {
  const kept = work.once(`${key}/${namespace}`, nobodyAsked);
  return among(all, it => it.sample.namespace === namespace, kept);
}

/** How many of which groups were asked already, and who of them passed. */
interface Asked {
  of: readonly Alike[];
  asked: number;
  found: Alike[];
}

export const nobodyAsked = (): Asked => ({ of: [], asked: 0, found: [] });

/** Those of some groups that pass a test, of which only those are asked that came since. */
export function among(groups: readonly Alike[], isIn: (group: Alike) => boolean, kept: Asked): readonly Alike[] {
  if (kept.of !== groups) Object.assign(kept, { ...nobodyAsked(), of: groups });
  for (; kept.asked < groups.length; kept.asked++) {
    const group = groups[kept.asked]!;
    if (isIn(group)) kept.found.push(group);
  }
  return kept.found;
}
