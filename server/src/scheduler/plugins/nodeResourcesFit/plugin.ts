import type { DeviceInventory } from '../../../cluster/devices/inventory';
import type { PodModel } from '../../../cluster/pods/podModel';
import { isExtendedResource, type Resources } from '../../../cluster/resources/resources';
import {
  type AllocationState,
  type Allocations,
  allocationState,
  allocations,
  areInColumns,
  CPU_AND_MEMORY,
  eachAllocation,
  type ResourceSpec,
  requestsOf,
} from '../../framework/allocation';
import type { PluginFactory, Status } from '../../framework/interface';
import { type NodeAmounts, nodeAmounts } from '../../framework/nodeAmounts';
import type { NodeInfo } from '../../framework/nodeInfo';
import { MAX_NODE_SCORE, mulDiv } from '../../framework/normalize';
import { definePlugin } from '../../framework/plugin';
import { alongShape, type ShapePoint, shapeFrom } from '../../framework/shape';
import { signRequests } from '../../framework/signatures';
import { isRefusal, success } from '../../framework/status';
import { deviceCounter } from '../dynamicResources/deviceTotals';

interface Strategy {
  readonly type?: string;
  readonly resources?: readonly ResourceSpec[];
  readonly requestedToCapacityRatio?: { readonly shape?: unknown } | null;
}

interface Ignored {
  readonly names: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
}

/** Upstream: pkg/scheduler/framework/plugins/noderesources/fit.go. */
export const nodeResourcesFit: PluginFactory = ({ args, gates }) => {
  const strategy = (args.scoringStrategy as Strategy | undefined) ?? {};
  const specs = (strategy.resources ?? CPU_AND_MEMORY).map(it => ({ ...it, weight: it.weight || 1 }));
  const scorer = scorerOf(strategy, specs);
  const ignored: Ignored = {
    names: new Set((args.ignoredResources as readonly string[] | undefined) ?? []),
    groups: new Set((args.ignoredResourceGroups as readonly string[] | undefined) ?? []),
  };
  const countDevices = deviceCounter(specs, gates);
  const hasDevices = gates.isOn('DRAExtendedResource');
  return definePlugin<undefined, AllocationState>({
    name: 'NodeResourcesFit',
    // Devices are allocated through claims, which the node does not list.
    ...(!countDevices && { shares: { dependsOn: 'nodeAndPods', sign: signRequests } }),
    filter: (_, pod, node, { cluster }) =>
      fitsOn(pod, node, ignored, hasDevices ? cluster.devices.classOfResource : NO_CLASSES),
    preScore: (pod, cycle) => ({
      status: success,
      state: allocationState(requestsOf(pod, specs, 'nonZeroOfContainers'), countDevices?.(cycle)),
    }),
    score: (state, _pod, node) => scorer(allocations(specs, state, node, 'nonZeroRequested')),
    filterMany(_, pod, cycle, indexes, fits) {
      if (pod.requests.scalar.size === 0) return clearWithoutRoom(pod.requests, nodeAmounts(cycle), indexes, fits);
      const classes = hasDevices ? cycle.cluster.devices.classOfResource : NO_CLASSES;
      for (const it of indexes) if (isRefusal(fitsOn(pod, cycle.nodes[it]!, ignored, classes))) fits[it] = 0;
    },
    ...(areInColumns(specs) && {
      addScores(state, cycle, indexes, fits, { sums, weight }) {
        const many = { amounts: nodeAmounts(cycle), indexes, fits };
        eachAllocation(specs, state, many, 'nonZeroRequested', (found, index) => {
          sums[index]! += weight * scorer(found);
        });
      },
    }),
  });
};

const NO_CLASSES: DeviceInventory['classOfResource'] = new Map();

/** DynamicResources decides about a resource that the node has as devices only. */
function fitsOn(
  pod: PodModel,
  node: NodeInfo,
  ignored: Ignored,
  classOfResource: DeviceInventory['classOfResource'],
): Status {
  const { allocatable, maxPods } = node.node;
  const requested = pod.requests;
  const taken = node.requested;
  if (hasRoom(requested, node)) return success;
  const reasons: string[] = [];
  let hopeless = false;
  const check = (name: string, direction: number, used: number, total: number): void => {
    if (direction <= 0 || direction <= total - used) return;
    reasons.push(`Insufficient ${name}`);
    if (direction > total) hopeless = true;
  };
  if (node.pods.length + 1 > maxPods) reasons.push('Too many pods');
  check('cpu', requested.milliCpu, taken.milliCpu, allocatable.milliCpu);
  check('memory', requested.memory, taken.memory, allocatable.memory);
  check('ephemeral-storage', requested.ephemeralStorage, taken.ephemeralStorage, allocatable.ephemeralStorage);
  for (const [name, direction] of requested.scalar) {
    if (isExtendedResource(name) && isIgnored(name, ignored)) continue;
    if (classOfResource.has(name) && !allocatable.scalar.get(name)) continue;
    check(name, direction, taken.scalar.get(name) ?? 0, allocatable.scalar.get(name) ?? 0);
  }
  if (reasons.length === 0) return success;
  return { code: hopeless ? 'UnschedulableAndUnresolvable' : 'Unschedulable', reasons };
}

/** `hasRoom` for many nodes: a Pod without scalar resources fits where there is room, and nowhere else. */
function clearWithoutRoom(
  { milliCpu, memory, ephemeralStorage }: Resources,
  { pods, allocatable, requested }: NodeAmounts,
  indexes: readonly number[],
  fits: Uint8Array,
): void {
  for (let i = 0; i < indexes.length; i++) {
    const at = indexes[i]!;
    const isRoom =
      pods[at]! > 0 &&
      (milliCpu <= 0 || milliCpu <= allocatable.cpu[at]! - requested.cpu[at]!) &&
      (memory <= 0 || memory <= allocatable.memory[at]! - requested.memory[at]!) &&
      (ephemeralStorage <= 0 ||
        ephemeralStorage <= allocatable.ephemeralStorage[at]! - requested.ephemeralStorage[at]!);
    if (!isRoom) fits[at] = 0;
  }
}

/** A quick check that suffices for most Pods on most nodes. */
function hasRoom(
  { milliCpu, memory, ephemeralStorage, scalar }: Resources,
  { node, pods, requested }: NodeInfo,
): boolean {
  const { allocatable, maxPods } = node;
  return (
    scalar.size === 0 &&
    pods.length < maxPods &&
    (milliCpu <= 0 || milliCpu <= allocatable.milliCpu - requested.milliCpu) &&
    (memory <= 0 || memory <= allocatable.memory - requested.memory) &&
    (ephemeralStorage <= 0 || ephemeralStorage <= allocatable.ephemeralStorage - requested.ephemeralStorage)
  );
}

function isIgnored(name: string, ignored: Ignored): boolean {
  return ignored.names.has(name) || ignored.groups.has(name.split('/')[0] ?? '');
}

type Scorer = (found: Allocations) => number;

function scorerOf(strategy: Strategy, specs: readonly ResourceSpec[]): Scorer {
  switch (strategy.type) {
    case 'MostAllocated':
      return meanOf(specs, (requested, allocatable) =>
        mulDiv(Math.min(requested, allocatable), MAX_NODE_SCORE, allocatable),
      );
    case 'RequestedToCapacityRatio':
      return ratioScorer(specs, shapeFrom(strategy.requestedToCapacityRatio?.shape));
    default:
      return meanOf(specs, (requested, allocatable) =>
        requested > allocatable ? 0 : mulDiv(allocatable - requested, MAX_NODE_SCORE, allocatable),
      );
  }
}

function meanOf(specs: readonly ResourceSpec[], score: (requested: number, allocatable: number) => number): Scorer {
  return ({ requested, allocatable }) => {
    let sum = 0;
    let weights = 0;
    for (let i = 0; i < specs.length; i++) {
      if (allocatable[i] === 0) continue;
      const { weight } = specs[i]!;
      sum += score(requested[i]!, allocatable[i]!) * weight;
      weights += weight;
    }
    return weights === 0 ? 0 : Math.trunc(sum / weights);
  };
}

function ratioScorer(specs: readonly ResourceSpec[], shape: readonly ShapePoint[]): Scorer {
  return ({ requested, allocatable }) => {
    let sum = 0;
    let weights = 0;
    for (const [i, { weight }] of specs.entries()) {
      const [request, total] = [requested[i]!, allocatable[i]!];
      if (total === 0) continue;
      const utilization = request > total ? 100 : mulDiv(request, 100, total);
      const score = alongShape(shape, utilization);
      if (score <= 0) continue;
      sum += score * weight;
      weights += weight;
    }
    return weights === 0 ? 0 : Math.round(sum / weights);
  };
}
