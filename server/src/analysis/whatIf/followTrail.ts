import { scenarioAt } from '../../explore/cluster/trail';
import type { ClusterExploration, ExplorationFinding } from '../exploring/exploration';
import { environmentPlacement, type TriedPlacement } from '../placement/environmentPlacement';

/** A finding of the last exploration, after so many of its steps. */
export interface FollowedTrail {
  /** Its key. */
  readonly finding: string;
  /** Absent: after the last step that does not repeat. */
  readonly at?: number;
}

/** What happens on the way to a finding, and how far it is followed. */
export interface TrailSteps {
  readonly finding: string;
  readonly says: string;
  /** `drain: cordon a` */
  readonly steps: readonly string[];
  /** Where steps repeat for ever: how many come before. */
  readonly cycleFrom?: number;
  /** How many steps are over. */
  readonly at: number;
}

/** undefined: the exploration is no longer true, or its finding has no trail. */
export function trailSteps(
  { finding, at }: FollowedTrail,
  exploration: ClusterExploration | undefined,
): (TrailSteps & Required<Pick<ExplorationFinding, 'trail'>>) | undefined {
  const found = exploration?.findings.find(it => it.key === finding);
  if (found?.trail === undefined) return undefined;
  const { says, steps, cycle = [], trail } = found;
  const all = [...steps, ...cycle];
  return {
    finding,
    says,
    steps: all.map(it => `${it.actor}: ${it.step}`),
    ...(cycle.length > 0 && { cycleFrom: steps.length }),
    at: Math.min(at ?? steps.length, all.length),
    trail,
  };
}

/** The cluster after some steps of a finding. */
export function afterSteps(found: NonNullable<ReturnType<typeof trailSteps>>, tried: TriedPlacement): TriedPlacement {
  const { placement } = tried;
  const { profiles, gates, changed, inputs, over, tried: triedFrom, trying, inputsFor, counts, study } = placement;
  const scenario = scenarioAt(found.trail, found.at);
  const result = { placements: {}, attempts: [], evicted: [], notes: [] };
  const asking = { changed, inputs, over, tried: triedFrom, trying, inputsFor, counts, study };
  const simulation = { scenario, profiles, gates, result };
  return { ...tried, placement: environmentPlacement(placement.source, simulation, placement.notes, asking) };
}
