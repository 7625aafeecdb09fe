import { runToEnd, type Steps } from '../../base/steps';
import type { ClusterQuestion } from '../../explore/cluster/answer';
import { type ClusterLimits, type CuredAnswer, exploreCluster } from '../../explore/cluster/explore';
import { askParts } from '../../explore/cluster/parts';
import { prepareSteps, simulateSteps } from '../../scheduler/scenario';
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
  const ofControllers = yield* exploreCluster(objects, run, yield* simulateSteps(objects, run), questions, limits);
  if (!questions.includes('parts')) return ofControllers;
  limits.onQuestion?.('parts');
  const parts = yield* askParts(problemOf(yield* prepareSteps(objects, run)), limits);
  return [...ofControllers, ...parts.map(it => ({ ...it, cures: [] }))];
}
