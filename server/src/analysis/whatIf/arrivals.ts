import { t } from '../../base/l10n';
import type { Steps } from '../../base/steps';
import { isStranding } from '../../explore/orders/explore';
import type { OrdersProblem } from '../../explore/orders/problem';
import { type ReplayedArrival, replayOrder } from '../../explore/orders/replay';
import type { Attempt, PlacementResult } from '../../scheduler/result';
import { prepareSteps } from '../../scheduler/scenario';
import { environmentPlacement, queriesOf, type TriedPlacement } from '../placement/environmentPlacement';
import { problemOf } from '../placement/orders';

/** More Pods are not replayed. */
const MOST_PODS = 300;
const tooMany = (): string => t`an order of more than ${MOST_PODS} Pods is not replayed`;
const oneChoice = (): string =>
  t(
    'Equal nodes or equal victims leave a choice in this order: one is shown that leaves a Pod without a node, where there is one.',
  );

/** The placement after the Pods to place have arrived one at a time; those that the order does not name come last. */
export function* arrivingSteps(order: readonly string[], tried: TriedPlacement): Steps<TriedPlacement> {
  const { placement } = tried;
  const { objects, run } = placement.inputs;
  // What this run reads must not take the place of what the ordinary run keeps.
  const prepared = yield* prepareSteps(objects, { ...run, ...(run.memory && { memory: { ...run.memory } }) });
  const problem = problemOf(prepared);
  if (problem.pods.length > MOST_PODS) return { ...tried, problems: [...tried.problems, tooMany()] };
  const { arrivals, end, isTied } = yield* replayOrder(
    arrivalOrder(order, problem),
    problem,
    isStranding(problem, undefined),
  );
  const { nodes } = prepared.scenario.cluster;
  const placements: Record<string, string> = {};
  for (const [pod, fate] of end.fates.entries()) {
    if (fate >= 0) placements[problem.pods[pod]!.model.id] = nodes[fate]!.name;
  }
  const result: PlacementResult = {
    placements,
    attempts: arrivals.flatMap(it => attemptsOf(it, problem)),
    evicted: arrivals.flatMap(it => it.evicted),
    notes: [],
  };
  const notes = [...placement.notes, ...(isTied ? [oneChoice()] : [])];
  const asking = queriesOf(placement);
  return { ...tried, placement: environmentPlacement(placement.source, { ...prepared, result }, notes, asking) };
}

/** Numbers of the Pods; those that are never tried come first, as they change nothing. */
function arrivalOrder(order: readonly string[], { pods }: OrdersProblem): readonly number[] {
  const places = new Map(order.map((it, i) => [it, i]));
  const placeOf = (pod: number): number => {
    const { isHeld, model } = pods[pod]!;
    return isHeld ? -1 : (places.get(model.id) ?? order.length);
  };
  return [...pods.keys()].sort((a, b) => placeOf(a) - placeOf(b) || a - b);
}

/** The attempt of the Pod that arrives, and those of Pods that waited and have a node now. */
function attemptsOf(
  { arrives, placed, evicted, attempt }: ReplayedArrival,
  problem: OrdersProblem,
): readonly Attempt[] {
  const { model, isHeld } = problem.pods.find(it => it.model.id === arrives)!;
  const own = placed.find(it => it.pod === arrives);
  const first: Attempt = {
    ...(attempt ?? { pod: arrives, attempt: 1, priority: model.priority }),
    status: own ? 'scheduled' : isHeld ? 'gated' : 'unschedulable',
    ...(own && { node: own.node }),
    ...(evicted.length > 0 && { preemption: { victims: evicted } }),
  };
  const { node: _, ...without } = first;
  const again = placed
    .filter(it => it.pod !== arrives)
    .map(({ pod, node }): Attempt => {
      const { priority } = problem.pods.find(it => it.model.id === pod)!.model;
      return { pod, attempt: 2, priority, status: 'scheduled', node };
    });
  return [own ? first : without, ...again];
}
