import { runToEnd } from '../../base/steps';
import type { ClusterQuestion } from '../../explore/cluster/answer';
import { type CuredAnswer, exploreCluster } from '../../explore/cluster/explore';
import { askParts } from '../../explore/cluster/parts';
import type { SpaceLimits } from '../../explore/cluster/search';
import { prepareSteps, simulate } from '../../scheduler/scenario';
import { problemOf } from './orders';
import type { ScenarioInputs } from './scenario';

/** What may go wrong in a cluster in which the Pods to place have been placed. Throws OutOfTime. */
export function clusterAnswersOf(
  { objects, run }: Pick<ScenarioInputs, 'objects' | 'run'>,
  questions: readonly ClusterQuestion[],
  limits: SpaceLimits,
): readonly CuredAnswer[] {
  const ofControllers = runToEnd(exploreCluster(objects, run, simulate(objects, run), questions, limits));
  if (!questions.includes('parts')) return ofControllers;
  const parts = runToEnd(askParts(problemOf(runToEnd(prepareSteps(objects, run))), limits));
  return [...ofControllers, ...parts.map(it => ({ ...it, cures: [] }))];
}
