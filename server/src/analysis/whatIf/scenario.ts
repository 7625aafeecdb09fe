import { parseManifests } from '../../manifest/parse';
import { studyOf } from '../../scheduler/whatIf/counterfactuals';
import { emptySnapshot, withFiles } from '../../workspace/snapshot';
import { OutOfTime, type PlaceFile, type PlaceOptions, scenarioInputs } from '../placement/scenario';
import { type PodSuggestions, suggestionsFor } from './suggestions';

export interface Suggested {
  /** By Pod id. */
  readonly suggestions: ReadonlyMap<string, PodSuggestions>;
  /** So many Pods without a node were not looked at for want of time. */
  readonly left: number;
}

/**
 * What would give the Pods of a scenario a node, by Pod id: for each Pod without one, of the Pods of a workload the
 * first. Extenders are not asked about what would be.
 */
export function suggestionsIn(files: readonly PlaceFile[], options: PlaceOptions): Suggested {
  const { objects, run } = scenarioInputs(files, options);
  const changes = files.map(({ uri, text }) => ({ uri, file: parseManifests(uri, text) }));
  const snapshot = withFiles(
    emptySnapshot(() => undefined),
    changes,
  );
  const { askExtender: _, ...withoutExtenders } = run;
  const study = studyOf(objects, withoutExtenders);
  const suggestions = new Map<string, PodSuggestions>();
  for (const it of study.stuck) {
    if (options.isCancelled?.() === true) break;
    const found = suggestionsWithin(() => suggestionsFor(study, snapshot, it));
    if (found !== undefined) suggestions.set(it, found);
  }
  return { suggestions, left: study.stuck.length - suggestions.size };
}

/** undefined: the time was over in between. */
function suggestionsWithin(find: () => PodSuggestions): PodSuggestions | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof OutOfTime) return undefined;
    throw error;
  }
}
