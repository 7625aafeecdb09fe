import { runToEnd, type Steps, unlessStepsOutOfTime } from '../../base/steps';
import { type Cure, curedBy } from '../../explore/cluster/cures/cure';
import { deadlockCandidates, strandedCandidates } from '../../explore/cluster/cures/orderCures';
import type { ExploreLimits } from '../../explore/orders/explore';
import { type ExploredOrders, oneWay, orderSteps } from './orders';
import type { ScenarioInputs } from './scenario';

/** What ends a trouble of orders of arrival. */
export interface OrderFix extends Cure {
  readonly ends: 'stranded' | 'deadlock';
}

/** Where more Pods arrive, no changes are tried. */
const MOST_PODS = 12;
/** More arrivals are not decided for one change. */
const MOST_STATES = 20_000;
/** More changes are not tried. */
const MOST_TRIED = 6;

/** Changes after which Pods have nodes in every order, or after which no groups wait for each other; each was tried. */
export function orderFixesOf(...given: Parameters<typeof orderFixSteps>): readonly OrderFix[] {
  return runToEnd(orderFixSteps(...given));
}

/** The same in steps. */
export function* orderFixSteps(
  { objects, run }: Pick<ScenarioInputs, 'objects' | 'run'>,
  found: ExploredOrders,
  { timeUsed }: Pick<ExploreLimits, 'timeUsed'>,
): Steps<readonly OrderFix[]> {
  const { alwaysPlaced, deadlock, cut, outcomes, refused } = found;
  const [outcome] = outcomes;
  if (alwaysPlaced || isCut(cut) || refused.length > 0 || (outcome?.witness.length ?? 0) > MOST_PODS) return [];
  const stranded = new Set(outcomes.flatMap(it => it.pending));
  const tried = function* <T extends Cure>(
    cures: readonly T[],
    isEnded: (after: ExploredOrders) => boolean,
  ): Steps<readonly T[]> {
    const ending: T[] = [];
    for (const cure of cures.slice(0, MOST_TRIED)) {
      if (timeUsed() > 1) break;
      const limits = { states: MOST_STATES, outcomes: 100, timeUsed };
      const inputs = { objects: curedBy(cure, objects), run, unread: [] };
      const after = yield* unlessStepsOutOfTime(orderSteps(inputs, limits));
      if (after !== undefined && !isCut(after.cut) && after.refused.length === 0 && isEnded(after)) ending.push(cure);
    }
    return ending;
  };
  const ofStranded = strandedCandidates(objects, stranded).map(it => ({ ...it, ends: 'stranded' as const }));
  const ofDeadlock = deadlock ? deadlockCandidates(objects).map(it => ({ ...it, ends: 'deadlock' as const })) : [];
  return [
    ...(yield* tried(ofStranded, it => it.alwaysPlaced)),
    ...(yield* tried(ofDeadlock, it => it.deadlock === undefined && it.outcomes.every(hasPlaced))),
  ];
}

const isCut = (cut: readonly string[]): boolean => cut.some(it => it !== oneWay());

const hasPlaced = ({ placements }: ExploredOrders['outcomes'][number]): boolean => Object.keys(placements).length > 0;
