import type { UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import type { Steps } from '../../base/steps';
import { type RunOptions, type Simulation, simulateSteps } from '../../scheduler/scenario';
import { mostStates } from '../orders/state';
import type { ClusterQuestion, ScenarioAnswer } from './answer';
import { askApplying } from './applying';
import { askAutoscaling } from './autoscaling';
import type { Cure } from './cures/cure';
import { type AskAgain, verifiedCures } from './cures/verified';
import { askDrain } from './drain';
import { askJobs } from './jobs';
import { askNodes, askZones } from './losses';
import { askMaximum } from './maximum';
import { askRollouts } from './rollout';
import { createScheduler, type SchedulerMoves } from './scheduling';
import { type SpaceLimits, shareOf } from './search';
import { askSettles } from './settles';
import { whyNotFollowed } from './together';
import { clusterWorld, type ExploredWorld } from './world';

type Ask = (world: ExploredWorld, scheduler: SchedulerMoves, limits: SpaceLimits) => Steps<readonly ScenarioAnswer[]>;

/** What answers which questions. */
const ASKED: readonly { readonly answers: readonly ClusterQuestion[]; readonly ask: Ask }[] = [
  { answers: ['drain', 'twoDrains', 'availability'], ask: askDrain },
  { answers: ['rollout'], ask: (world, _, limits) => askRollouts(world, limits) },
  { answers: ['settles'], ask: askSettles },
  { answers: ['zoneLoss', 'zoneReturn'], ask: askZones },
  { answers: ['nodeLoss', 'nodeReturn'], ask: askNodes },
  { answers: ['jobs'], ask: askJobs },
  { answers: ['maximum'], ask: askMaximum },
  { answers: ['apply'], ask: askApplying },
  { answers: ['autoscaling'], ask: (world, _, limits) => askAutoscaling(world, limits) },
];

export interface ClusterLimits extends SpaceLimits {
  /** Called before each question. */
  readonly onQuestion?: (question: ClusterQuestion) => void;
}

/** What was asked, and what would end a trouble. */
export interface CuredAnswer extends ScenarioAnswer {
  /** Each was tried: with it what was asked holds. */
  readonly cures: readonly Cure[];
}

/**
 * What may happen to a cluster in which the Pods to place have been placed as the simulation says; answers only to questions
 * that its objects raise, and none where no controller makes a Pod. Where Pods are placed in groups one answer says why.
 */
export function* exploreCluster(
  objects: readonly UnknownObject[],
  run: RunOptions,
  simulation: Simulation,
  questions: readonly ClusterQuestion[],
  { onQuestion, ...limits }: ClusterLimits,
): Steps<readonly CuredAnswer[]> {
  if (questions.length === 0) return [];
  const why = whyNotFollowed(simulation);
  if (why !== undefined) return [{ ...notFollowed(), question: questions[0]!, why }];
  // What is read again for another revision is little, and the limits of each search hold.
  const unhurried: RunOptions = { ...run, isCancelled: undefined };
  const world = yield* clusterWorld(objects, unhurried, simulation);
  const most = Math.min(limits.states, mostStates(MOST_NODES_OF_STATES, world));
  const answers = yield* answersOf(world, questions, { ...limits, states: most, ...(onQuestion && { onQuestion }) });
  const waiting = world.pods.filter(it => it.node < 0).length;
  const again: AskAgain = function* (changed, { question, states }) {
    const other = yield* clusterWorld(changed, unhurried, yield* simulateSteps(changed, unhurried));
    if (other.pods.filter(it => it.node < 0).length > waiting) return undefined;
    const enough = Math.min(most, states * MORE_STATES + LEAST_STATES);
    const together = ASKED.find(it => it.answers.includes(question))!.answers;
    return yield* answersOf(other, together, { ...limits, states: enough });
  };
  const cured: CuredAnswer[] = [];
  for (const it of answers) {
    const cures = it.holds === false ? yield* verifiedCures(it, answers, world, again, limits) : [];
    cured.push({ ...it, cures });
  }
  return cured;
}

const notFollowed = (): Pick<CuredAnswer, 'claim' | 'holds' | 'states' | 'cures'> => ({
  claim: t('what controllers, drains and evictions may do ends well'),
  holds: undefined,
  states: 0,
  cures: [],
});

/** Each state tells of each node how it is: a limit on the nodes of all states of one search, for its memory. */
const MOST_NODES_OF_STATES = 20_000_000;

/** A cure is tried with so many states for each one of the trouble, and so many more. */
const MORE_STATES = 20;
const LEAST_STATES = 5_000;

function* answersOf(
  world: ExploredWorld,
  questions: readonly ClusterQuestion[],
  limits: ClusterLimits,
): Steps<readonly ScenarioAnswer[]> {
  if (world.sets.length === 0) return [];
  const scheduler = createScheduler(world);
  const answers: ScenarioAnswer[] = [];
  const asked = ASKED.filter(({ answers: given }) => given.some(it => questions.includes(it)));
  for (const [i, { ask, answers: given }] of asked.entries()) {
    limits.onQuestion?.(given[0]!);
    // The last share is for cures.
    const found = yield* ask(world, scheduler, shareOf(limits, asked.length - i + 1));
    answers.push(...found.filter(it => questions.includes(it.question)));
  }
  return answers;
}
