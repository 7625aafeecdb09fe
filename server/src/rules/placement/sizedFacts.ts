import type { PlacementFacts } from '../framework/placementFacts';

/** The facts for rules that compare with the size of nodes; undefined if the sizes are assumed. */
export function sizedFacts(facts: PlacementFacts | undefined): PlacementFacts | undefined {
  return facts?.sizes === 'known' ? facts : undefined;
}
