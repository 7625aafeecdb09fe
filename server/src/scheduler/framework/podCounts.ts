import type { PodModel } from '../../cluster/pods/podModel';
import type { Cycle } from './interface';
import type { NodeInfo } from './nodeInfo';
import { eachPodChange, type PodClass } from './sharedWork';

/** Which Pods are counted: all, or those that are not on their way out. */
export type Counted = 'all' | 'staying';

const PART_OF: Readonly<Record<Counted, (pod: PodModel) => object | undefined>> = {
  all: it => it.labels,
  staying: it => (it.terminating ? undefined : it.labels),
};

/** What was counted, and of which nodes. */
interface MatchCounts {
  nodes: readonly NodeInfo[] | undefined;
  readonly counts: Float64Array;
  readonly groups: TestedClasses;
}

/** Where more nodes than these have changed, counting anew by groups is quicker than going after each Pod that moved. */
const FEW_CHANGES = 16;

/**
 * How many Pods of each node a test means, by `NodeInfo.index`; read it within the cycle. The test looks at nothing but
 * namespace and labels; `key` says all that it hangs on, and `namespace` the only one that it means.
 */
export function countMatching(
  key: string,
  counted: Counted,
  isMatch: (pod: PodModel) => boolean,
  { nodes, work }: Pick<Cycle, 'nodes' | 'work'>,
  namespace?: string,
): Float64Array {
  const partOf = PART_OF[counted];
  const cached = work.once(
    key,
    (): MatchCounts => ({ nodes: undefined, counts: new Float64Array(nodes.length), groups: noneTested() }),
  );
  const { nodes: before, counts } = cached;
  const changed = before && work.changed(before, nodes);
  cached.nodes = nodes;
  if (before && changed && changed.length <= FEW_CHANGES) {
    for (const index of changed) {
      eachPodChange(before[index], nodes[index]!, (pod, by) => {
        if (partOf(pod) && isMatch(pod)) counts[index]! += by;
      });
    }
    return counts;
  }
  counts.fill(0);
  const all = work.podClasses(LABELS[counted], partOf, nodes);
  const groups = namespace === undefined ? all : groupsIn(namespace, all, LABELS[counted], work);
  for (const { on } of matchingClasses(groups, it => isMatch(it.sample), cached.groups)) {
    for (const [index, count] of on) counts[index]! += count;
  }
  return counts;
}

const LABELS: Readonly<Record<Counted, string>> = { all: 'labels/all', staying: 'labels/staying' };

/** Every workload asks for those of its namespace, which are few of all. */
function groupsIn(namespace: string, all: readonly PodClass[], key: string, work: Cycle['work']): readonly PodClass[] {
  const tested = work.once(`${key}/${namespace}`, noneTested);
  return matchingClasses(all, it => it.sample.namespace === namespace, tested);
}

/** How many of which groups were asked already, and who of them passed. */
interface TestedClasses {
  of: readonly PodClass[];
  count: number;
  found: PodClass[];
}

export const noneTested = (): TestedClasses => ({ of: [], count: 0, found: [] });

/** Those of some groups that pass a test, of which only those are asked that came since. */
export function matchingClasses(
  groups: readonly PodClass[],
  isIn: (group: PodClass) => boolean,
  tested: TestedClasses,
): readonly PodClass[] {
  if (tested.of !== groups) Object.assign(tested, { ...noneTested(), of: groups });
  for (; tested.count < groups.length; tested.count++) {
    const group = groups[tested.count]!;
    if (isIn(group)) tested.found.push(group);
  }
  return tested.found;
}
