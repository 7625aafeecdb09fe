import type { ComparedStrategy, PreviewComparison, PreviewPod } from '../../../../server/src/analysis/previewModel';
import type { Pods } from '../state/selectors';

/** Equal Pods that one strategy puts on one node and the other on another; without a node: undefined. */
export interface Elsewhere {
  /** What makes them, or the one Pod that nothing makes. */
  readonly workload: string;
  readonly pods: readonly string[];
  readonly left: string | undefined;
  readonly right: string | undefined;
}

/** How much of a node is taken on each side. */
export interface NodeSides {
  readonly node: string;
  readonly left: Load;
  readonly right: Load;
}

export interface Load {
  readonly pods: number;
  readonly cpuMilli: number;
  readonly memoryBytes: number;
}

export interface Differing {
  readonly elsewhere: readonly Elsewhere[];
  /** Of nodes on which the two differ, in the comparison's order. */
  readonly nodes: readonly NodeSides[];
}

/**
 * What lies elsewhere under the second of two strategies. Pods of one workload are as good as each other, unless it
 * tells them apart: a swap of two is no difference. Undefined until both are there.
 */
export function differing(
  comparison: PreviewComparison,
  [left, right]: readonly [ComparedStrategy, ComparedStrategy],
  pods: Pods,
): Differing | undefined {
  const [before, after] = [left, right].map(it => comparison.done.find(({ strategy }) => strategy === it)?.on);
  if (before === undefined || after === undefined) return undefined;
  const groups = new Map<string, number[]>();
  comparison.pods.forEach((id, index) => {
    const key = groupOf(id, pods.get(id));
    const group = groups.get(key);
    if (group) group.push(index);
    else groups.set(key, [index]);
  });
  const name = (place: number | undefined): string | undefined => comparison.nodes[place ?? -1];
  const elsewhere = [...groups.values()].flatMap(group => {
    const { owner } = pods.get(comparison.pods[group[0] ?? -1] ?? '') ?? {};
    return movedAmong(group, before, after).map(
      ({ indexes, from, to }): Elsewhere => ({
        workload: owner ?? comparison.pods[group[0] ?? -1] ?? '',
        pods: indexes.flatMap(it => comparison.pods[it] ?? []),
        left: name(from),
        right: name(to),
      }),
    );
  });
  return { elsewhere, nodes: nodesOf(comparison, before, after, elsewhere, pods) };
}

/** A StatefulSet's Pods have names and volumes of their own. */
function groupOf(id: string, pod: PreviewPod | undefined): string {
  return pod?.owner === undefined || pod.owner.startsWith('StatefulSet/') ? id : `${pod.namespace} ${pod.owner}`;
}

interface Moved {
  readonly indexes: number[];
  readonly from: number;
  readonly to: number;
}

function movedAmong(group: readonly number[], before: readonly number[], after: readonly number[]): readonly Moved[] {
  const others = group.filter(it => before[it] !== after[it]);
  const staying = new Map<number, number>();
  for (const it of others) staying.set(after[it] ?? -1, (staying.get(after[it] ?? -1) ?? 0) + 1);
  const leaving = others.filter(it => !takeOne(staying, before[it] ?? -1));
  const targets = [...staying].flatMap(([node, count]) => new Array<number>(count).fill(node));
  const moved = new Map<string, Moved>();
  for (const [i, index] of leaving.entries()) {
    const [from, to] = [before[index] ?? -1, targets[i] ?? -1];
    const known = moved.get(`${from} ${to}`) ?? { indexes: [], from, to };
    moved.set(`${from} ${to}`, known);
    known.indexes.push(index);
  }
  return [...moved.values()];
}

/** Takes one of what is counted, if there is one left. */
function takeOne(counts: Map<number, number>, key: number): boolean {
  const count = counts.get(key) ?? 0;
  if (count > 0) counts.set(key, count - 1);
  return count > 0;
}

function nodesOf(
  { pods: ids, nodes }: PreviewComparison,
  before: readonly number[],
  after: readonly number[],
  elsewhere: readonly Elsewhere[],
  pods: Pods,
): readonly NodeSides[] {
  const loads = (on: readonly number[]): Load[] => {
    const sums = nodes.map(() => ({ pods: 0, cpuMilli: 0, memoryBytes: 0 }));
    ids.forEach((id, i) => {
      const sum = sums[on[i] ?? -1];
      if (sum === undefined) return;
      const { cpuMilli = 0, memoryBytes = 0 } = pods.get(id) ?? {};
      sum.pods += 1;
      sum.cpuMilli += cpuMilli;
      sum.memoryBytes += memoryBytes;
    });
    return sums;
  };
  const [left, right] = [loads(before), loads(after)];
  const touched = new Set(elsewhere.flatMap(it => [it.left, it.right]));
  return nodes.flatMap((node, i): readonly NodeSides[] => {
    const [a, b] = [left[i], right[i]];
    return a && b && touched.has(node) ? [{ node, left: a, right: b }] : [];
  });
}
