import { grouped } from '../../base/multiMap';
import { jsonText } from '../../base/printed';
import type { ClusterModel } from '../../cluster/clusterModel';
import { termMatches } from '../../cluster/pods/affinityTerms';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Volume } from '../../kube/types';
import { scheduleOne } from '../cycle/scheduleAll';
import type { Profile } from '../framework/interface';
import { withoutNomination } from '../framework/nodeInfo';
import { batchGroupIdOf } from '../gangs/batch';
import { gangsOf } from '../gangs/gangs';
import { groupIdOf } from '../gangs/podGroup';
import { HOSTNAME } from '../plugins/podTopologySpread/constraints';
import type { SpreadState } from '../plugins/podTopologySpread/filtering';
import { settledAfter, spreadOf } from '../queries';
import type { Simulation } from '../scenario';

/** Equal Pods that may go to the same nodes. */
export interface MovableGroup {
  /** In the order of the file. */
  readonly pods: readonly PodModel[];
  /** Names of the nodes that accept such a Pod while none of the movable Pods is placed. */
  readonly nodes: readonly string[];
  /** Its Pods exclude each other: at most one on each node. */
  readonly onePerNode: boolean;
  readonly spread?: SpreadState;
  /** NAMESPACE/NAME of the PodGroup. */
  readonly gang?: string;
}

/** The Pods to place again, and the cluster around them. */
export interface Movable {
  readonly groups: readonly MovableGroup[];
  /** The cluster, including the Pods that stay where the simulation placed them. */
  readonly cluster: ClusterModel;
  /** Gang → the number of Pods that must get a node, besides those that have one, unless none does. */
  readonly minimum: ReadonlyMap<string, number>;
  /** The reason why Pods stay where the simulation placed them → the number of Pods. */
  readonly kept: ReadonlyMap<string, number>;
}

/** Volume types that do not restrict the node. */
const UNRESTRICTED_VOLUMES: ReadonlySet<string> = new Set([
  'configMap',
  'downwardAPI',
  'emptyDir',
  'hostPath',
  'image',
  'projected',
  'secret',
]);

/**
 * At most so many pairs of groups and nodes are formulated: within its seconds the solver improves nothing about more, and
 * to write them down takes longer than that.
 */
const MOST_PAIRS = 300_000;

/** Why no Pod moves where there are more. */
export const TOO_MANY_PAIRS = 'a problem too large for the solver';

/** Why the formulation excludes a Pod, in the words of the answer and in the order of the checks. */
const EXCLUSIONS: readonly (readonly [string, (pod: PodModel, simulation: Simulation) => boolean])[] = [
  ['volumes', ({ spec }) => (spec.volumes ?? []).some(isBoundToNodes)],
  [
    'devices',
    ({ spec, requests }, { scenario: { cluster } }) =>
      (spec.resourceClaims ?? []).length > 0 ||
      [...requests.scalar.keys()].some(it => cluster.devices.classOfResource.has(it)),
  ],
  ['host ports', ({ hostPorts }) => hostPorts.length > 0],
  ['inter-Pod affinity', ({ terms }) => terms.required.length > 0],
  [
    'inter-Pod anti-affinity beyond the node',
    ({ terms: { requiredAnti } }, { scenario: { cluster } }) =>
      requiredAnti.some(it => it.topologyKey !== HOSTNAME) || (requiredAnti.length > 0 && !hasOwnHostnames(cluster)),
  ],
  ['a gang of another scheduler', isForOtherGang],
];

/** Whether each node has a hostname label of its own, so that a hostname identifies a node. */
function hasOwnHostnames({ nodes }: ClusterModel): boolean {
  const hostnames = new Set(nodes.flatMap(it => it.labels[HOSTNAME] ?? []));
  return hostnames.size === nodes.length;
}

const isBoundToNodes = (volume: Volume): boolean =>
  Object.keys(volume).some(it => it !== 'name' && !UNRESTRICTED_VOLUMES.has(it));

function isForOtherGang(pod: PodModel, { profiles }: Simulation): boolean {
  if (batchGroupIdOf(pod) !== undefined) return true;
  return profiles.get(pod.schedulerName)?.permit.some(it => it.name === 'Coscheduling') ?? false;
}

/**
 * Plugins that the formulation models: their refusal while no movable Pod is placed says nothing about other
 * placements.
 */
const MODELLED_PLUGINS: ReadonlySet<string> = new Set(['PodTopologySpread', 'GangScheduling']);

/** Also without preemption: Pods that the simulation evicted are gone, and no other Pod is evicted. */
function relaxedProfile(profile: Profile): Profile {
  return {
    ...profile,
    preFilter: profile.preFilter.filter(it => !MODELLED_PLUGINS.has(it.name)),
    filter: profile.filter.filter(it => !MODELLED_PLUGINS.has(it.name)),
    postFilter: [],
  };
}

/** Splits the Pods of a simulation into those that the formulation places and those that stay. */
export function movableOf(simulation: Simulation): Movable {
  const { scenario, result, profiles, gates } = simulation;
  const status = new Map(result.attempts.map(it => [it.pod, it.status]));
  const tried = scenario.pending.filter(it => ['scheduled', 'unschedulable'].includes(status.get(it.id) ?? ''));
  const gangs = gangsOf(scenario, profiles, gates, () => undefined).gangs.native;
  const gangOf = (pod: PodModel): string | undefined => {
    const gang = gangs?.get(groupIdOf(pod) ?? '');
    return gang?.minCount === undefined && gang?.topology?.key === undefined ? undefined : gang?.id;
  };
  const equivalent = equivalentPods(tried);
  const reasons = reasonsToStay(equivalent, simulation);
  for (const [i, [pod]] of equivalent.entries()) {
    const gang = gangs?.get(groupIdOf(pod!) ?? '');
    if (gang?.topology?.key !== undefined && !reasons.has(i)) reasons.set(i, 'a gang with a topology');
  }
  keepGangsTogether(equivalent, reasons, gangOf);
  if ((equivalent.length - reasons.size) * scenario.cluster.nodes.length > MOST_PAIRS) {
    for (const i of equivalent.keys()) if (!reasons.has(i)) reasons.set(i, TOO_MANY_PAIRS);
  }
  const moving = equivalent.filter((_, i) => !reasons.has(i));
  const movingIds = new Set(moving.flat().map(it => it.id));
  const staying = scenario.pending.filter(it => !movingIds.has(it.id));
  // The order of the queue is kept, so that the Pods that stay keep their start times.
  const { cluster } = settledAfter({ ...scenario, pending: staying }, result);
  const kept = new Map<string, number>();
  for (const [i, why] of reasons) kept.set(why, (kept.get(why) ?? 0) + equivalent[i]!.length);
  const groups = moving.map(pods => groupOf(pods, cluster, profiles.get(pods[0]!.schedulerName)!, gangOf(pods[0]!)));
  const ids = new Set(groups.flatMap(it => it.gang ?? []));
  const minimum = [...ids].map((id): [string, number] => {
    const gang = gangs!.get(id)!;
    return [id, (gang.minCount ?? 1) - cluster.running.filter(gang.has).length];
  });
  return { groups, cluster, minimum: new Map(minimum.filter(([, count]) => count > 0)), kept };
}

/** Labels and fields that differ between the Pods of a StatefulSet or an indexed Job, and that no plugin reads. */
const OWN_LABELS: ReadonlySet<string> = new Set(['statefulset.kubernetes.io/pod-name', 'apps.kubernetes.io/pod-index']);

function equivalentPods(pods: readonly PodModel[]): readonly (readonly PodModel[])[] {
  const keyOf = (pod: PodModel): string => {
    const labels = Object.entries(pod.labels).filter(([name]) => !OWN_LABELS.has(name));
    const { hostname: _, ...spec } = pod.spec;
    return jsonText([pod.namespace, labels.sort(), spec, pod.source.metadata?.ownerReferences?.[0]?.kind]);
  };
  return [...grouped(pods, keyOf).values()];
}

/** The reason to stay, by group index; a group without an entry is movable. */
function reasonsToStay(equivalent: readonly (readonly PodModel[])[], simulation: Simulation): Map<number, string> {
  const { scenario, profiles } = simulation;
  const reasons = new Map<number, string>();
  const stay = (i: number, why: string): void => {
    if (!reasons.has(i)) reasons.set(i, why);
  };
  for (const [i, [pod]] of equivalent.entries()) {
    const why = EXCLUSIONS.find(([, is]) => is(pod!, simulation))?.[0];
    if (why !== undefined) stay(i, why);
    const { required, requiredAnti } = pod!.terms;
    const spread = spreadOf(pod!, scenario.cluster, profiles.get(pod!.schedulerName)!)?.constraints ?? [];
    for (const [j, [other]] of equivalent.entries()) {
      const isMeant = [...required, ...requiredAnti].some(it => termMatches(it, other!, scenario.cluster.namespaces));
      const isCounted = other!.namespace === pod!.namespace && spread.some(it => it.selector.matches(other!.labels));
      if (i !== j && isMeant) for (const it of [i, j]) stay(it, 'inter-Pod affinity among different Pods');
      if (i !== j && isCounted) for (const it of [i, j]) stay(it, 'spread counted over different Pods');
    }
    const isOwn = (it: (typeof spread)[number]): boolean => it.selector.matches(pod!.labels);
    if (!spread.every(isOwn)) stay(i, 'spread counted over different Pods');
  }
  return reasons;
}

function keepGangsTogether(
  equivalent: readonly (readonly PodModel[])[],
  reasons: Map<number, string>,
  gangOf: (pod: PodModel) => string | undefined,
): void {
  const staying = new Set([...reasons.keys()].flatMap(it => gangOf(equivalent[it]![0]!) ?? []));
  for (const [i, [pod]] of equivalent.entries()) {
    if (!reasons.has(i) && staying.has(gangOf(pod!) ?? '')) reasons.set(i, 'a gang with Pods that stay');
  }
}

function groupOf(
  pods: readonly PodModel[],
  cluster: ClusterModel,
  profile: Profile,
  gang: string | undefined,
): MovableGroup {
  const pod = pods[0]!;
  const { nodes = [] } = scheduleOne(withoutNomination(pod), cluster, relaxedProfile(profile));
  const spread = spreadOf(pod, cluster, profile);
  const open = nodes.flatMap(it => (it.verdict === 'feasible' ? [it.node] : []));
  const labelsOf = new Map(cluster.nodes.map(it => [it.name, it.labels]));
  const hasDomains = (node: string): boolean =>
    (spread?.constraints ?? []).every(it => labelsOf.get(node)?.[it.topologyKey] !== undefined);
  return {
    pods,
    nodes: open.filter(hasDomains),
    onePerNode: pod.terms.requiredAnti.some(it => termMatches(it, pod, cluster.namespaces)),
    ...(spread && { spread }),
    ...(gang !== undefined && { gang }),
  };
}
