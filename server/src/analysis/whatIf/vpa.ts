import { printed } from '../../base/printed';
import { isAutoscaler, type VerticalPodAutoscaler } from '../../descheduler/vpa/autoscaler';
import { type VpaOutcome, vpaWhatIf } from '../../descheduler/vpa/whatIf';
import type { ScenarioInputs } from '../placement/scenario';

export interface VpaWhatIf {
  readonly outcomes: readonly VpaOutcome[];
  /** The number of VPAs that there was no time for. */
  readonly left: number;
  readonly unread: readonly string[];
}

export interface AutoscaleOptions {
  /** NAME or NAMESPACE/NAME of one VPA; absent: all. */
  readonly name?: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What the VPAs of a scenario, or the one of a name, do to their Pods under each update mode. */
export function autoscale(
  { objects, run, unread }: Pick<ScenarioInputs, 'objects' | 'run' | 'unread'>,
  { name, now }: AutoscaleOptions,
): VpaWhatIf {
  const all = objects.filter(isAutoscaler) as readonly VerticalPodAutoscaler[];
  const isMeant = ({ metadata }: VerticalPodAutoscaler): boolean =>
    name === undefined ||
    metadata?.name === name ||
    `${printed(metadata?.namespace ?? 'default')}/${printed(metadata?.name)}` === name;
  const meant = all.filter(isMeant);
  const outcomes = meant.flatMap(it => vpaWhatIf(objects, it, { run, now }) ?? []);
  return { outcomes, left: meant.length - outcomes.length, unread };
}
