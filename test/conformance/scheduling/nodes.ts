import type { UnknownObject } from '../../../server/src/base/json';
import type { Draw } from './draw';
import type { Aspect } from './themes';

export const ZONES = ['a', 'b', 'c'];
export const TAINT_KEYS = ['dedicated', 'broken', 'size'];
export const TAINT_VALUES = ['', 'x', 'y', '3', '7'];
export const IMAGES = ['app:1', 'app', 'registry.example:5000/team/db', 'side:2', 'big@sha256:aa'];
export const FEATURES = ['RestartAllContainersOnContainerExits', 'UserNamespacesHostNetworkSupport'];
export const GPU = 'example.com/gpu';
export const NIC = 'vendor.example/nic';
export const HUGE = 'hugepages-2Mi';

const MEBIBYTE = 1024 * 1024;

export function nodeObject(draw: Draw, name: string, has: (aspect: Aspect) => boolean): UnknownObject {
  const isTight = has('crowded') || has('resources');
  const capacity = {
    cpu: draw.pick(isTight ? ['1', '2', '3', '4', '3900m', '8'] : ['4', '8', '16', '7500m']),
    memory: draw.pick(isTight ? ['1Gi', '2Gi', '3Gi', '4G', '8Gi'] : ['8Gi', '9G', '16Gi', '32Gi']),
    pods: draw.chance(0.15) ? draw.pick(['1', '2', '3']) : '110',
    'ephemeral-storage': draw.maybe(0.7, () => draw.pick(['2Gi', '10Gi', '100Gi'])),
    ...(has('resources') && {
      [GPU]: draw.maybe(0.6, () => draw.pick(['0', '1', '2', '4'])),
      [NIC]: draw.maybe(0.3, () => draw.pick(['1', '8'])),
      [HUGE]: draw.maybe(0.4, () => draw.pick(['64Mi', '256Mi', '1Gi'])),
    }),
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: nodeLabels(draw, name) },
    spec: {
      unschedulable: draw.maybe(has('unschedulable') ? 0.3 : 0.03, () => true),
      taints: has('taints') ? draw.maybe(0.6, () => taints(draw)) : undefined,
    },
    status: {
      capacity,
      allocatable: draw.maybe(isTight ? 0.3 : 0.05, () => ({
        ...capacity,
        cpu: draw.pick(['900m', '1800m', '3500m']),
        memory: '1700Mi',
      })),
      images: has('images') ? images(draw) : undefined,
      declaredFeatures: has('features') ? draw.some(FEATURES, 0.6) : undefined,
    },
  };
}

function nodeLabels(draw: Draw, name: string): UnknownObject {
  const zone = draw.pick(ZONES);
  const old = draw.chance(0.06);
  return {
    'kubernetes.io/hostname': draw.maybe(0.95, () => name),
    [old ? 'failure-domain.beta.kubernetes.io/zone' : 'topology.kubernetes.io/zone']: draw.maybe(0.85, () => zone),
    [old ? 'failure-domain.beta.kubernetes.io/region' : 'topology.kubernetes.io/region']: draw.maybe(0.5, () =>
      zone === 'c' ? 'west' : 'east',
    ),
    disk: draw.maybe(0.7, () => draw.pick(['ssd', 'hdd', ''])),
    gen: draw.maybe(0.6, () => draw.pick(['1', '3', '5', '12', '-2', 'new', '007'])),
    rack: draw.maybe(0.6, () => draw.pick(['r1', 'r2'])),
  };
}

function taints(draw: Draw): readonly UnknownObject[] {
  return draw.sample(TAINT_KEYS, draw.int(1, 2)).map(key => ({
    key,
    value: draw.maybe(0.7, () => draw.pick(TAINT_VALUES)) || undefined,
    effect: draw.pick(['NoSchedule', 'PreferNoSchedule', 'PreferNoSchedule', 'NoExecute']),
  }));
}

function images(draw: Draw): readonly UnknownObject[] {
  return draw.some(IMAGES, 0.5).map(name => ({
    names: [
      name.includes(':') && !name.endsWith('db') ? name : `${name}:latest`,
      ...draw.some([`${name}-other:1`], 0.3),
    ],
    sizeBytes: draw.pick([10, 23, 60, 400, 999, 1500, 4000]) * MEBIBYTE + draw.int(0, 1000),
  }));
}
