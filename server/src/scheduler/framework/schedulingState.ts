import type { Mutable } from '../../base/copy';
import { appended, itemsOf, type PrefixList, prefixList } from '../../base/prefixList';
import { topologySign, withTopologyLabels } from '../../cluster/admission/topologyLabels';
import type { ClusterModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import type { ScenarioOptions } from '../../cluster/scenario';
import type { Attempt, GroupAttempt, NodeVerdict } from '../result';
import type { Decision, Reservation, Waiting } from './interface';
import { type NodeInfo, withoutPod, withPod } from './nodeInfo';
import type { SharedWork } from './sharedWork';

/** State of the simulation between two scheduling cycles. Immutable. Upstream: the scheduler's cache and queue. */
export interface SchedulingState {
  readonly cluster: ClusterModel;
  readonly nodes: readonly NodeInfo[];
  /** How `nodes` developed; of use only while `history.of` is `nodes`. */
  readonly history: NodeHistory;
  readonly work: SharedWork;
  /** Pod id → Pod with its nomination. */
  readonly nominated: ReadonlyMap<string, PodModel>;
  readonly attempts: PrefixList<Attempt>;
  readonly groups: readonly GroupAttempt[];
  readonly evicted: readonly string[];
  /** In the order in which they began to wait. */
  readonly waiting: readonly Waiting[];
  /** Where the next cycle's evaluation of the nodes starts. */
  readonly start: number;
}

/**
 * The state with some of its fields replaced. One object literal for all states, so that V8 gives them one hidden class
 * from run to run: when a spread makes another one, all compiled code that reads states is thrown away.
 */
export function stateWith(before: SchedulingState, changes: Partial<SchedulingState>): SchedulingState {
  return {
    cluster: changes.cluster ?? before.cluster,
    nodes: changes.nodes ?? before.nodes,
    history: changes.history ?? before.history,
    work: changes.work ?? before.work,
    nominated: changes.nominated ?? before.nominated,
    attempts: changes.attempts ?? before.attempts,
    groups: changes.groups ?? before.groups,
    evicted: changes.evicted ?? before.evicted,
    waiting: changes.waiting ?? before.waiting,
    start: changes.start ?? before.start,
  };
}

/** Nodes as a starting point plus all changed nodes since, so that thousands of states share one list. */
export interface NodeHistory {
  readonly of: readonly NodeInfo[];
  readonly before: readonly NodeInfo[];
  readonly changed: PrefixList<NodeInfo>;
}

export const historyFrom = (nodes: readonly NodeInfo[]): NodeHistory => ({
  of: nodes,
  before: nodes,
  changed: prefixList([]),
});

/** The history of the nodes; a fresh one when the node list was replaced without recording the change. */
export const historyOf = ({ nodes, history }: Pick<SchedulingState, 'nodes' | 'history'>): NodeHistory =>
  history.of === nodes ? history : historyFrom(nodes);

/** The nodes at the end of a history. */
export function nodesAtEnd({ before, changed }: Omit<NodeHistory, 'of'>): readonly NodeInfo[] {
  const nodes = [...before];
  for (const it of itemsOf(changed)) nodes[it.index] = it;
  return nodes;
}

/** Later than the start time of any Pod that ran before. */
const PLACING_START = Date.UTC(9000, 0, 1);

const NOTHING_TAKEN: Pick<Reservation, 'volumes' | 'claims'> = {};

/** Under this key an attempt holds what computes its verdicts: no spread copies it, no JSON has it. */
const LATER = Symbol('verdicts');

/** An attempt whose verdicts are computed when they are first read. */
type LazyAttempt = Attempt & { [LATER]: () => readonly NodeVerdict[] };

/** One getter for all attempts: V8 gives objects with getters of their own no common hidden class. */
const VERDICTS: PropertyDescriptor & ThisType<LazyAttempt> = {
  enumerable: true,
  configurable: true,
  get() {
    const verdicts = this[LATER]();
    this[LATER] = () => verdicts;
    return verdicts;
  },
};

/**
 * V8 takes four times as long to add hidden properties to an object that a spread has made, so that the attempts of most
 * Pods, which have no other fields, are made as a literal.
 */
function copyOfAttempt(attempt: Decision['attempt'], count: number): Mutable<Attempt> {
  if (!isPlain(attempt)) return { ...attempt, attempt: count };
  const { pod, priority, status, node, tiedNodes, fits } = attempt;
  return { pod, attempt: count, priority, status, node, tiedNodes, fits };
}

/** Whether it has the fields of a Pod that was placed by itself and took nothing besides its node, and no others. */
function isPlain<T extends Omit<Attempt, 'nodes'>>(it: T): it is T & Required<Pick<T, 'node' | 'tiedNodes' | 'fits'>> {
  const isSingle = it.status === 'scheduled' && it.group === undefined;
  return (
    isSingle &&
    it.fits !== undefined &&
    it.tiedNodes !== undefined &&
    it.volumes === undefined &&
    it.claims === undefined
  );
}

export function attemptOf({ attempt, nodes }: Decision, count: number, taken?: Reservation): Attempt {
  const { volumes, claims } = taken ?? NOTHING_TAKEN;
  const res = copyOfAttempt(attempt, count);
  if (volumes) res.volumes = volumes;
  if (claims?.length) res.claims = claims;
  if (nodes === undefined) return res;
  Object.defineProperty(res, LATER, { writable: true, value: nodes });
  return Object.defineProperty(res, 'nodes', VERDICTS);
}

/** The attempt without its verdicts, which are not even computed, and without its tied nodes. */
export function withoutNodes(attempt: Attempt): Attempt {
  if (isPlain(attempt)) {
    const { pod, attempt: count, priority, status, node, fits } = attempt;
    return { pod, attempt: count, priority, status, node, fits };
  }
  const kept: Record<string, unknown> = {};
  for (const key in attempt) {
    if (key !== 'nodes' && key !== 'tiedNodes') kept[key] = attempt[key as keyof Attempt];
  }
  return kept as unknown as Attempt;
}

/** The nodes after the victims are deleted, or with the victims terminating, as the options say. */
export function afterEviction(
  nodes: readonly NodeInfo[],
  victims: readonly PodModel[],
  options: ScenarioOptions,
): readonly NodeInfo[] {
  const left = new Set(victims.map(it => it.nodeName));
  return nodes.map(it => (left.has(it.name) ? nodeAfterEviction(it, victims, options) : it));
}

function nodeAfterEviction(node: NodeInfo, victims: readonly PodModel[], options: ScenarioOptions): NodeInfo {
  if (options.victims === 'delete') return victims.reduce(withoutPod, node);
  const ids = new Set(victims.map(it => it.id));
  const condition = { type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' };
  const leaving = (it: PodModel): PodModel => ({
    ...it,
    terminating: true,
    conditions: [...it.conditions.filter(other => other.type !== condition.type), condition],
  });
  return { ...node, pods: node.pods.map(it => (ids.has(it.id) ? leaving(it) : it)) };
}

/** The Pod on its node, with a start time later than that of all Pods placed before. */
export function placedPod(
  pod: PodModel,
  node: NodeInfo,
  attemptCount: number,
  { admissionPlugins }: ScenarioOptions,
  work?: SharedWork,
): PodModel {
  const startTime = PLACING_START + attemptCount * 1000;
  const isLabelled = admissionPlugins.has('PodTopologyLabels');
  const labels = isLabelled ? labelsOn(node, pod.labels, work) : pod.labels;
  return onNode(pod, pod, node.name, startTime, labels);
}

/** A placed Pod with the newest version of what it was made from. */
export const renewed = (placed: PodModel, newest: PodModel): PodModel =>
  onNode(placed, newest, placed.nodeName!, placed.startTime, placed.labels);

/** One object literal for all Pods, so that V8 gives them one hidden class; the Pod is no longer nominated. */
function onNode(
  pod: PodModel,
  { spec, source }: Pick<PodModel, 'spec' | 'source'>,
  nodeName: string,
  startTime: number,
  labels: PodModel['labels'],
): PodModel {
  const { mutatedBy } = pod;
  const placed: Required<Omit<PodModel, 'mutatedBy' | 'nominatedNodeName'>> = {
    id: pod.id,
    name: pod.name,
    namespace: pod.namespace,
    labels,
    spec,
    priority: pod.priority,
    schedulerName: pod.schedulerName,
    requests: pod.requests,
    nonZeroRequests: pod.nonZeroRequests,
    nonZeroOfContainers: pod.nonZeroOfContainers,
    terms: pod.terms,
    hostPorts: pod.hostPorts,
    startTime,
    terminating: pod.terminating,
    conditions: pod.conditions,
    source,
    nodeName,
  };
  return mutatedBy ? { ...placed, mutatedBy } : placed;
}

/** Pods with the same labels on nodes with the same topology labels share one labels object. */
function labelsOn({ node }: NodeInfo, labels: PodModel['labels'], work: SharedWork | undefined): PodModel['labels'] {
  if (work === undefined) return withTopologyLabels(labels, node.labels);
  const bySource = work.always(
    'labels of placed Pods',
    () => new WeakMap<PodModel['labels'], Map<string, PodModel['labels']>>(),
  );
  const signs = work.always('labels of nodes', () => new Map<NodeInfo['node'], string>());
  const ofNode = signs.get(node) ?? topologySign(node.labels);
  signs.set(node, ofNode);
  const byNode = bySource.get(labels) ?? new Map<string, PodModel['labels']>();
  const found = byNode.get(ofNode) ?? withTopologyLabels(labels, node.labels);
  bySource.set(labels, byNode.set(ofNode, found));
  return found;
}

/** The nodes with one more Pod, and their history. */
export function withPlacement(
  state: Pick<SchedulingState, 'nodes' | 'history' | 'work'>,
  { index }: NodeInfo,
  placed: PodModel,
): { readonly nodes: readonly NodeInfo[]; readonly history: NodeHistory } {
  const { before, changed } = historyOf(state);
  const node = withPod(state.nodes[index]!, placed);
  const nodes = state.nodes.with(index, node);
  state.work.recordMove(state.nodes, nodes, index);
  return { nodes, history: { of: nodes, before, changed: appended(changed, node) } };
}
