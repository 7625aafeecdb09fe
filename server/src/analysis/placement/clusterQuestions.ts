import { runToEnd } from '../../base/steps';
import type { ClusterQuestion } from '../../explore/cluster/answer';
import { type CuredAnswer, exploreCluster } from '../../explore/cluster/explore';
import type { SpaceLimits } from '../../explore/cluster/search';
import { simulate } from '../../scheduler/scenario';
import type { ScenarioInputs } from './scenario';

/** What may go wrong in a cluster in which the Pods to place have been placed. Throws OutOfTime. */
export function clusterAnswersOf(
  { objects, run }: Pick<ScenarioInputs, 'objects' | 'run'>,
  questions: readonly ClusterQuestion[],
  limits: SpaceLimits,
): readonly CuredAnswer[] {
  return runToEnd(exploreCluster(objects, run, simulate(objects, run), questions, limits));
}
