import type { UnknownObject } from '../../base/json';
import { runToEnd, type Steps } from '../../base/steps';
import type { ClusterQuestion, ScenarioAnswer } from '../../explore/cluster/answer';
import { type Cure, curedBy } from '../../explore/cluster/cures/cure';
import { partsCandidates } from '../../explore/cluster/cures/orderCures';
import { type ClusterLimits, type CuredAnswer, exploreCluster } from '../../explore/cluster/explore';
import { askParts } from '../../explore/cluster/parts';
import { prepareSteps, type RunOptions, type Simulation, simulateSteps } from '../../scheduler/scenario';
import { problemOf } from './orders';
import type { ScenarioInputs } from './scenario';

/** What may go wrong in a cluster in which the Pods to place have been placed. Throws OutOfTime. */
export function clusterAnswersOf(
  inputs: Pick<ScenarioInputs, 'objects' | 'run'>,
  questions: readonly ClusterQuestion[],
  limits: ClusterLimits,
): readonly CuredAnswer[] {
  return runToEnd(clusterAnswerSteps(inputs, questions, limits));
}

/** The same in steps. */
export function* clusterAnswerSteps(
  { objects, run }: Pick<ScenarioInputs, 'objects' | 'run'>,
  questions: readonly ClusterQuestion[],
  limits: ClusterLimits,
): Steps<readonly CuredAnswer[]> {
  const simulation = yield* simulateSteps(objects, run);
  const ofControllers = yield* exploreCluster(objects, run, simulation, questions, limits);
  if (!questions.includes('parts')) return ofControllers;
  limits.onQuestion?.('parts');
  // What is read again for a cure is little, and the limits of each question hold.
  const unhurried: RunOptions = { ...run, isCancelled: undefined };
  const ask: AskParts = function* (asked, options) {
    return yield* askParts(problemOf(yield* prepareSteps(asked, options)), limits);
  };
  const cured: CuredAnswer[] = [];
  for (const answer of yield* ask(objects, run)) {
    const cures = yield* partsCures(answer, { objects, run: unhurried, simulation, ask, limits });
    cured.push({ ...answer, cures });
  }
  return [...ofControllers, ...cured];
}

type AskParts = (objects: readonly UnknownObject[], run: RunOptions) => Steps<readonly ScenarioAnswer[]>;

interface AskedParts extends Pick<ScenarioInputs, 'objects' | 'run'> {
  readonly simulation: Simulation;
  readonly ask: AskParts;
  readonly limits: ClusterLimits;
}

/** The changes after which parts place the same as all together, and no fewer Pods than now; each was tried. */
function* partsCures(
  { trouble }: ScenarioAnswer,
  { objects, run, simulation, ask, limits }: AskedParts,
): Steps<readonly Cure[]> {
  if (trouble === undefined) return [];
  const placed = placedIn(simulation);
  const found: Cure[] = [];
  for (const cure of partsCandidates(objects, trouble.blamed).slice(0, MOST_TRIED)) {
    if (limits.timeUsed() > 1) break;
    const changed = curedBy(cure, objects);
    const again = yield* ask(changed, run);
    const isEnded = again.length > 0 && again.every(it => it.holds === true);
    if (isEnded && placedIn(yield* simulateSteps(changed, run)) >= placed) found.push(cure);
  }
  return found;
}

/** More changes are not tried. */
const MOST_TRIED = 4;

const placedIn = ({ result }: Simulation): number => Object.keys(result.placements).length;
