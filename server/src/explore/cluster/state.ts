import { grouped, push } from '../../base/multiMap';
import type { BudgetModel, ClusterModel } from '../../cluster/clusterModel';
import { desiredHealthy } from '../../cluster/disruptions';
import type { PodModel } from '../../cluster/pods/podModel';
import { NO_EQUAL_NODES, signOfContents } from '../orders/equalNodes';
import type { ExploredWorld, NodePhase } from './world';

/**
 * starts: bound, and it waits for a volume that is attached to another node; ends: deleted or evicted, and it still holds its room;
 * preempted: the same, by the scheduler.
 */
export type PodPhase = 'waits' | 'starts' | 'runs' | 'ends' | 'preempted';

export interface ExploredPod {
  /** Index into `ExploredWorld.kinds`. */
  readonly kind: number;
  /** -1: none. */
  readonly node: number;
  readonly phase: PodPhase;
  /** Of one that waits: the index of the node on which it preempted others; absent: none. */
  readonly nominated?: number;
}

/** Whether a Pod was deleted and has not ended yet. */
export const isEnding = ({ phase }: Pick<ExploredPod, 'phase'>): boolean => phase === 'ends' || phase === 'preempted';

/** A cluster at one moment. Immutable. */
export interface ExploredState {
  readonly pods: readonly ExploredPod[];
  readonly nodes: readonly NodePhase[];
  /** By set: how many Pods its controller keeps. */
  readonly wanted: readonly number[];
  readonly storage: ClusterModel['storage'];
  readonly devices: ClusterModel['devices'];
  /** What changed `storage` and `devices`, in order. */
  readonly taken: string;
}

export function startState({ scenario: { cluster }, pods, sets }: ExploredWorld): ExploredState {
  return {
    pods: pods.map(({ kind, node, isEnding: ends }) => ({
      kind,
      node,
      phase: ends ? 'ends' : node < 0 ? 'waits' : 'runs',
    })),
    nodes: cluster.nodes.map(() => 'up'),
    wanted: sets.map(it => it.wanted),
    storage: cluster.storage,
    devices: cluster.devices,
    taken: '',
  };
}

const PHASES: readonly PodPhase[] = ['waits', 'starts', 'runs', 'ends', 'preempted'];

/** The same number for Pods of one kind in one phase, and for those of them that are nominated to some node. */
function codeOf({ kind, phase, nominated }: ExploredPod): number {
  const inPhase = nominated === undefined ? PHASES.indexOf(phase) : PHASES.length;
  return kind * (PHASES.length + 1) + inPhase;
}

/** The same for Pods with one code in one place. */
export const placeOf = (pod: ExploredPod): string => `${codeOf(pod)}@${pod.node}^${pod.nominated ?? ''}`;

/**
 * The same for states that differ in the names of equal Pods and of equal nodes alone. `marks`: by node, what else tells nodes
 * apart; '' for most of them.
 */
export function keyOf(
  state: ExploredState,
  { equalNodes }: Pick<ExploredWorld, 'equalNodes'>,
  marks: readonly string[] = [],
): string {
  const { onNodes, waiting } = contentsOf(state, marks);
  return `${signOfContents(onNodes, equalNodes)}|${waiting}|${state.wanted.join()}|${state.taken}`;
}

/** What is to tell of a node, by its index, and what waits, as texts: equal where the Pods are equal but for their names. */
function contentsOf(
  { pods, nodes }: ExploredState,
  marks: readonly string[],
): { readonly onNodes: ReadonlyMap<number, string>; readonly waiting: string } {
  const lists = new Map<number, number[]>();
  for (const it of pods) push(lists, Math.max(it.node, it.nominated ?? -1), codeOf(it));
  const onNodes = new Map<number, string>();
  for (let i = 0; i < nodes.length; i++) {
    const [phase, mark, codes] = [nodes[i]!, marks[i] ?? '', lists.get(i)];
    if (phase !== 'up' || mark !== '' || codes) onNodes.set(i, `${phase.charAt(0)}${mark}${inOrder(codes ?? [])}`);
  }
  return { onNodes, waiting: inOrder(lists.get(-1) ?? []) };
}

/** The indexes of the nodes, of equal nodes with equal Pods that of the first one. */
export function differentNodes(
  state: ExploredState,
  { equalNodes }: Pick<ExploredWorld, 'equalNodes'>,
): readonly number[] {
  const { onNodes } = contentsOf(state, []);
  const known = new Set<string>();
  return [...state.nodes.keys()].filter(it => {
    const list = equalNodes.listOf.get(it);
    return list === undefined || known.size < known.add(`${list}=${onNodes.get(it) ?? ''}`).size;
  });
}

/** In place of the world: keys of states that differ in the names of equal nodes are different, too. */
export const NAMED_NODES: Pick<ExploredWorld, 'equalNodes'> = { equalNodes: NO_EQUAL_NODES };

const inOrder = (codes: number[]): string => (codes.length > 1 ? codes.sort((a, b) => a - b) : codes).join();

/** The models of the Pods, in the order of the state. Pods of one kind are numbered. */
export function podModels({ pods }: ExploredState, world: ExploredWorld): readonly PodModel[] {
  const counts = new Map<number, number>();
  return pods.map(pod => {
    const { name } = world.kinds[pod.kind]!.model;
    const count = counts.get(pod.kind) ?? 0;
    counts.set(pod.kind, count + 1);
    return modelOf(pod, count === 0 ? name : `${name}~${count}`, world);
  });
}

/** The model of a Pod under this name. */
export function modelOf(
  { kind, node, phase, nominated }: ExploredPod,
  name: string,
  { kinds, scenario }: ExploredWorld,
): PodModel {
  const { model } = kinds[kind]!;
  const nodeName = scenario.cluster.nodes[node]?.name;
  const nominatedNodeName = scenario.cluster.nodes[nominated ?? -1]?.name;
  return {
    ...model,
    name,
    id: `${model.namespace}/${name}`,
    ...(nodeName !== undefined && { nodeName }),
    ...(nominatedNodeName !== undefined && { nominatedNodeName }),
    ...(isEnding({ phase }) && { terminating: true }),
    ...(phase === 'preempted' && { conditions: [...model.conditions, PREEMPTED] }),
  };
}

/** Upstream: podTerminatingByPreemption looks for it. */
const PREEMPTED: PodModel['conditions'][number] = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'PreemptionByScheduler',
};

/** What the scheduler and the descheduler see of a state. Budgets are counted. */
export function clusterOf(
  state: ExploredState,
  world: ExploredWorld,
  models: readonly PodModel[] = podModels(state, world),
): ClusterModel {
  const { cluster } = world.scenario;
  return {
    ...cluster,
    nodes: state.nodes.map((phase, i) => world.nodesIn[phase][i]!),
    running: models.filter(it => it.nodeName !== undefined),
    budgets: cluster.budgets.map(it => ({ ...it, disruptionsAllowed: disruptionsAllowed(it, state, world) })),
    storage: state.storage,
    devices: state.devices,
  };
}

/** Whether a Pod counts as available. */
export function isAvailable({ node, phase }: ExploredPod, { nodes }: ExploredState): boolean {
  return phase === 'runs' && nodes[node] !== 'lost';
}

export function budgetsOfPod(
  { kind }: Pick<ExploredPod, 'kind'>,
  { kinds, scenario }: ExploredWorld,
): readonly BudgetModel[] {
  const { namespace, labels } = kinds[kind]!.model;
  return scenario.cluster.budgets.filter(it => it.namespace === namespace && it.selector.matches(labels));
}

/** How many Pods of a budget may be evicted. Upstream: DisruptionController.trySync. */
export function disruptionsAllowed(budget: BudgetModel, state: ExploredState, world: ExploredWorld): number {
  const { healthy, desired } = healthOf(budget, state, world);
  return desired === undefined ? 0 : Math.max(0, healthy - desired);
}

/** `desired`: how many must stay healthy; undefined: the controller cannot tell, and allows no disruption. */
export function healthOf(
  { namespace, selector, source }: BudgetModel,
  state: ExploredState,
  { kinds, sets }: ExploredWorld,
): { readonly healthy: number; readonly desired: number | undefined } {
  const own = state.pods.filter(it => {
    const { model } = kinds[it.kind]!;
    return model.namespace === namespace && selector.matches(model.labels);
  });
  const healthy = own.filter(it => isAvailable(it, state)).length;
  const bySet = grouped(own, it => kinds[it.kind]!.set);
  const { minAvailable, maxUnavailable } = source.spec ?? {};
  if (typeof minAvailable === 'number' && (maxUnavailable === undefined || maxUnavailable === null))
    return { healthy, desired: minAvailable };
  if (bySet.has(undefined)) return { healthy, desired: undefined };
  const controllers = new Set([...bySet.keys()].map(it => sets[it!]!.workload ?? `set ${it}`));
  const expected = sets.reduce(
    (sum, it, i) => sum + (controllers.has(it.workload ?? `set ${i}`) ? state.wanted[i]! : 0),
    0,
  );
  return { healthy, desired: desiredHealthy(source.spec, expected) };
}
