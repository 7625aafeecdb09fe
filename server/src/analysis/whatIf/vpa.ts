import { isAutoscaler, type VerticalPodAutoscaler } from '../../descheduler/vpa/autoscaler';
import { type VpaOutcome, vpaWhatIf } from '../../descheduler/vpa/whatIf';
import { type PlaceFile, type PlaceOptions, scenarioInputs } from '../placement/scenario';

export type { ModeOutcome, PodUpdate, UpdateRound, VpaOutcome } from '../../descheduler/vpa/whatIf';

export interface VpaWhatIf {
  readonly outcomes: readonly VpaOutcome[];
  /** So many VPAs there was no time for. */
  readonly left: number;
  readonly unread: readonly string[];
}

/** What the VPAs of a scenario, or the one of a name, do to their Pods under each update mode. */
export function vpasIn(
  files: readonly PlaceFile[],
  options: PlaceOptions & { readonly name?: string; readonly now: number },
): VpaWhatIf {
  const { objects, run, unread } = scenarioInputs(files, options);
  const { name, now } = options;
  const all = objects.filter(isAutoscaler) as readonly VerticalPodAutoscaler[];
  const isMeant = ({ metadata }: VerticalPodAutoscaler): boolean =>
    name === undefined || metadata?.name === name || `${metadata?.namespace ?? 'default'}/${metadata?.name}` === name;
  const meant = all.filter(isMeant);
  const outcomes = meant.flatMap(it => vpaWhatIf(objects, it, { run, now }) ?? []);
  return { outcomes, left: meant.length - outcomes.length, unread };
}
