import type { PodModel } from '../../cluster/model';
import type { Cycle } from './plugin';
import type { Alike } from './sharedWork';

/** Which Pods are counted: all, or those that are not on their way out. */
export type Counted = 'all' | 'staying';

const PART_OF: Readonly<Record<Counted, (pod: PodModel) => object | undefined>> = {
  all: it => it.labels,
  staying: it => (it.terminating ? undefined : it.labels),
};

/**
 * How many Pods of each node a test means, by `NodeInfo.index`. The test looks at nothing but namespace and labels; `key`
 * says all that it hangs on.
 */
export function countMeant(
  key: string,
  counted: Counted,
  isMeant: (pod: PodModel) => boolean,
  { nodes, work }: Pick<Cycle, 'nodes' | 'work'>,
): Float64Array {
  const groups = work.alike(`labels/${counted}`, PART_OF[counted], nodes);
  const counts = new Float64Array(nodes.length);
  for (const { on } of among(groups, it => isMeant(it.sample), `meant/${counted}/${key}`, work)) {
    for (const [index, count] of on) counts[index]! += count;
  }
  return counts;
}

/** Those of some groups that pass a test, of which only the new ones are asked. */
export function among(
  groups: readonly Alike[],
  isIn: (group: Alike) => boolean,
  key: string,
  work: Cycle['work'],
): readonly Alike[] {
  const known = work.once(key, () => new WeakMap<readonly Alike[], { asked: number; readonly found: Alike[] }>());
  const kept = known.get(groups) ?? { asked: 0, found: [] };
  known.set(groups, kept);
  for (; kept.asked < groups.length; kept.asked++) {
    const group = groups[kept.asked]!;
    if (isIn(group)) kept.found.push(group);
  }
  return kept.found;
}
