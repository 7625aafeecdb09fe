import type { UnknownObject } from '../../../server/src/base/json';
import { randomFrom } from '../mutate';
import { compact, type Draw, drawFrom } from './draw';
import { nodeObject } from './nodes';
import { owners } from './peers';
import { FIRST, NAMESPACES, type PodContext, podObject } from './pods';
import { configuration } from './profiles';
import { ASPECTS, type Aspect, THEMES } from './themes';
import { NO_STORAGE, storage } from './volumes';

/** Their order by name differs from that of their numbers and from that of the file. */
const NODE_NAMES = ['n1', 'n2', 'n3', 'n10', 'b', 'a-1', 'z'];

/** The probability of an aspect that is not part of the theme. */
const BY_THE_WAY = 0.08;

/**
 * The objects of one random scenario: a cluster, its running Pods, the Pods to be scheduled, and the options. The same
 * theme and seed always give the same objects. `expandWorkloads` is off; the options document is `berth.dev/v1alpha1`
 * ScenarioOptions.
 */
export function scenarioOf(theme: string, seed: number): readonly UnknownObject[] {
  const draw = drawFrom(randomFrom(seed));
  const wanted = new Set<Aspect>([...(THEMES[theme] ?? []), ...draw.some(ASPECTS, BY_THE_WAY)]);
  const has = (aspect: Aspect): boolean => wanted.has(aspect);
  const nodeNames = draw.sample(NODE_NAMES, draw.int(1, 6));
  const schedulerNames = has('profiles')
    ? draw.sample(['default-scheduler', 'second'], draw.int(1, 2))
    : ['default-scheduler'];
  const disks = has('volumes') ? storage(draw, nodeNames, has('storage')) : NO_STORAGE;
  const classes = has('priorities') ? priorityClasses(draw) : [];
  const context: PodContext = {
    draw,
    has,
    nodeNames,
    classNames: [...classes.map(it => String((it.metadata as UnknownObject).name)), FIRST],
    schedulerNames: [...schedulerNames, ...draw.some(['nobody'], 0.1)],
    volumes: disks.volumesFor,
  };
  const nodes = nodeNames.map(it => nodeObject(draw, it, has));
  const running = draw.times(0, has('crowded') || has('interPod') || has('spread') ? 10 : 6, i =>
    podObject(context, `run${i}`, draw.chance(0.02) ? 'gone' : draw.pick(nodeNames)),
  );
  const pending = draw.times(1, 4, i => podObject(context, `pod${i}`));
  return compact([
    options(draw, has),
    ...(has('profiles') ? [configuration(draw, schedulerNames)] : []),
    ...classes,
    ...NAMESPACES.flatMap(it => (draw.chance(0.5) ? [namespace(draw, it)] : [])),
    ...(has('resources') ? [runtimeClass(draw)] : []),
    ...(has('defaultSpread') ? owners(draw) : []),
    ...(has('budgets') ? draw.times(1, 3, i => budget(draw, i)) : []),
    ...disks.objects,
    ...nodes,
    ...running,
    ...pending,
  ]);
}

const GATES = ['StorageCapacityScoring', 'VolumeLimitScaling', 'TaintTolerationComparisonOperators'];

function options(draw: Draw, has: (aspect: Aspect) => boolean): UnknownObject {
  return {
    apiVersion: 'berth.dev/v1alpha1',
    kind: 'ScenarioOptions',
    expandWorkloads: false,
    victims: has('priorities') ? draw.maybe(0.4, () => 'terminate') : undefined,
    retry: has('priorities') ? draw.maybe(0.5, () => draw.pick(['end', 'none'])) : undefined,
    featureGates: {
      ...(draw.chance(0.1) && { [draw.pick(GATES)]: draw.chance(0.5) }),
      ...(has('features') && { UserNamespacesHostNetworkSupport: true }),
    },
  };
}

function priorityClasses(draw: Draw): readonly UnknownObject[] {
  const make = (name: string, value: number, more: UnknownObject = {}): UnknownObject => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value,
    ...more,
  });
  return [
    make('low', draw.pick([-10, 1])),
    make('middle', 50, { globalDefault: draw.maybe(0.2, () => true) }),
    make('high', 1000),
    make('polite', 2000, { preemptionPolicy: 'Never' }),
  ];
}

function namespace(draw: Draw, name: string): UnknownObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: draw.maybe(0.6, () => ({ kind: draw.pick(['prod', 'x']) })) },
  };
}

function runtimeClass(draw: Draw): UnknownObject {
  return {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name: 'sandboxed' },
    handler: 'sandboxed',
    overhead: draw.maybe(0.8, () => ({ podFixed: { cpu: '130m', memory: draw.pick(['64Mi', '1Gi']) } })),
    scheduling: draw.maybe(0.4, () => ({
      nodeSelector: { rack: 'r1' },
      tolerations: draw.maybe(0.5, () => [{ key: 'dedicated', operator: 'Exists' }]),
    })),
  };
}

function budget(draw: Draw, i: number): UnknownObject {
  const app = draw.pick(['web', 'db', 'cache']);
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: `budget${i}` },
    spec: { minAvailable: 1, selector: draw.chance(0.1) ? {} : { matchLabels: { app } } },
    status: {
      disruptionsAllowed: draw.pick([0, 0, 1, 2]),
      currentHealthy: 1,
      desiredHealthy: 1,
      expectedPods: 1,
      observedGeneration: 1,
      disruptedPods: draw.maybe(0.2, () => ({ [`run${draw.int(0, 4)}`]: '2026-01-01T00:00:00Z' })),
    },
  };
}
