import type { Steps } from '../../base/steps';
import { holdsPods } from '../../kube/podTemplates';
import type { AnalysisContext } from '../diagnostics/analysisContext';
import type { Explanation } from '../explain/explainPlacement';
import type { PodAt } from '../placement/podAt';
import { counterfactualsAt, explanationAt } from './ask';
import type { PodSuggestions } from './suggestions';

/** Where the Pods of a file go, and why. */
export interface PlacementAnswers {
  /** Places step by step what a file's lenses, hints and problems will ask for; nothing where it has no Pods. Explores a system. */
  placing(uri: string): Steps<undefined>;
  /** The smallest changes that would give a Pod a node (or make it fit on `node`), each tried out; undefined: no such Pod. */
  counterfactuals(at: PodAt & { readonly node?: string }): PodSuggestions | undefined;
  /** Why a Pod is where it is, in sentences; undefined: no such Pod. */
  explanation(at: PodAt): Explanation | undefined;
}

export const placementAnswers = ({
  environmentsOf,
  environmentOf,
  state,
  systems,
}: AnalysisContext): PlacementAnswers => ({
  *placing(uri) {
    const file = state.files.get(uri);
    if (file !== undefined && systems.isSystem(file)) yield* systems.exploring(file);
    for (const { snapshot, placements } of environmentsOf(uri)) {
      if (snapshot.objectsIn(uri).some(it => holdsPods(it.group, it.kind))) yield* placements.placing(uri);
    }
    return undefined;
  },
  counterfactuals: at => counterfactualsAt(environmentOf(at.uri), at),
  explanation: at => explanationAt(environmentOf(at.uri), at),
});
