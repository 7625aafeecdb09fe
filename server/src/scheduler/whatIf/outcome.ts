import { compareText } from '../../cluster/scenario';
import type { Attempt, PlacementResult } from '../result';

/** The result of a run with a change, compared with the run without it. */
export interface ChangeOutcome {
  /** The Pod's node, the lowest name among ties; absent: it waits for its victims, or is no longer made. */
  readonly node?: string;
  /** The node where it waits for its victims to terminate. */
  readonly nominatedNode?: string;
  /** The nodes on which it fits only now. */
  readonly opens: readonly string[];
  /** Other Pods that have a node only now, NAMESPACE/NAME. */
  readonly alsoPlaced: readonly string[];
  /** Other Pods that have no node any more, without victims. */
  readonly noLongerPlaced: readonly string[];
  /** Pods that are evicted only now. */
  readonly evicted: readonly string[];
  /** Pods of the same workload that still have no node. */
  readonly stillWithout: readonly string[];
}

/** The last attempt of each Pod, without superseded ones. */
export function lastAttempts({ attempts }: PlacementResult): ReadonlyMap<string, Attempt> {
  return new Map(attempts.filter(it => it.status !== 'superseded').map(it => [it.pod, it]));
}

export const feasibleNodes = (attempt: Attempt | undefined): readonly string[] =>
  (attempt?.nodes ?? []).filter(it => it.verdict === 'feasible').map(it => it.node);

/** `siblings`: the Pods of the same workload after the change. */
export function outcomeOf(
  pod: string,
  before: PlacementResult,
  after: PlacementResult,
  siblings: readonly string[],
): ChangeOutcome {
  const [old, now] = [lastAttempts(before), lastAttempts(after)];
  const own = now.get(pod);
  const known = new Set(feasibleNodes(old.get(pod)));
  const evicted = new Set(after.evicted);
  const hasNode = ({ placements }: PlacementResult, it: string): boolean => placements[it] !== undefined;
  const others = [...now.keys()].filter(it => it !== pod).sort(compareText);
  const nominated = own?.status === 'unschedulable' ? own.preemption?.nominatedNode : undefined;
  return {
    ...(own?.status === 'scheduled' && own.node !== undefined && { node: own.node }),
    ...(nominated !== undefined && { nominatedNode: nominated }),
    opens: nominated === undefined ? feasibleNodes(own).filter(it => !known.has(it)) : [nominated],
    alsoPlaced: others.filter(it => hasNode(after, it) && !hasNode(before, it)),
    noLongerPlaced: others.filter(it => hasNode(before, it) && !hasNode(after, it) && !evicted.has(it)),
    evicted: after.evicted.filter(it => !before.evicted.includes(it)),
    stillWithout: siblings.filter(it => it !== pod && !hasNode(after, it)),
  };
}
