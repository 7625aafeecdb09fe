import type { UnknownObject } from '../../base/json';
import type { Steps } from '../../base/steps';
import type { RunOptions, Simulation } from '../../scheduler/scenario';
import type { ClusterQuestion, ScenarioAnswer } from './answer';
import { askApplying } from './applying';
import { askAutoscaling } from './autoscaling';
import { askDrain } from './drain';
import { askJobs } from './jobs';
import { askMaximum } from './maximum';
import { askRollouts } from './rollout';
import { createScheduler, type SchedulerMoves } from './scheduling';
import type { SpaceLimits } from './search';
import { askSettles } from './settles';
import { clusterWorld, type ExploredWorld } from './world';
import { askZones } from './zones';

type Ask = (world: ExploredWorld, scheduler: SchedulerMoves, limits: SpaceLimits) => Steps<readonly ScenarioAnswer[]>;

/** What answers which questions. */
const ASKED: readonly { readonly answers: readonly ClusterQuestion[]; readonly ask: Ask }[] = [
  { answers: ['drain', 'availability'], ask: askDrain },
  { answers: ['rollout'], ask: (world, _, limits) => askRollouts(world, limits) },
  { answers: ['settles'], ask: askSettles },
  { answers: ['zoneLoss', 'zoneReturn'], ask: askZones },
  { answers: ['jobs'], ask: askJobs },
  { answers: ['maximum'], ask: askMaximum },
  { answers: ['apply'], ask: askApplying },
  { answers: ['autoscaling'], ask: (world, _, limits) => askAutoscaling(world, limits) },
];

/**
 * What may happen to a cluster in which the Pods to place have been placed as the simulation says; answers only to questions
 * that its objects raise, and none where no controller makes a Pod, or where there are PodGroups.
 */
export function* exploreCluster(
  objects: readonly UnknownObject[],
  run: RunOptions,
  simulation: Pick<Simulation, 'scenario' | 'profiles' | 'result'>,
  questions: readonly ClusterQuestion[],
  limits: SpaceLimits,
): Steps<readonly ScenarioAnswer[]> {
  const kinds = [...simulation.scenario.cluster.objects.keys()];
  // Groups are placed as a whole, which orders of arrival follow and this does not.
  if (questions.length === 0 || kinds.some(it => it.startsWith('PodGroup'))) return [];
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
