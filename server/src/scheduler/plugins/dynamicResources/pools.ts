import { grouped } from '../../../base/multiMap';
import { jsonText } from '../../../base/printed';
import type { NodeModel } from '../../../cluster/clusterModel';
import type { Counters, DeviceModel, NodeReach, SliceModel } from '../../../cluster/devices/devices';
import { compareText } from '../../../cluster/scenario';
import { aggregate } from '../../../kube/labelSelector';
import type { DeviceFeatures } from './features';

export type CounterSets = ReadonlyMap<string, Counters>;

/** The devices of one driver's pool that one node reaches. Upstream: Pool. */
export interface Pool {
  /** DRIVER/POOL */
  readonly id: string;
  readonly driver: string;
  readonly name: string;
  /** incomplete: slices are missing; invalid: slices contradict each other. Nothing is allocated from either. */
  readonly state: 'usable' | 'incomplete' | 'invalid';
  /** By name. */
  readonly slices: readonly SliceModel[];
  /** Slices whose devices the node does not reach; the counters that they consume count nevertheless. */
  readonly elsewhere: readonly SliceModel[];
  readonly counterSets: CounterSets;
}

/** Slices, indexed. */
export interface SliceIndex {
  readonly ofNode: ReadonlyMap<string, readonly SliceModel[]>;
  readonly shared: readonly SliceModel[];
  /** Slices of single nodes that hold counters. */
  readonly counters: readonly SliceModel[];
  readonly ofPool: ReadonlyMap<string, readonly SliceModel[]>;
}

export function sliceIndex(slices: readonly SliceModel[]): SliceIndex {
  const shared = slices.filter(it => it.reach.nodeName === '');
  const ofOneNode = slices.filter(it => it.reach.nodeName !== '');
  return {
    ofNode: grouped(ofOneNode, it => it.reach.nodeName),
    shared,
    counters: ofOneNode.filter(it => it.counterSets.length > 0),
    ofPool: grouped(slices, it => it.poolId),
  };
}

/** Upstream: NodeMatches. */
export function reaches({ nodeName, allNodes, nodeSelector }: NodeReach, node: NodeModel): boolean | { error: string } {
  if (nodeName !== '') return node.name === nodeName;
  if (allNodes) return true;
  if (nodeSelector === undefined) return false;
  const { matcher, written } = nodeSelector;
  const error = aggregate(matcher.errors);
  if (error !== undefined) return { error: `failed to parse node selector ${jsonText(written)}: ${error}` };
  return matcher.matches(node);
}

/** The pools that one node reaches, in allocation order. Upstream: GatherPools. */
export function gatherPools(
  index: SliceIndex,
  node: NodeModel,
  features: DeviceFeatures,
): readonly Pool[] | { readonly error: string } {
  const found = new Map<string, SliceModel[]>();
  // The stable allocator considers counters everywhere.
  const isStable = features.allocator === 'stable';
  const foreign = isStable ? index.counters.filter(it => it.reach.nodeName !== node.name) : [];
  for (const slice of [...(index.ofNode.get(node.name) ?? []), ...index.shared, ...foreign]) {
    if (!isSupported(slice, features)) continue;
    const relevant = (isStable && slice.counterSets.length > 0) || isRelevant(slice, node);
    if (typeof relevant === 'object') return relevant;
    if (relevant) addSlice(found, slice);
  }
  const pools = [...found].flatMap(([id, slices]) => poolOf(id, slices, index, features) ?? []);
  const byId = (a: Pool, b: Pool): number => compareText(a.driver, b.driver) || compareText(a.name, b.name);
  const last = pools.filter(hasBindingConditions);
  return [...pools.filter(it => !last.includes(it)).sort(byId), ...last.sort(byId)];
}

/** Slices that use features which are off, or which this allocator does not support, are ignored. */
function isSupported(slice: SliceModel, { partitionableDevices }: DeviceFeatures): boolean {
  const isPartitioned = slice.perDeviceNodeSelection !== undefined || slice.counterSets.length > 0;
  return !slice.usesCompatibilityGroups && (partitionableDevices || !isPartitioned);
}

function isRelevant({ reach, ...slice }: SliceModel, node: NodeModel): boolean | { readonly error: string } {
  if (reach.nodeName !== '' || reach.allNodes || reach.nodeSelector !== undefined) {
    return withContext(reaches(reach, node), `slice ${slice.name}`);
  }
  if (!slice.perDeviceNodeSelection) return false;
  for (const device of slice.devices) {
    const answer = withContext(reaches(device.reach, node), `device ${device.name} in slice ${slice.name}`);
    if (answer !== false) return answer;
  }
  return false;
}

function withContext(answer: boolean | { error: string }, context: string): boolean | { readonly error: string } {
  if (typeof answer === 'boolean') return answer;
  return { error: `gather pool information: failed to perform node selection for ${context}: ${answer.error}` };
}

/** Only the newest generation counts. */
function addSlice(pools: Map<string, SliceModel[]>, slice: SliceModel): void {
  const found = pools.get(slice.poolId);
  const generation = found?.[0]?.generation ?? Number.NEGATIVE_INFINITY;
  if (slice.generation > generation) pools.set(slice.poolId, [slice]);
  else if (slice.generation === generation) found?.push(slice);
}

/** undefined for a pool that is being replaced by slices that the node does not reach. */
function poolOf(
  id: string,
  slices: readonly SliceModel[],
  { ofPool }: SliceIndex,
  features: DeviceFeatures,
): Pool | undefined {
  const { generation, sliceCount } = slices[0]!;
  if (slices.length === sliceCount) return buildPool(id, slices, slices, features);
  const all = ofPool.get(id) ?? [];
  if (all.some(it => it.generation > generation)) return undefined;
  const current = all.filter(it => it.generation === generation && !it.usesCompatibilityGroups);
  if (current.length !== sliceCount) return emptyPool(id, slices[0]!, 'incomplete');
  return buildPool(id, slices, current, features);
}

function emptyPool(id: string, { driver, pool }: SliceModel, state: Pool['state']): Pool {
  return { id, driver, name: pool, state, slices: [], elsewhere: [], counterSets: new Map() };
}

function buildPool(
  id: string,
  reached: readonly SliceModel[],
  all: readonly SliceModel[],
  { partitionableDevices }: DeviceFeatures,
): Pool {
  const hasCounters = (it: SliceModel): boolean => partitionableDevices && it.counterSets.length > 0;
  const names = new Set(reached.map(it => it.name));
  const slices = reached.filter(it => !hasCounters(it)).sort((a, b) => compareText(a.name, b.name));
  const elsewhere = all.filter(it => !names.has(it.name) && !hasCounters(it));
  const counterSets = new Map<string, Counters>();
  const usable: Pool = { ...emptyPool(id, reached[0]!, 'usable'), slices, elsewhere, counterSets };
  const invalid = emptyPool(id, reached[0]!, 'invalid');
  if (hasDuplicateDevices(slices)) return invalid;
  if (!partitionableDevices) return usable;
  for (const set of all.filter(hasCounters).flatMap(it => it.counterSets)) {
    if (counterSets.has(set.name)) return invalid;
    counterSets.set(set.name, set.counters);
  }
  const fits = ({ consumesCounters }: DeviceModel): boolean =>
    consumesCounters.every(it =>
      [...it.counters.keys()].every(name => counterSets.get(it.counterSet)?.has(name))
        ? counterSets.has(it.counterSet)
        : false,
    );
  return [...slices, ...elsewhere].every(it => it.devices.every(fits)) ? usable : invalid;
}

function hasDuplicateDevices(slices: readonly SliceModel[]): boolean {
  const names = slices.flatMap(it => it.devices.map(device => device.name));
  return new Set(names).size < names.length;
}

function hasBindingConditions({ slices }: Pool): boolean {
  return slices.some(it => it.devices.some(device => device.bindingConditions !== undefined));
}
