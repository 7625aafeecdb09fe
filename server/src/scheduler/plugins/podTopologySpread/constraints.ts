import type { UnknownObject } from '../../../base/json';
import type { ClusterModel } from '../../../cluster/clusterModel';
import type { PodModel } from '../../../cluster/pods/podModel';
import { type LabelMatcher, labelMapMatcher, labelMatcher, withRequirements } from '../../../kube/labelSelector';
import type {
  ReplicaSet,
  ReplicationController,
  Service,
  StringMap,
  TopologySpreadConstraint,
} from '../../../kube/types';
import type { Cycle } from '../../framework/interface';

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

/** The same list for all Pods of an equivalence class: Services and controllers do not change during a run. */
export function constraintsFor(
  pod: PodModel,
  { cluster, work }: Cycle,
  action: Action,
  defaults: Defaults,
): readonly SpreadConstraint[] {
  return work.forClass(pod)(KEYS[action], () => constraintsOf(pod, cluster, action, defaults));
}

/** A Pod's own constraints, or the default ones when something selects the Pod. Upstream: buildDefaultConstraints. */
export function constraintsOf(
  pod: PodModel,
  cluster: ClusterModel,
  action: Action,
  defaults: Defaults,
): readonly SpreadConstraint[] {
  const own = pod.spec.topologySpreadConstraints ?? [];
  if (own.length > 0) return own.filter(it => it.whenUnsatisfiable === action).map(it => constraintOf(it, pod));
  const wanted = defaults.constraints.filter(it => it.whenUnsatisfiable === action);
  if (wanted.length === 0) return [];
  const selector = defaultSelector(pod, cluster);
  if (selector.kind === 'everything') return [];
  return wanted.map(it => ({ ...constraintOf(it, pod), selector }));
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

/** The combined selector of the Pod's Services and controller. Upstream: helper.DefaultSelector. */
function defaultSelector(pod: PodModel, cluster: ClusterModel): LabelMatcher {
  const labels: Record<string, string> = {};
  for (const service of inNamespace<Service>(cluster, 'Service', pod)) {
    const selector = service.spec?.selector;
    if (selector && labelMapMatcher(selector).matches(pod.labels)) Object.assign(labels, selector);
  }
  const owner = pod.source.metadata?.ownerReferences?.find(it => it.controller === true);
  if (!owner) return labelMapMatcher(labels);
  if (owner.kind === 'ReplicationController' && owner.apiVersion === 'v1') {
    const found = named<ReplicationController>(cluster, owner.kind, pod, owner.name);
    return labelMapMatcher({ ...labels, ...found?.spec?.selector });
  }
  if ((owner.kind === 'ReplicaSet' || owner.kind === 'StatefulSet') && owner.apiVersion === 'apps/v1') {
    const found = named<ReplicaSet>(cluster, owner.kind, pod, owner.name);
    return both(labels, found && labelMatcher(found.spec?.selector));
  }
  return labelMapMatcher(labels);
}

function both(labels: StringMap, other: LabelMatcher | undefined): LabelMatcher {
  const own = labelMapMatcher(labels);
  if (other?.kind !== 'requirements') return own;
  return own.kind === 'everything' ? other : withRequirements(own, other.requirements);
}

function inNamespace<T>(cluster: ClusterModel, kind: string, pod: PodModel): readonly T[] {
  const list = cluster.objects.get(kind) ?? [];
  return list.filter(it => (it.metadata as UnknownObject | undefined)?.namespace === pod.namespace) as readonly T[];
}

function named<T extends { readonly metadata?: { readonly name?: string } }>(
  cluster: ClusterModel,
  kind: string,
  pod: PodModel,
  name: string | undefined,
): T | undefined {
  return inNamespace<T>(cluster, kind, pod).find(it => it.metadata?.name === name);
}
