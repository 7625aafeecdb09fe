import type { JsonObject } from '../../base/json';
import { lazy } from '../../base/lazy';
import { grouped } from '../../base/multiMap';
import type { NodeModel } from '../../cluster/clusterModel';
import { makerKey } from '../../cluster/owners';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Pod, PodSpec, Taint } from '../../kube/types';
import type { PlacementFacts, PodRefusal, Replicas } from '../../rules/framework/placementFacts';
import { deviceShortages } from '../../scheduler/plugins/dynamicResources/shortages';
import { type Alone, createAlone, openNodes, scheduleMore, spreadOf } from '../../scheduler/queries';
import type { WorkspaceObject } from '../../workspace/object';
import type { EnvironmentPlacement } from './environmentPlacement';
import { specIn } from './specIn';

/**
 * What rules may ask about an environment; undefined where nobody describes its nodes: the embedded cluster says nothing
 * about the one of the user, and Nodes without their capacity, as some keep them for their labels, say too little.
 */
export function placementFactsOf(
  environment: EnvironmentPlacement,
  sizes: PlacementFacts['sizes'],
): PlacementFacts | undefined {
  const { cluster, source } = environment;
  if (source.kind === 'default' || cluster.nodes.length === 0 || !cluster.nodes.every(tellsCapacity)) return undefined;
  const byId = new Map(environment.pods.map(it => [it.id, it]));
  const refusals = lazy(() => refusalsByOwner(environment));
  // Whoever names a node is never seen by the scheduler.
  const isUnseen = (it: PodModel): boolean => it.spec.nodeName !== undefined && environment.attempts.has(it.id);
  const podsOf = (it: WorkspaceObject): readonly PodModel[] =>
    modelsOf(it, environment, byId).filter(pod => !isUnseen(pod));
  const explained = lazy(() => explainedPods(environment));
  const isExplained = (pod: PodModel): boolean =>
    environment.nodeOf(pod.id) !== undefined ||
    explained() === 'all' ||
    (explained() as ReadonlySet<string>).has(pod.id);
  const taintsByKey = lazy(() => grouped(distinctTaints(cluster.nodes), it => it.key ?? ''));
  const askAlone = lazy(() => createAlone(cluster));
  const aloneByPod = new Map<string, Alone | undefined>();
  const aloneOf = (pod: PodModel): Alone | undefined => {
    const profile = environment.profiles.get(pod.schedulerName);
    if (!isExplained(pod)) return undefined;
    if (!aloneByPod.has(pod.id)) aloneByPod.set(pod.id, profile && askAlone()(pod, profile));
    return aloneByPod.get(pod.id);
  };
  return {
    cluster,
    sizes,
    comparison: environment.gates.taintTolerationComparisonOperators ? 'on' : 'off',
    taintsByKey,
    taintKeys: lazy(() => [...taintsByKey().keys()].sort()),
    groups: environment.groups,
    specOf: it => specOf(it, environment, byId),
    podsOf,
    refusalOf: it => refusals().get(makerKey(it.kind, it.namespace, it.name)),
    attemptOf: it => environment.attempts.get(it.id),
    nodeOf: it => environment.nodeOf(it.id),
    victimsOf: it => environment.victimsOf(it.id).flatMap(id => byId.get(id) ?? []),
    isExplained,
    aloneOf,
    nodesOpenTo(pod) {
      const alone = aloneOf(pod);
      const open = alone && openNodes(alone);
      return open && cluster.nodes.filter(it => open.has(it.name));
    },
    spreadOf(pod) {
      const profile = environment.profiles.get(pod.schedulerName);
      return profile && spreadOf(pod, cluster, profile);
    },
    deviceShortages: lazy(() => deviceShortages(environment.pods, cluster, environment.gates)),
    withReplicas: (object, replicas) => replicasOf(object, podsOf(object), replicas, environment),
  };
}

/** The Pods that an object is or makes, without those that admission refuses. */
function modelsOf(
  object: WorkspaceObject,
  { podsOf }: EnvironmentPlacement,
  byId: ReadonlyMap<string, PodModel>,
): readonly PodModel[] {
  return podsOf(object).flatMap(it => byId.get(it) ?? []);
}

function distinctTaints(nodes: readonly NodeModel[]): Iterable<Taint> {
  const taints = nodes.flatMap(it => it.taints);
  return new Map(taints.map(it => [`${it.key}=${it.value ?? ''}:${it.effect}`, it])).values();
}

/** How many verdicts of nodes about Pods that find none are told: one takes some 20 µs. */
const MOST_VERDICTS = 100_000;
/** Of so many Pods the reasons are told, however many nodes there are. */
const LEAST_EXPLAINED = 20;

/** The ids of the Pods without a node whose reasons are told, the first of the queue. */
function explainedPods({ pods, attempts, nodeOf, cluster }: EnvironmentPlacement): ReadonlySet<string> | 'all' {
  const most = Math.max(LEAST_EXPLAINED, Math.floor(MOST_VERDICTS / cluster.nodes.length));
  const stuck = pods.filter(it => attempts.has(it.id) && nodeOf(it.id) === undefined);
  return stuck.length <= most ? 'all' : new Set(stuck.slice(0, most).map(it => it.id));
}

const tellsCapacity = ({ source: { status } }: NodeModel): boolean =>
  status?.allocatable !== undefined || status?.capacity !== undefined;

type NamedPod = Pick<PodModel, 'source'> & { readonly namespace?: string; readonly name?: string };

/** The Pod, and what made it. */
function keysOf(pod: NamedPod, { ownersOf }: EnvironmentPlacement): readonly string[] {
  const owners = ownersOf(pod).map(it => makerKey(it.kind, pod.namespace, it.name));
  return [makerKey('Pod', pod.namespace, pod.name), ...owners];
}

function refusalsByOwner(environment: EnvironmentPlacement): ReadonlyMap<string, PodRefusal> {
  const res = new Map<string, PodRefusal>();
  for (const { source, message, more = 0, isByPolicy } of environment.rejected) {
    for (const key of keysOf({ ...source.metadata, source }, environment)) {
      const before = res.get(key);
      const pods = (before?.pods ?? 0) + 1 + more;
      res.set(key, { message: before?.message ?? message, pods, ...(isByPolicy && { isByPolicy }) });
    }
  }
  return res;
}

function specOf(
  object: WorkspaceObject,
  environment: EnvironmentPlacement,
  pods: ReadonlyMap<string, PodModel>,
): PodSpec | undefined {
  const { cluster, rejected } = environment;
  const podNamed = (id: string): Pod | undefined => (pods.get(id) ?? rejected.find(it => it.id === id))?.source;
  return specIn(object, cluster.objects, podNamed) ?? environment.refusalOf(object)?.spec();
}

/** What asks for more replicas than there are. */
const ASKING = ['HorizontalPodAutoscaler', 'Deployment'];
/** How many Pods are placed for all of these together: one takes some 20 µs. */
const MOST_PLACED_ANEW = 100_000;
const MOST_MORE = 100_000;
/** So many further Pods are tried for each, however many ask. */
const LEAST_MORE = 20;

/**
 * Further Pods come when all others have their places, as an autoscaler makes them. Where each brings objects of its own,
 * or is admitted or placed together with others, everything is placed again.
 */
function replicasOf(
  object: WorkspaceObject,
  pods: readonly PodModel[],
  replicas: number,
  environment: EnvironmentPlacement,
): Replicas | undefined {
  const [like] = pods;
  const { cluster } = environment;
  // The number of objects that may ask, and not of those that have: the answer about one does not depend on the order.
  const asking = ASKING.reduce((sum, it) => sum + (cluster.objects.get(it)?.length ?? 0), 1);
  if (like === undefined || isNotAlone(like, environment)) {
    const isTooMuch = (environment.pods.length + replicas) * asking > MOST_PLACED_ANEW;
    return isTooMuch ? undefined : allAnew(object, replicas, environment);
  }
  const most = Math.max(LEAST_MORE, Math.floor(MOST_MORE / asking));
  const wanted = Math.max(0, replicas - pods.length);
  const more = scheduleMore(like, Math.min(wanted, most), environment.settled(), environment.profiles);
  if (wanted > most && more.every(it => it.status === 'scheduled')) return undefined;
  const placedNow = pods.slice(0, replicas).filter(it => environment.nodeOf(it.id) !== undefined);
  const placedLater = more.filter(it => it.status === 'scheduled');
  const stuck = pods.find(it => environment.nodeOf(it.id) === undefined);
  const first = (stuck && environment.attempts.get(stuck.id)) ?? more.find(it => it.status !== 'scheduled');
  return {
    wanted: replicas,
    placed: placedNow.length + placedLater.length,
    ...(first?.message !== undefined && { message: first.message }),
  };
}

function isNotAlone({ spec, schedulerName }: PodModel, { cluster, profiles }: EnvironmentPlacement): boolean {
  const hasClaims = (spec.volumes ?? []).some(it => it.persistentVolumeClaim ?? it.ephemeral);
  const isOfGroup = spec.schedulingGroup !== undefined || !profiles.has(schedulerName);
  const isCounted = (cluster.objects.get('ResourceQuota') ?? []).length > 0;
  return hasClaims || isOfGroup || isCounted || (spec.resourceClaims ?? []).length > 0;
}

function allAnew(object: WorkspaceObject, replicas: number, environment: EnvironmentPlacement): Replicas {
  const { value } = object.manifest;
  const scaled = environment.changed(it =>
    it === value ? { ...it, spec: { ...(it.spec as JsonObject | undefined), replicas } } : it,
  );
  const pods = modelsOf(object, scaled, new Map(scaled.pods.map(it => [it.id, it])));
  const stuck = pods.find(it => scaled.nodeOf(it.id) === undefined);
  const message = stuck && scaled.attempts.get(stuck.id)?.message;
  return {
    wanted: pods.length,
    placed: pods.filter(it => scaled.nodeOf(it.id) !== undefined).length,
    ...(message !== undefined && { message }),
  };
}
