import type { PodModel } from '../../cluster/pods/podModel';
import type { Cycle } from './interface';
import type { NodeInfo } from './nodeInfo';
import { type BorrowedNumbers, eachPodChange, type PodClass } from './sharedWork';

/** Which Pods are counted: all, or only those that are not terminating. */
export type Counted = 'all' | 'staying';

const COUNTED_PART: Readonly<Record<Counted, (pod: PodModel) => object | undefined>> = {
  all: it => it.labels,
  staying: it => (it.terminating ? undefined : it.labels),
};

/** Cached counts, and the nodes that they belong to. */
interface MatchCounts {
  nodes: readonly NodeInfo[] | undefined;
  readonly counts: Float64Array;
  readonly groups: TestedClasses;
}

/** With more changed nodes than this, counting again by class is faster than following each Pod that came or went. */
const FEW_CHANGES = 16;

/**
 * The number of Pods on each node that match, by `NodeInfo.index`; valid within the cycle. `isMatch` reads namespace
 * and labels only; `key` names everything that it depends on, and `namespace` the only one in which it matches.
 */
export function countMatching(
  key: string,
  counted: Counted,
  isMatch: (pod: PodModel) => boolean,
  { nodes, work }: Pick<Cycle, 'nodes' | 'work'>,
  namespace?: string,
): BorrowedNumbers {
  const partOf = COUNTED_PART[counted];
  const cached = work.always(
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

/** Workloads mostly count Pods of their own namespace, which are few. */
function groupsIn(namespace: string, all: readonly PodClass[], key: string, work: Cycle['work']): readonly PodClass[] {
  const tested = work.always(`${key}/${namespace}`, noneTested);
  return matchingClasses(all, it => it.sample.namespace === namespace, tested);
}

/** How many of the classes were tested already, and which of them matched. */
interface TestedClasses {
  of: readonly PodClass[];
  count: number;
  found: PodClass[];
}

export const noneTested = (): TestedClasses => ({ of: [], count: 0, found: [] });

/** The classes that pass a test. Only classes that were added since the last call are tested. */
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
