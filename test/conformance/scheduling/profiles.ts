import type { UnknownObject } from '../../../server/src/base/json';
import type { Draw } from './draw';
import { GPU, HUGE } from './nodes';
import { requirement } from './pods';

/** A KubeSchedulerConfiguration with one or two profiles, each of which differs from the default one. */
export function configuration(draw: Draw, schedulerNames: readonly string[]): UnknownObject {
  return {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: schedulerNames.map(schedulerName => ({
      schedulerName,
      plugins: draw.maybe(0.5, () => plugins(draw)),
      pluginConfig: draw.sample(pluginConfigs(draw), draw.int(0, 3)),
    })),
  };
}

const FILTERS = [
  'TaintToleration',
  'NodeAffinity',
  'NodeUnschedulable',
  'PodTopologySpread',
  'InterPodAffinity',
  'NodePorts',
];
const SCORES = [
  'TaintToleration',
  'NodeAffinity',
  'NodeResourcesFit',
  'PodTopologySpread',
  'InterPodAffinity',
  'NodeResourcesBalancedAllocation',
  'ImageLocality',
];

function plugins(draw: Draw): UnknownObject {
  const named = (names: readonly string[]) => names.map(name => ({ name }));
  const weighted = (names: readonly string[]) => names.map(name => ({ name, weight: draw.pick([1, 2, 5, 20, 1000]) }));
  const reweighed = (): UnknownObject => {
    const names = draw.sample(SCORES, draw.int(1, 3));
    return draw.chance(0.4)
      ? { enabled: weighted(names), disabled: [{ name: '*' }] }
      : { enabled: weighted(names), disabled: named(names) };
  };
  return draw.pick<() => UnknownObject>([
    () => ({
      multiPoint: {
        disabled: named(
          draw.sample(
            [...FILTERS, 'DefaultPreemption', 'ImageLocality', 'VolumeZone', 'NodeResourcesFit'],
            draw.int(1, 2),
          ),
        ),
      },
    }),
    () => ({ multiPoint: { enabled: weighted(draw.sample(SCORES, 2)) } }),
    () => ({ score: reweighed() }),
    () => ({ filter: { disabled: named(draw.sample(FILTERS, draw.int(1, 2))) } }),
    () => ({ score: { disabled: named(draw.sample(SCORES, draw.int(1, 3))) } }),
    () => ({ score: { disabled: [{ name: '*' }] }, preScore: { disabled: [{ name: '*' }] } }),
    () => ({ filter: { enabled: named(['NodeResourcesFit', 'TaintToleration']) } }),
    () => ({ postFilter: { disabled: [{ name: '*' }] } }),
    () => ({ preEnqueue: { disabled: named(['SchedulingGates']) } }),
  ])();
}

function pluginConfigs(draw: Draw): readonly UnknownObject[] {
  const config = (name: string, args: UnknownObject): UnknownObject => ({ name, args });
  return [
    config('NodeResourcesFit', {
      scoringStrategy: scoringStrategy(draw),
      ignoredResources: draw.maybe(0.2, () => [GPU]),
      ignoredResourceGroups: draw.maybe(0.2, () => ['vendor.example']),
    }),
    config('NodeResourcesBalancedAllocation', {
      resources: draw
        .sample(['cpu', 'memory', 'ephemeral-storage', GPU, HUGE], draw.int(1, 4))
        .map(name => ({ name, weight: 1 })),
    }),
    config('PodTopologySpread', draw.chance(0.3) ? { defaultingType: 'System' } : listDefaults(draw)),
    config('InterPodAffinity', {
      hardPodAffinityWeight: draw.pick([0, 1, 5, 100]),
      ignorePreferredTermsOfExistingPods: draw.maybe(0.5, () => true),
    }),
    config('NodeAffinity', {
      addedAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: draw.maybe(0.6, () => ({
          nodeSelectorTerms: [{ matchExpressions: [requirement(draw)] }],
        })),
        preferredDuringSchedulingIgnoredDuringExecution: draw.maybe(0.6, () => [
          { weight: draw.pick([3, 50]), preference: { matchExpressions: [requirement(draw)] } },
        ]),
      },
    }),
    config('DefaultPreemption', { minCandidateNodesPercentage: draw.pick([10, 100]), minCandidateNodesAbsolute: 100 }),
    config('VolumeBinding', { shape: shape(draw) }),
  ];
}

function listDefaults(draw: Draw): UnknownObject {
  const keys = draw.sample(['kubernetes.io/hostname', 'topology.kubernetes.io/zone', 'rack'], draw.int(0, 3));
  return {
    defaultingType: 'List',
    defaultConstraints: keys.map(topologyKey => ({
      topologyKey,
      maxSkew: draw.int(1, 4),
      whenUnsatisfiable: draw.pick(['DoNotSchedule', 'ScheduleAnyway']),
    })),
  };
}

function scoringStrategy(draw: Draw): UnknownObject {
  const type = draw.pick(['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio', 'RequestedToCapacityRatio']);
  return {
    type,
    resources: draw
      .sample(['cpu', 'memory', 'ephemeral-storage', GPU, HUGE], draw.int(1, 4))
      .map(name => ({ name, weight: draw.pick([1, 1, 3, 7, 100]) })),
    ...(type === 'RequestedToCapacityRatio' && { requestedToCapacityRatio: { shape: shape(draw) } }),
  };
}

/** Rising utilization, any scores. */
function shape(draw: Draw): readonly UnknownObject[] {
  const points = [...draw.sample([0, 17, 35, 50, 73, 90, 100], draw.int(1, 4))].sort((a, b) => a - b);
  return points.map(utilization => ({ utilization, score: draw.int(0, 10) }));
}
