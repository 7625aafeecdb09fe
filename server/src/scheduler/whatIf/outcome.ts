import { compareText } from '../../cluster/scenario';
import type { Attempt, PlacementResult } from '../result';

/** What placing everything anew with a change came to, beside the run without it. */
export interface ChangeOutcome {
  /** Where the Pod lands, the lowest name among ties; absent: it waits for its victims to go, or is no longer made. */
  readonly node?: string;
  /** Where it waits for its victims to go. */
  readonly nominatedNode?: string;
  /** The nodes on which it fits now and did not before. */
  readonly opens: readonly string[];
  /** Other Pods that have a node now and had none, NAMESPACE/NAME. */
  readonly alsoPlaced: readonly string[];
  /** Other Pods that had a node and have none now, victims not among them. */
  readonly noLongerPlaced: readonly string[];
  /** Pods that are pushed out now and were not before. */
  readonly evicted: readonly string[];
  /** Pods of the same workload that have no node still. */
  readonly stillWithout: readonly string[];
}

/** The last attempt of each Pod that counts. */
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
