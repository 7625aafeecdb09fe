import type { UnknownObject } from '../../../base/json';
import type { PodModel } from '../../../cluster/pods/podModel';
import { type LabelMatcher, labelMatcher, withRequirements } from '../../../kube/labelSelector';
import type { TopologySpreadConstraint } from '../../../kube/types';
import type { Cycle } from '../../framework/interface';
import { defaultSelector, isSameSelecting, type Selecting, selectingIn } from './selecting';

export const HOSTNAME = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

export interface SpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly selector: LabelMatcher;
  readonly minDomains: number;
  readonly honorsAffinity: boolean;
  readonly honorsTaints: boolean;
}

/** The constraints of the args, or upstream's defaults. */
export interface Defaults {
  readonly constraints: readonly TopologySpreadConstraint[];
  /** Whether they come from the args; they are then as strict as a Pod's own. */
  readonly isListed: boolean;
}

const SYSTEM_DEFAULTS: readonly TopologySpreadConstraint[] = [
  { topologyKey: HOSTNAME, whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 3 },
  { topologyKey: ZONE, whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 5 },
];

export function defaultsIn(args: UnknownObject): Defaults {
  if (args.defaultingType !== 'List') return { constraints: SYSTEM_DEFAULTS, isListed: false };
  return { constraints: (args.defaultConstraints ?? []) as readonly TopologySpreadConstraint[], isListed: true };
}

type Action = 'DoNotSchedule' | 'ScheduleAnyway';

const KEYS: Readonly<Record<Action, string>> = {
  DoNotSchedule: 'PodTopologySpread/hard',
  ScheduleAnyway: 'PodTopologySpread/soft',
};

/**
 * The same list for all Pods of an equivalence class: Services and controllers do not change during a run. It stays the
 * same in the next runs where nothing that selects the Pods has changed.
 */
export function constraintsFor(
  pod: PodModel,
  cycle: Cycle,
  action: Action,
  defaults: Defaults,
): readonly SpreadConstraint[] {
  const { work } = cycle;
  return work.forClass(pod)(KEYS[action], () => {
    const always = work.alwaysForClass(pod);
    const wanted = defaults.constraints.filter(it => it.whenUnsatisfiable === action);
    if (hasOwn(pod) || wanted.length === 0) return always(KEYS[action], () => ownConstraints(pod, action));
    const selecting = selectingIn(cycle)(pod);
    const last = always(KEYS[action], (): DefaultConstraints => ({ selecting: undefined, list: [] }));
    if (last.selecting && isSameSelecting(last.selecting, selecting)) return last.list;
    Object.assign(last, { selecting, list: defaultConstraints(pod, wanted, defaultSelector(pod, selecting)) });
    return last.list;
  });
}

/** The default constraints of Pods, and what they were computed from. */
interface DefaultConstraints {
  readonly selecting: Selecting | undefined;
  readonly list: readonly SpreadConstraint[];
}

const hasOwn = ({ spec }: PodModel): boolean => (spec.topologySpreadConstraints ?? []).length > 0;

/** The constraints that a Pod's spec has. */
export function ownConstraints(pod: PodModel, action: Action): readonly SpreadConstraint[] {
  const own = pod.spec.topologySpreadConstraints ?? [];
  return own.filter(it => it.whenUnsatisfiable === action).map(it => constraintOf(it, pod));
}

/** Upstream: buildDefaultConstraints. */
function defaultConstraints(
  pod: PodModel,
  wanted: readonly TopologySpreadConstraint[],
  selector: LabelMatcher,
): readonly SpreadConstraint[] {
  return selector.kind === 'everything' ? [] : wanted.map(it => ({ ...constraintOf(it, pod), selector }));
}

function constraintOf(it: TopologySpreadConstraint, pod: PodModel): SpreadConstraint {
  const keys = (it.matchLabelKeys ?? []).filter(key => pod.labels[key] !== undefined);
  const merged = keys.map(key => ({ key, operator: 'In' as const, values: [pod.labels[key]!] }));
  return {
    maxSkew: it.maxSkew ?? 1,
    topologyKey: it.topologyKey ?? '',
    selector: withRequirements(labelMatcher(it.labelSelector), merged),
    minDomains: it.minDomains ?? 1,
    honorsAffinity: it.nodeAffinityPolicy !== 'Ignore',
    honorsTaints: it.nodeTaintsPolicy === 'Honor',
  };
}
