import type { PlacementFacts } from '../framework/placementFacts';

/** What rules may ask that compare with the size of nodes; undefined where that is assumed. */
export function sizedFacts(facts: PlacementFacts | undefined): PlacementFacts | undefined {
  return facts?.sizes === 'known' ? facts : undefined;
}
