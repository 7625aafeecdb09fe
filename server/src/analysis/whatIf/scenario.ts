import { parseManifests } from '../../manifest/parse';
import { studyOf } from '../../scheduler/whatIf/counterfactuals';
import { emptySnapshot, withFiles } from '../../workspace/snapshot';
import { type PlaceFile, type PlaceOptions, scenarioInputs } from '../place';
import { type PodSuggestions, suggestionsFor } from './suggestions';

/**
 * What would give the Pods of a scenario a node, by Pod id: for each Pod without one, of the Pods of a workload the
 * first. Extenders are not asked about what would be.
 */
export function suggestionsIn(files: readonly PlaceFile[], options: PlaceOptions): ReadonlyMap<string, PodSuggestions> {
  const { objects, run } = scenarioInputs(files, options);
  const changes = files.map(({ uri, text }) => ({ uri, file: parseManifests(uri, text) }));
  const snapshot = withFiles(
    emptySnapshot(() => undefined),
    changes,
  );
  const { askExtender: _, ...withoutExtenders } = run;
  const study = studyOf(objects, withoutExtenders);
  return new Map(study.stuck.map(it => [it, suggestionsFor(study, snapshot, it)]));
}
