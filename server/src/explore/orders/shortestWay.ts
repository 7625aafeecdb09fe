import { compareText } from '../../base/compareText';
import { t, withAnd } from '../../base/l10n';
import type { Steps } from '../../base/steps';
import { sharedWork } from '../../scheduler/framework/sharedWork';
import { arrive } from './arrival';
import { type End, endOf } from './ends';
import type { OrdersProblem } from './problem';
import { initialState, keyOf, type OrdersState } from './state';

/** What one arrival leads to, with one choice of branches. Pods are named NAMESPACE/NAME. */
export interface ArrivalStep {
  readonly arrives: string;
  /** Pods that get a node now, in the order of placing: the one that arrives, or one that waited. */
  readonly placed: readonly { readonly pod: string; readonly node: string }[];
  readonly evicted: readonly string[];
}

/** A state, and how it was reached. */
export interface Arrived {
  readonly state: OrdersState;
  /** Absent: this is the beginning. */
  readonly from?: Arrived;
  /** The number of the Pod that arrived last. */
  readonly pod?: number;
}

interface Place extends Arrived {
  /** How many Pods of each kind. */
  readonly arrived: readonly number[];
  after: readonly Place[];
  isDoomed: boolean;
}

export interface WayBounds {
  /** No more states than this. */
  readonly states: number;
  /** Whether the time is over. */
  readonly isOver: () => boolean;
}

/**
 * The fewest arrivals after which every continuation ends badly; empty: every order does. undefined: there are no such
 * arrivals, or the bounds do not allow to find them. `isBad` must not tell equal Pods or equal nodes apart.
 */
export function* shortestWay(
  problem: OrdersProblem,
  isBad: (end: End) => boolean,
  bounds: WayBounds,
): Steps<readonly ArrivalStep[] | undefined> {
  const layers = yield* allPlaces(problem, bounds);
  if (layers === undefined) return undefined;
  for (const layer of layers.toReversed()) {
    for (const it of layer) {
      it.isDoomed = it.after.length > 0 ? it.after.every(next => next.isDoomed) : isBad(endOf(it.state, problem));
    }
  }
  const found = layers.flatMap(it => it.find(place => place.isDoomed) ?? [])[0];
  return found && stepsOf(found, problem);
}

/** `a to n1, b waits`. */
export function wayInWords(steps: readonly ArrivalStep[], nameOf: (id: string) => string = it => it): string {
  const all = steps.map(({ arrives, placed, evicted }) => {
    const waits = placed.some(it => it.pod === arrives) ? [] : [t`${nameOf(arrives)} waits`];
    const gone = evicted.map(it => t`${nameOf(it)} is evicted`);
    return withAnd([...waits, ...gone, ...placed.map(it => `${nameOf(it.pod)}${t(' to ')}${it.node}`)]);
  });
  return all.join(', ');
}

/** By the number of Pods that have arrived. */
function* allPlaces(
  problem: OrdersProblem,
  { states, isOver }: WayBounds,
): Steps<readonly (readonly Place[])[] | undefined> {
  const { pods, kinds, scenario } = problem;
  const work = sharedWork(scenario.cluster.nodes.length);
  const start: Place = { state: initialState(problem), arrived: kinds.map(() => 0), after: [], isDoomed: false };
  const layers: Place[][] = [[start]];
  let count = 1;
  for (let turn = 0; turn < pods.length; turn++) {
    const next = new Map<string, Place>();
    for (const place of layers[turn]!) {
      const after = new Set<Place>();
      for (const [kind, members] of kinds.entries()) {
        const pod = members[place.arrived[kind]!];
        if (pod === undefined) continue;
        for (const state of arrive(pod, place.state, problem, work)) {
          if (state.tiesLeft) return undefined;
          const key = keyOf(state, problem, 'kinds');
          const arrived = place.arrived.with(kind, place.arrived[kind]! + 1);
          const reached = next.get(key) ?? { state, arrived, from: place, pod, after: [], isDoomed: false };
          next.set(key, reached);
          after.add(reached);
        }
        if (isOver()) return undefined;
        yield;
      }
      place.after = [...after];
      if (count + next.size > states || isOver()) return undefined;
    }
    count += next.size;
    layers.push([...next.values()]);
  }
  return layers;
}

/** From the beginning on. */
export function stepsOf({ from, pod, state }: Arrived, problem: OrdersProblem): readonly ArrivalStep[] {
  if (from === undefined || pod === undefined) return [];
  const { pods, scenario } = problem;
  const idOf = (it: number): string => pods[it]!.model.id;
  const had = new Set(from.state.placed.map(it => it.pod));
  const placed = state.placed.filter(it => !had.has(it.pod));
  const gone = new Set([...from.state.evicted.map(idOf), ...from.state.evictedRunning]);
  const evicted = [...state.evicted.map(idOf), ...state.evictedRunning].filter(it => !gone.has(it));
  const step: ArrivalStep = {
    arrives: idOf(pod),
    placed: placed.map(it => ({ pod: idOf(it.pod), node: scenario.cluster.nodes[it.node]!.name })),
    evicted: evicted.sort(compareText),
  };
  return [...stepsOf(from, problem), step];
}
