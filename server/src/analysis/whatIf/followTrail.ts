import { scenarioAt } from '../../explore/cluster/trail';
import { scheduleOne } from '../../scheduler/cycle/scheduleAll';
import type { Attempt } from '../../scheduler/result';
import type { ClusterExploration, ExplorationFinding } from '../exploring/exploration';
import { environmentPlacement, queriesOf, type TriedPlacement } from '../placement/environmentPlacement';

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

/** More Pods that wait are not asked about. */
const MOST_ASKED = 100;

/** The cluster after some steps of a finding, and why Pods fit on no node there. */
export function afterSteps(found: NonNullable<ReturnType<typeof trailSteps>>, tried: TriedPlacement): TriedPlacement {
  const { placement } = tried;
  const { profiles, gates } = placement;
  const scenario = scenarioAt(found.trail, found.at);
  const attempts = scenario.pending.slice(0, MOST_ASKED).flatMap((pod): readonly Attempt[] => {
    const profile = profiles.get(pod.schedulerName);
    if (profile === undefined) return [];
    // Whom it preempts, and where it lands, is told by the steps.
    const { preemption: _, ...attempt } = scheduleOne(pod, scenario.cluster, profile);
    return attempt.node === undefined ? [attempt] : [];
  });
  const result = { placements: {}, attempts, evicted: [], notes: [] };
  const asking = queriesOf(placement);
  const simulation = { scenario, profiles, gates, result };
  return { ...tried, placement: environmentPlacement(placement.source, simulation, placement.notes, asking) };
}
