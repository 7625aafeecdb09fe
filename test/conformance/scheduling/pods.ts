import type { UnknownObject } from '../../../server/src/base/json';
import type { Draw } from './draw';
import { GPU, HUGE, IMAGES, NIC, TAINT_KEYS, TAINT_VALUES, ZONES } from './nodes';
import { antiAffinity, podAffinity, spreadConstraint } from './peers';
import type { Aspect } from './themes';

export interface PodContext {
  readonly draw: Draw;
  readonly has: (aspect: Aspect) => boolean;
  readonly nodeNames: readonly string[];
  readonly classNames: readonly string[];
  readonly schedulerNames: readonly string[];
  /** Volumes for a Pod of the namespace, and of the node if it is running. */
  readonly volumes: (namespace: string, node: string | undefined) => readonly UnknownObject[];
}

export const APPS = ['web', 'db', 'cache'];
export const NAMESPACES = ['default', 'team', 'other'];

/** A Pod on a node, or one to be placed. */
export function podObject(context: PodContext, name: string, node?: string): UnknownObject {
  const isFirst = context.has('nominated') && name === 'pod0';
  const { draw, has } = context;
  const namespace = has('namespaces') ? draw.pick(NAMESPACES) : draw.chance(0.05) ? 'other' : 'default';
  const app = draw.pick(APPS);
  const onHost = has('ports') || has('features') ? draw.chance(0.15) : false;
  const pending = node === undefined;
  const labels = draw.chance(0.95)
    ? { app, version: draw.maybe(0.5, () => draw.pick(['1', '2'])), tier: draw.maybe(0.3, () => 'front') }
    : undefined;
  const isSmall = has('podLevel') && draw.chance(0.4);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: namespace === 'default' ? undefined : namespace,
      labels,
      ownerReferences: has('defaultSpread') ? draw.maybe(0.6, () => [owner(draw, app)]) : undefined,
      ...(!pending && has('terminating') && draw.chance(0.3) && leaving),
    },
    spec: {
      nodeName: node,
      schedulerName: pending ? draw.pick(context.schedulerNames) : undefined,
      hostNetwork: onHost || undefined,
      hostUsers: onHost && has('features') ? draw.maybe(0.6, () => false) : undefined,
      priorityClassName: isFirst
        ? FIRST
        : has('priorities')
          ? draw.maybe(0.75, () => (pending && draw.chance(0.02) ? 'absent' : draw.pick(context.classNames)))
          : undefined,
      priority:
        has('priorities') && !isFirst ? draw.maybe(0.05, () => draw.pick([-5, 0, 1000, 1_000_000_000])) : undefined,
      schedulingGates: pending && has('gates') ? draw.some([{ name: 'x.io/a' }, { name: 'x.io/b' }], 0.15) : undefined,
      runtimeClassName:
        pending && has('resources') ? draw.maybe(0.2, () => (draw.chance(0.05) ? 'absent' : 'sandboxed')) : undefined,
      tolerations: has('taints') ? tolerations(draw) : undefined,
      nodeSelector: has('nodeAffinity') ? draw.maybe(0.25, () => nodeSelector(draw)) : undefined,
      affinity: {
        nodeAffinity: has('nodeAffinity') ? nodeAffinity(draw, context.nodeNames) : undefined,
        ...(has('interPod') && {
          podAffinity: draw.maybe(0.4, () => podAffinity(draw)),
          podAntiAffinity: draw.maybe(0.4, () => antiAffinity(draw)),
        }),
      },
      topologySpreadConstraints:
        pending && has('spread') ? uniqueSpread(draw.times(0, 3, () => spreadConstraint(draw))) : undefined,
      resources: isSmall ? podLevelResources(draw) : undefined,
      initContainers: has('resources')
        ? draw.times(0, 2, i => container(context, `init${i}`, onHost, 'init'))
        : undefined,
      containers: draw.times(1, draw.chance(0.3) ? 3 : 1, i => container(context, `c${i}`, onHost, 'main')),
      volumes: context.volumes(namespace, node),
    },
    status: status(context, pending, isFirst),
  };
}

function nodeSelector(draw: Draw): UnknownObject {
  return draw.chance(0.8) ? { disk: draw.pick(['ssd', 'hdd', '']) } : { rack: draw.pick(['r1', 'r2']) };
}

/** The class with the highest priority. */
export const FIRST = 'system-cluster-critical';

const leaving = {
  deletionTimestamp: '2026-01-01T00:10:00Z',
  deletionGracePeriodSeconds: 30,
  finalizers: ['x.io/hold'],
};

function owner(draw: Draw, app: string): UnknownObject {
  const kind = draw.pick(['ReplicaSet', 'ReplicaSet', 'StatefulSet', 'ReplicationController', 'Job']);
  const apiVersion = { ReplicationController: 'v1', Job: 'batch/v1' }[kind] ?? 'apps/v1';
  return { apiVersion, kind, name: `${app}-${kind.toLowerCase()}`, uid: `${kind}-${app}`, controller: true };
}

function status({ draw, has, nodeNames }: PodContext, pending: boolean, isFirst: boolean): UnknownObject {
  if (pending) {
    // The program that makes the labels shows a waiting Pod's nomination to others without its requests, so only the
    // first one has any.
    return isFirst ? { nominatedNodeName: draw.pick([...nodeNames, 'gone']) } : {};
  }
  return {
    phase: draw.chance(0.04) ? draw.pick(['Succeeded', 'Failed']) : undefined,
    startTime: draw.maybe(0.2, () => `2026-01-01T00:0${draw.int(0, 9)}:00Z`),
    conditions: has('terminating')
      ? draw.maybe(0.4, () => [
          {
            type: 'DisruptionTarget',
            status: draw.pick(['True', 'True', 'False']),
            reason: draw.pick(['PreemptionByScheduler', 'PreemptionByScheduler', 'EvictionByEvictionAPI']),
          },
        ])
      : undefined,
    ...(has('resized') && draw.chance(0.5) && resizeStatus(draw)),
  };
}

/** The status that the kubelet sets for a Pod whose resources are being changed. */
function resizeStatus(draw: Draw): UnknownObject {
  const amounts = (): UnknownObject => ({ cpu: draw.pick(['100m', '1', '2']), memory: draw.pick(['64Mi', '1Gi']) });
  return {
    containerStatuses: [
      {
        name: 'c0',
        image: 'app:1',
        imageID: 'app:1',
        ready: true,
        restartCount: 0,
        allocatedResources: draw.maybe(0.7, amounts),
        resources: draw.maybe(0.7, () => ({ requests: amounts() })),
      },
    ],
    conditions: draw.maybe(0.4, () => [
      { type: 'PodResizePending', status: 'True', reason: draw.pick(['Infeasible', 'Deferred']) },
    ]),
  };
}

function container(context: PodContext, name: string, onHost: boolean, place: 'main' | 'init'): UnknownObject {
  const { draw, has } = context;
  const sidecar = place === 'init' && draw.chance(0.5);
  return {
    name,
    image: has('images') ? draw.pick([...IMAGES, 'unknown:3']) : 'app:1',
    restartPolicy: sidecar ? 'Always' : undefined,
    ...(has('features') && !sidecar && place === 'main' && draw.chance(0.3) && restartRules(draw)),
    ports: has('ports') && (place === 'main' || sidecar) ? ports(draw, onHost, name) : undefined,
    resources: resources(context),
  };
}

function restartRules(draw: Draw): UnknownObject {
  const action = draw.pick(['Restart', 'RestartAllContainers']);
  return { restartPolicy: 'Never', restartPolicyRules: [{ action, exitCodes: { operator: 'In', values: [42] } }] };
}

function resources({ draw, has }: PodContext): UnknownObject {
  const shape = draw.pick(['both', 'both', 'both', 'cpu', 'memory', 'none', 'limits', 'zero']);
  const cpu = draw.pick(
    has('crowded') ? ['500m', '900m', '1', '1500m', '2'] : ['50m', '100m', '250m', '500m', '1', '1500m', '0.333'],
  );
  const memory = draw.pick(['10Mi', '128Mi', '300M', '512Mi', '1Gi', '0.5Gi', '123456789']);
  const asked = {
    cpu: shape === 'zero' ? '0' : shape === 'memory' || shape === 'none' ? undefined : cpu,
    memory: shape === 'zero' ? '0' : shape === 'cpu' || shape === 'none' ? undefined : memory,
    'ephemeral-storage': has('resources') ? draw.maybe(0.3, () => draw.pick(['500Mi', '1Gi', '3Gi'])) : undefined,
  };
  const whole = has('resources')
    ? {
        [GPU]: draw.maybe(0.3, () => draw.pick(['0', '1', '2'])),
        [NIC]: draw.maybe(0.15, () => '1'),
        [HUGE]: asked.cpu === undefined && asked.memory === undefined ? undefined : draw.maybe(0.2, () => '64Mi'),
      }
    : {};
  return shape === 'limits' ? { limits: { ...asked, ...whole } } : { requests: { ...asked, ...whole }, limits: whole };
}

function podLevelResources(draw: Draw): UnknownObject {
  const amounts = {
    cpu: draw.maybe(0.7, () => draw.pick(['6', '8', '9'])),
    memory: draw.maybe(0.7, () => draw.pick(['4Gi', '6Gi'])),
  };
  const limits = draw.maybe(0.5, () => ({ cpu: amounts.cpu, memory: amounts.memory }));
  return { requests: draw.maybe(0.8, () => amounts), limits };
}

function tolerations(draw: Draw): readonly UnknownObject[] {
  return draw.times(0, 3, () => {
    const operator = draw.pick(['Equal', 'Equal', 'Exists', undefined, undefined]);
    const value = operator === 'Exists' ? undefined : draw.pick(TAINT_VALUES) || undefined;
    const key = draw.chance(0.05) ? undefined : draw.pick([...TAINT_KEYS, 'node.kubernetes.io/unschedulable']);
    const effect = draw.pick([undefined, undefined, 'NoSchedule', 'PreferNoSchedule', 'NoExecute']);
    return {
      key,
      operator: key === undefined ? 'Exists' : operator,
      value: key === undefined ? undefined : value,
      effect,
    };
  });
}

export function requirement(draw: Draw): UnknownObject {
  const key = draw.pick(['disk', 'disk', 'gen', 'rack', 'topology.kubernetes.io/zone', 'nowhere']);
  const operator = draw.pick(['In', 'In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']);
  if (operator === 'Gt' || operator === 'Lt')
    return { key: 'gen', operator, values: [draw.pick(['1', '3', '4', '11'])] };
  if (operator === 'Exists' || operator === 'DoesNotExist') return { key, operator };
  const known: Readonly<Record<string, readonly string[]>> = {
    disk: ['ssd', 'hdd', ''],
    gen: ['1', '3', '5', 'new'],
    rack: ['r1', 'r2'],
    'topology.kubernetes.io/zone': ZONES,
  };
  return { key, operator, values: draw.sample(known[key] ?? ['x'], draw.int(1, 2)) };
}

function selectorTerm(draw: Draw, nodeNames: readonly string[], fields: number): UnknownObject {
  const byName = draw.chance(fields);
  return {
    matchExpressions: byName && draw.chance(0.5) ? undefined : draw.times(1, 2, () => requirement(draw)),
    matchFields: byName
      ? draw.times(1, draw.chance(0.2) ? 2 : 1, () => ({
          key: 'metadata.name',
          operator: draw.pick(['In', 'In', 'In', 'NotIn']),
          values: [draw.pick([...nodeNames, 'gone'])],
        }))
      : undefined,
  };
}

export function nodeAffinity(draw: Draw, nodeNames: readonly string[]): UnknownObject {
  const fields = draw.pick([0, 0, 0.5, 1]);
  return {
    requiredDuringSchedulingIgnoredDuringExecution: draw.maybe(0.5, () => ({
      nodeSelectorTerms: draw.times(1, 3, () => selectorTerm(draw, nodeNames, fields)),
    })),
    preferredDuringSchedulingIgnoredDuringExecution: draw.maybe(0.5, () =>
      draw.times(1, 3, () => ({
        weight: draw.pick([1, 7, 20, 100]),
        preference: draw.chance(0.05) ? {} : selectorTerm(draw, nodeNames, 0.2),
      })),
    ),
  };
}

function ports(draw: Draw, onHost: boolean, container: string): readonly UnknownObject[] {
  return draw.sample([8080, 8081, 53, 443], draw.int(0, 2)).map((port, i) => ({
    name: draw.maybe(0.1, () => `${container}-p${i}`),
    containerPort: port,
    hostPort: onHost ? draw.maybe(0.5, () => port) : draw.maybe(0.8, () => port),
    hostIP: onHost ? undefined : draw.maybe(0.4, () => draw.pick(['127.0.0.1', '10.0.0.1', '0.0.0.0', '::'])),
    protocol: draw.maybe(0.4, () => draw.pick(['TCP', 'UDP', 'SCTP'])),
  }));
}

/** The API server requires distinct pairs of key and action. */
function uniqueSpread(constraints: readonly UnknownObject[]): readonly UnknownObject[] {
  const of = (it: UnknownObject): string => `${it.topologyKey}/${it.whenUnsatisfiable}`;
  return constraints.filter((it, i) => constraints.findIndex(other => of(other) === of(it)) === i);
}
