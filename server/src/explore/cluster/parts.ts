import type { UnknownObject } from '../../base/json';
import { t, withOr } from '../../base/l10n';
import type { Steps } from '../../base/steps';
import { controllersIn, ownersIn } from '../../cluster/owners';
import { endOf } from '../orders/ends';
import { injections } from '../orders/permutations';
import type { OrdersProblem } from '../orders/problem';
import { queued } from '../orders/queue';
import { type Arrived, stepsOf } from '../orders/shortestWay';
import { endsOfTies } from '../orders/ties';
import type { ScenarioAnswer } from './answer';
import { type Blame, blaming } from './blame';
import type { ClusterStep, SpaceLimits } from './search';

/** Pods that are applied together. */
interface PartModel {
  readonly title: string;
  /** Numbers of Pods to place. */
  readonly pods: readonly number[];
  readonly isWorkload: boolean;
}

/** More orders of the parts are not tried. */
const MOST_ORDERS = 24;
/** More states of one order are not followed. */
const MOST_STATES = 2_000;

/** Whether workloads that are applied one after the other, in any order, place the same Pods as all of them together. */
export function* askParts(problem: OrdersProblem, { timeUsed }: SpaceLimits): Steps<readonly ScenarioAnswer[]> {
  const parts = partsIn(problem);
  if (parts.length < 2 || !parts.some(it => it.isWorkload)) return [];
  const claim = t('workloads that are applied one after the other place the same Pods as all together');
  const bounds = { states: MOST_STATES, isOver: () => timeUsed() > 1 };
  const all = yield* endsOfTies(
    problem,
    inQueue(
      parts.flatMap(it => it.pods),
      problem,
    ),
    bounds,
  );
  const together = new Set(all.ends.map(it => signOf(it, problem)));
  let isCut = all.isCut;
  let states = all.ends.length;
  let tried = 0;
  for (const order of injections(parts.length, parts)) {
    if (tried === MOST_ORDERS || timeUsed() > 1) {
      isCut = true;
      break;
    }
    tried += 1;
    const pods = order.flatMap(it => inQueue(it.pods, problem));
    const apart = yield* endsOfTies(problem, pods, bounds);
    states += apart.ends.length;
    isCut ||= apart.isCut;
    const bad = all.isCut ? undefined : apart.ends.find(it => !together.has(signOf(it, problem)));
    if (bad === undefined) continue;
    const names = order.map(it => it.title).join(t(', then '));
    const counts = withOr(
      [...new Set(all.ends.map(it => placedIn(it, problem).length))].sort((a, b) => a - b).map(String),
    );
    const says = t`applied one after the other (${names}), ${placedIn(bad, problem).length} of ${pods.length} Pods have nodes, and other ones than the ${counts} of all applied together`;
    return [
      {
        question: 'parts',
        claim,
        holds: false,
        states,
        trouble: { says, steps: stepsTo(bad, problem), blamed: blamedFor(bad, problem) },
      },
    ];
  }
  return [{ question: 'parts', claim, holds: isCut ? undefined : true, states }];
}

/** By the workload that makes them; a Pod without one is a part of its own. */
function partsIn({ pods, scenario }: OrdersProblem): readonly PartModel[] {
  const owners = ownersIn(scenario.cluster);
  const parts = new Map<string, PartModel>();
  for (const [i, { model }] of pods.entries()) {
    const owner = owners(model).at(-1);
    const title = owner ? `${owner.kind} ${owner.name}` : `Pod ${model.name}`;
    const key = `${model.namespace}/${title}`;
    const known = parts.get(key);
    parts.set(key, { title, pods: [...(known?.pods ?? []), i], isWorkload: owner !== undefined });
  }
  return [...parts.values()];
}

const inQueue = (pods: readonly number[], problem: OrdersProblem): readonly number[] =>
  pods.reduce<readonly number[]>((waiting, it) => queued(it, { waiting }, problem), []);

function placedIn({ state }: Arrived, problem: OrdersProblem): readonly number[] {
  const { fates } = endOf(state, problem);
  return [...fates.keys()].filter(it => fates[it]! >= 0);
}

/** What makes the Pods that have no node, or all Pods. */
function blamedFor(end: Arrived, problem: OrdersProblem): readonly Blame[] {
  const { pods, scenario } = problem;
  const placed = new Set(placedIn(end, problem));
  const waiting = pods.filter((_, i) => !placed.has(i));
  const controllers = controllersIn(scenario.cluster);
  return (waiting.length > 0 ? waiting : pods).map(({ model }) => {
    const own = controllers(model);
    const top = own && (controllers({ source: own }) ?? own);
    return blaming(top ?? (model.source as UnknownObject), 'metadata', 'name');
  });
}

/** Equal for ends in which as many Pods of each kind have nodes, and the same Pods that ran are evicted. */
function signOf(end: Arrived, problem: OrdersProblem): string {
  const placed = new Set(placedIn(end, problem));
  return [...problem.kinds.map(it => it.filter(pod => placed.has(pod)).length), ...end.state.evictedRunning].join();
}

function stepsTo(end: Arrived, problem: OrdersProblem): readonly ClusterStep[] {
  return stepsOf(end, problem).map(({ arrives, placed, evicted }) => {
    const what = [...placed.map(it => `${it.pod}${t(' to ')}${it.node}`), ...evicted.map(it => t`${it} is evicted`)];
    return { actor: 'scheduler', step: what.length === 0 ? t`${arrives} waits` : what.join(', ') };
  });
}
