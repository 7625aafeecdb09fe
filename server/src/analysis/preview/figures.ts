import { grouped } from '../../base/multiMap';
import type { ClusterModel, NodeModel } from '../../cluster/clusterModel';
import { ownersOf } from '../../cluster/owners';
import type { PodModel } from '../../cluster/pods/podModel';
import type { PreviewFigures } from './model';

const ZONE = 'topology.kubernetes.io/zone';

/** cpu in millicores, memory in bytes. */
interface Amounts {
  readonly cpu: number;
  readonly memory: number;
}

/** Free resources of a node. */
interface Room extends Amounts {
  readonly pods: number;
}

/** A placement. */
interface Placed {
  /** The cluster before the run. */
  readonly cluster: ClusterModel;
  /** The Pods to place. */
  readonly pending: readonly PodModel[];
  /** Pod id → node; without evicted Pods. */
  readonly nodeOf: ReadonlyMap<string, string>;
}

/** Figures of a placement, for comparison with others of the same cluster. */
export function figuresOf({ cluster, pending, nodeOf }: Placed): PreviewFigures {
  const pods = [...cluster.running, ...pending];
  const placed = pods.filter(it => nodeOf.has(it.id));
  const byNode = grouped(placed, it => nodeOf.get(it.id));
  const rooms = cluster.nodes.map(it => roomOn(it, byNode.get(it.name) ?? []));
  const all = total(cluster.nodes.map(capacityOf));
  const left = total(rooms);
  const zoneOf = new Map(cluster.nodes.map(it => [it.name, it.labels[ZONE] ?? '']));
  const fresh = pending.filter(it => nodeOf.has(it.id));
  const byZone = grouped(fresh, it => zoneOf.get(nodeOf.get(it.id) ?? '') ?? '');
  const isOfDaemonSet = (it: PodModel): boolean => ownersOf(it, cluster).at(-1)?.kind === 'DaemonSet';
  return {
    placed: placed.length,
    unplaced: pods.length - placed.length,
    fresh: { placed: fresh.length, of: pending.length },
    nodes: cluster.nodes.length,
    nodesUsed: [...byNode.values()].filter(it => !it.every(isOfDaemonSet)).length,
    free: { cpu: part(left.cpu, all.cpu), memory: part(left.memory, all.memory) },
    zones: [...new Set(zoneOf.values())].sort().map(zone => ({ zone, pods: byZone.get(zone)?.length ?? 0 })),
    room: roomFor(meanOf(fresh.length > 0 ? fresh : placed), rooms),
  };
}

const capacityOf = ({ allocatable, maxPods }: NodeModel): Room => ({
  cpu: allocatable.milliCpu,
  memory: allocatable.memory,
  pods: maxPods,
});

function roomOn(node: NodeModel, pods: readonly PodModel[]): Room {
  const all = capacityOf(node);
  const used = total(pods.map(amountsOf));
  return {
    cpu: Math.max(0, all.cpu - used.cpu),
    memory: Math.max(0, all.memory - used.memory),
    pods: Math.max(0, all.pods - pods.length),
  };
}

const amountsOf = ({ requests }: PodModel): Room => ({ cpu: requests.milliCpu, memory: requests.memory, pods: 1 });

const total = (rooms: readonly Room[]): Room =>
  rooms.reduce((a, b) => ({ cpu: a.cpu + b.cpu, memory: a.memory + b.memory, pods: a.pods + b.pods }), NOTHING);

const NOTHING: Room = { cpu: 0, memory: 0, pods: 0 };

function meanOf(pods: readonly PodModel[]): Amounts {
  const sum = total(pods.map(amountsOf));
  return { cpu: sum.cpu / Math.max(1, pods.length), memory: sum.memory / Math.max(1, pods.length) };
}

function roomFor(mean: Amounts, rooms: readonly Room[]): PreviewFigures['room'] {
  const times = ({ cpu, memory, pods }: Room): number =>
    Math.floor(Math.min(pods, ratio(cpu, mean.cpu), ratio(memory, mean.memory)));
  return { fits: rooms.reduce((sum, it) => sum + times(it), 0), whole: times(total(rooms)) };
}

const ratio = (room: number, wanted: number): number => (wanted > 0 ? room / wanted : Number.POSITIVE_INFINITY);

const part = (some: number, whole: number): number => (whole > 0 ? some / whole : 0);
