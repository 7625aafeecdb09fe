import type { UnknownObject } from '../../base/json';
import type { Steps } from '../../base/steps';
import type { RunOptions, Simulation } from '../../scheduler/scenario';
import type { ClusterQuestion, ScenarioAnswer } from './answer';
import { askDrain } from './drain';
import { askRollouts } from './rollout';
import { createScheduler, type SchedulerMoves } from './scheduling';
import type { SpaceLimits } from './search';
import { askSettles } from './settles';
import { clusterWorld, type ExploredWorld } from './world';

type Ask = (world: ExploredWorld, scheduler: SchedulerMoves, limits: SpaceLimits) => Steps<readonly ScenarioAnswer[]>;

/** What answers which questions. */
const ASKED: readonly { readonly answers: readonly ClusterQuestion[]; readonly ask: Ask }[] = [
  { answers: ['drain', 'availability'], ask: askDrain },
  { answers: ['rollout'], ask: (world, _, limits) => askRollouts(world, limits) },
  { answers: ['settles'], ask: askSettles },
];

/**
 * What may happen to a cluster in which the Pods to place have been placed as the simulation says; answers only to questions
 * that its objects raise, and none where no controller makes a Pod.
 */
export function* exploreCluster(
  objects: readonly UnknownObject[],
  run: RunOptions,
  simulation: Pick<Simulation, 'scenario' | 'profiles' | 'result'>,
  questions: readonly ClusterQuestion[],
  limits: SpaceLimits,
): Steps<readonly ScenarioAnswer[]> {
  if (questions.length === 0) return [];
  const world = yield* clusterWorld(objects, run, simulation);
  if (world.sets.length === 0) return [];
  const scheduler = createScheduler(world);
  const answers: ScenarioAnswer[] = [];
  for (const { answers: given, ask } of ASKED) {
    if (!given.some(it => questions.includes(it))) continue;
    const found = yield* ask(world, scheduler, limits);
    answers.push(...found.filter(it => questions.includes(it.question)));
  }
  return answers;
}
