import { studyOf } from '../../scheduler/whatIf/counterfactuals';
import { type PlaceFile, type PlaceOptions, scenarioInputs } from '../placement/scenario';
import { type Explanation, explainPlacement } from './explainPlacement';

/** Why one Pod of a scenario is where it is, by NAMESPACE/NAME or by its name alone; undefined for no such Pod. */
export function explainedIn(files: readonly PlaceFile[], options: PlaceOptions, pod: string): Explanation | undefined {
  const { objects, run } = scenarioInputs(files, options);
  const study = studyOf(objects, run);
  const { pending, rejected, cluster } = study.base.scenario;
  const ids = [...pending, ...rejected, ...cluster.running].map(it => it.id);
  const id = ids.find(it => it === pod) ?? ids.find(it => it.endsWith(`/${pod}`));
  return id === undefined ? undefined : explainPlacement(study, id);
}
