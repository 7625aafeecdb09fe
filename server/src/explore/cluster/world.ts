import { objectOrEmpty, type UnknownObject } from '../../base/json';
import { lazyByObject } from '../../base/lazy';
import { jsonText } from '../../base/printed';
import { runToEnd, type Steps } from '../../base/steps';
import type { NodeModel } from '../../cluster/clusterModel';
import { targetNode } from '../../cluster/controllers/daemonSet';
import { ownerKeys } from '../../cluster/controllers/workloads';
import { controllersIn } from '../../cluster/owners';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Scenario } from '../../cluster/scenario';
import type { OwnerReference } from '../../kube/types';
import type { Profiles } from '../../scheduler/configuration/profiles';
import type { SchedulerGates } from '../../scheduler/framework/interface';
import { podsNotQueued } from '../../scheduler/gangs/queue';
import { settledAfter } from '../../scheduler/queries';
import { type RunOptions, readScenarioSteps, type Simulation } from '../../scheduler/scenario';
import { type EqualNodes, equalNodes } from '../orders/equalNodes';

/** Pods that differ in their names alone. */
export interface PodKind {
  /** One of them, without a node. */
  readonly model: PodModel;
  /** In traces: that of the workload, or of the Pod where it has one of its own. */
  readonly name: string;
  /** Index into `ExploredWorld.sets`; absent: no controller makes it again. */
  readonly set?: number;
  /** Never attempted: PreEnqueue holds it, or no profile serves it. */
  readonly isHeld: boolean;
  /** The index of the node that the template names; -1: there is no such node; absent: it names none. */
  readonly namedNode?: number;
  /** drains: left alone by drains, as Pods of DaemonSets and static ones are. */
  readonly ignoredBy?: 'drains';
  /** Claims that only Pods on one node use at once, NAMESPACE/NAME. */
  readonly oneNodeClaims: readonly string[];
}

/** What makes equal Pods: a ReplicaSet, one ordinal of a StatefulSet, one node of a DaemonSet, a Job. */
export interface PodSet {
  /** Index into `ExploredWorld.workloads`; absent: the controller is not among the objects. */
  readonly workload?: number;
  /** Index into `ExploredWorld.kinds`: what it makes. */
  readonly made: number;
  /** How many Pods it keeps in the beginning. */
  readonly wanted: number;
  /**
   * The same for sets of which a Pod is made only once those that end are gone: one name of a StatefulSet, one node of a DaemonSet;
   * absent: others are made at once.
   */
  readonly place?: string;
}

export interface WorkloadModel {
  /** `Deployment web`, with the namespace where that is not `default`. */
  readonly title: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly source: UnknownObject;
}

/** lost: the node does not answer, so that its Pods are replaced elsewhere. */
export type NodePhase = 'up' | 'cordoned' | 'lost';

/** What stays the same while a cluster is explored. Immutable. */
export interface ExploredWorld {
  readonly objects: readonly UnknownObject[];
  readonly run: RunOptions;
  /** After the Pods to place were placed as `berth place` does. */
  readonly scenario: Scenario;
  /** By phase: the nodes as the scheduler sees them then, by index. */
  readonly nodesIn: Readonly<Record<NodePhase, readonly NodeModel[]>>;
  readonly profiles: Profiles;
  readonly gates: SchedulerGates;
  readonly kinds: readonly PodKind[];
  readonly sets: readonly PodSet[];
  readonly workloads: readonly WorkloadModel[];
  readonly equalNodes: EqualNodes;
  /** Pods in the beginning: their kinds, their names, and the indexes of their nodes, -1 for none. */
  readonly pods: readonly ExistingPod[];
}

interface ExistingPod {
  readonly kind: number;
  readonly name: string;
  readonly node: number;
  /** Whether it was deleted and has not ended yet. */
  readonly isEnding: boolean;
}

/** Their controllers tell Pods apart, by name or by node, so that each Pod is a kind of its own. */
const NAMED: ReadonlySet<string> = new Set(['StatefulSet', 'DaemonSet']);

/** The world of a cluster in which the Pods to place have been placed. */
export function* clusterWorld(
  objects: readonly UnknownObject[],
  run: RunOptions,
  { scenario, profiles, gates, result }: Simulation,
): Steps<ExploredWorld> {
  const settled = settledAfter(scenario, result);
  const evicted = new Set(result.evicted);
  const waiting = scenario.pending.filter(it => result.placements[it.id] === undefined && !evicted.has(it.id));
  const builder = createBuilder(settled, profiles);
  const withoutPods = objects.filter(it => it.kind !== 'Pod');
  const fresh = yield* readScenarioSteps(withoutPods, { ...run, expandWorkloads: scenario.options.expandWorkloads });
  for (const it of [...fresh.pending, ...fresh.cluster.running]) builder.addMade(it, fresh);
  const pods = [...settled.cluster.running, ...waiting].map(it => ({
    kind: builder.kindOf(it),
    name: it.name,
    node: settled.cluster.nodes.findIndex(node => node.name === it.nodeName),
    isEnding: it.terminating === true,
  }));
  const { kinds, sets, workloads } = builder.built();
  const models = kinds.map(it => it.model);
  const bare = { ...settled, cluster: { ...settled.cluster, running: [] }, pending: models };
  const nodes = equalNodes(bare, Number.NEGATIVE_INFINITY);
  return {
    objects,
    run,
    scenario: settled,
    nodesIn: nodesByPhase(settled.cluster.nodes),
    profiles,
    gates,
    kinds,
    sets,
    workloads,
    equalNodes: nodes,
    pods,
  };
}

const UNREACHABLE = 'node.kubernetes.io/unreachable';

/** Upstream: nodelifecycle.Controller puts both taints on a node whose condition Ready is unknown. */
function nodesByPhase(up: readonly NodeModel[]): ExploredWorld['nodesIn'] {
  const taints = (['NoSchedule', 'NoExecute'] as const).map(effect => ({ key: UNREACHABLE, effect }));
  return {
    up,
    cordoned: up.map(it => ({ ...it, unschedulable: true })),
    lost: up.map(it => ({ ...it, taints: [...it.taints, ...taints] })),
  };
}

interface WorldBuilder {
  /** A Pod that a controller makes. */
  addMade(pod: PodModel, from: Scenario): void;
  kindOf(pod: PodModel): number;
  built(): Pick<ExploredWorld, 'kinds' | 'sets' | 'workloads'>;
}

function createBuilder(scenario: Scenario, profiles: Profiles): WorldBuilder {
  const kinds: PodKind[] = [];
  const sets: { workload?: number; made: number; wanted: number; place?: string }[] = [];
  const workloads: WorkloadModel[] = [];
  const numbers = new Map<string, number>();
  const setOf = new Map<string, number>();
  const numbersOf = new Map<string, number>();
  const { nodes } = scenario.cluster;
  const topIn = lazyByObject(topsOf);
  /** `from`: where the Pod was made; absent: it is an existing one. */
  const kindFor = (pod: PodModel, set: number | undefined, name: string, from?: Scenario): number => {
    const sign = String(jsonText([set ?? pod.id, signOf(pod)]));
    const known = numbers.get(sign);
    if (known !== undefined) return known;
    numbers.set(sign, kinds.length);
    const kind = podKind(pod, name, scenario, profiles);
    const named = from && pod.nodeName;
    return (
      kinds.push({
        ...kind,
        ...(set !== undefined && { set }),
        ...(named !== undefined && { namedNode: nodes.findIndex(it => it.name === named) }),
      }) - 1
    );
  };
  const nameIn = (pod: PodModel, set: number): string => {
    const workload = workloads[sets[set]!.workload ?? -1];
    return workload === undefined || NAMED.has(workload.kind) ? pod.name : workload.name;
  };
  const knownSet = (keys: readonly string[]): number | undefined => {
    const key = keys.find(it => setOf.has(it));
    return key === undefined ? undefined : setOf.get(key);
  };
  return {
    addMade(pod, from) {
      const source = topIn(from)(pod);
      if (source === undefined) return;
      const keys = keysOf(pod);
      const known = knownSet(keys);
      if (known !== undefined) {
        sets[known]!.wanted += 1;
        return;
      }
      const model = workloadModel(source);
      const workload = numbersOf.get(model.title) ?? workloads.push(model) - 1;
      numbersOf.set(model.title, workload);
      const set = sets.push({ workload, made: -1, wanted: 1, ...placeIn(keys, source) }) - 1;
      const top = `${model.namespace}/${model.kind}/${model.name}`;
      for (const it of keys) if (it === keys[0] || it === top) setOf.set(it, set);
      sets[set]!.made = kindFor(pod, set, nameIn(pod, set), from);
    },
    kindOf(pod) {
      const keys = keysOf(pod);
      const [first] = keys;
      if (first === undefined) return kindFor(pod, undefined, pod.name);
      const known = knownSet(keys);
      if (known !== undefined) return kindFor(pod, known, nameIn(pod, known));
      // The controller is not among the objects: it makes the Pod again as it is.
      const wanted = pod.terminating && !isNamed(pod) ? 0 : 1;
      const set = sets.push({ made: -1, wanted, ...(isNamed(pod) && { place: first }) }) - 1;
      for (const it of isNamed(pod) ? keys : []) setOf.set(it, set);
      sets[set]!.made = kindFor(pod, set, pod.name);
      return sets[set]!.made;
    },
    built: () => ({ kinds, sets, workloads }),
  };
}

/** NAMESPACE/KIND/NAME of what may have made the Pod; with what the controller knows it by where that is more than its labels. */
function keysOf(pod: PodModel): readonly string[] {
  const owner = ownerOf(pod);
  if (owner === undefined || owner.kind === 'Node') return [];
  const own = isNamed(pod) ? `/${owner.kind === 'DaemonSet' ? targetNode(pod.source) : pod.name}` : '';
  return ownerKeys(pod.namespace, owner).map(it => `${it}${own}`);
}

const ownerOf = ({ source }: PodModel): OwnerReference | undefined =>
  source.metadata?.ownerReferences?.find(it => it.controller === true);

const isNamed = (pod: PodModel): boolean => NAMED.has(ownerOf(pod)?.kind ?? '');

/** Upstream: jobcontroller.onlyReplaceFailedPods, which counts Pods that end. */
function placeIn([key]: readonly string[], source: UnknownObject): Pick<PodSet, 'place'> {
  const { podReplacementPolicy, podFailurePolicy } = objectOrEmpty(source.spec);
  const isFailedOnly = (podReplacementPolicy ?? (podFailurePolicy ? 'Failed' : '')) === 'Failed';
  const isAlone = NAMED.has(String(source.kind)) || (source.kind === 'Job' && isFailedOnly);
  return isAlone && key !== undefined ? { place: key } : {};
}

/** The workload that makes a Pod of a scenario, the Deployment for a Pod of its ReplicaSet. */
function topsOf({ cluster }: Scenario): (pod: PodModel) => UnknownObject | undefined {
  const controllers = controllersIn(cluster);
  return pod => {
    const own = controllers(pod);
    return (own && controllers({ source: own })) ?? own;
  };
}

function workloadModel(source: UnknownObject): WorkloadModel {
  const metadata = objectOrEmpty(source.metadata);
  const kind = String(source.kind);
  const name = String(metadata.name);
  const namespace = typeof metadata.namespace === 'string' ? metadata.namespace : 'default';
  return { title: `${kind} ${namespace === 'default' ? '' : `${namespace}/`}${name}`, kind, name, namespace, source };
}

function podKind(pod: PodModel, name: string, scenario: Scenario, profiles: Profiles): PodKind {
  const { nodeName: _, nominatedNodeName: __, ...model } = pod;
  const { metadata } = pod.source;
  const owner = metadata?.ownerReferences?.find(it => it.controller === true)?.kind;
  const isMirror = metadata?.annotations?.['kubernetes.io/config.mirror'] !== undefined;
  const held = runToEnd(podsNotQueued({ ...scenario, pending: [model] }, profiles, { batch: new Map() }));
  return {
    model: { ...model, startTime: 0 },
    name,
    isHeld: held.size > 0,
    ...((isMirror || owner === 'DaemonSet' || owner === 'Node') && { ignoredBy: 'drains' }),
    oneNodeClaims: oneNodeClaims(pod, scenario),
  };
}

/** The claims of a Pod whose only access mode is ReadWriteOnce: a volume that is attached to one node at a time. */
function oneNodeClaims({ spec, namespace }: PodModel, { cluster }: Scenario): readonly string[] {
  const names = (spec.volumes ?? []).flatMap(it => it.persistentVolumeClaim?.claimName ?? []);
  return names
    .map(it => `${namespace}/${it}`)
    .filter(it => {
      const modes = cluster.storage.claims.get(it)?.accessModes ?? [];
      return modes.length > 0 && modes.every(mode => mode === 'ReadWriteOnce');
    });
}

/** What scheduler, descheduler and budgets read of a Pod, without what only admission adds to one that is made again. */
function signOf({ namespace, labels, priority, requests, spec }: PodModel): readonly unknown[] {
  const { nodeName: _, containers: __, tolerations = [], ...rest } = spec;
  const { scalar, ...basic } = requests;
  const wanted = tolerations.filter(it => it.effect !== 'NoExecute' || it.tolerationSeconds === undefined);
  return [namespace, labels, priority, basic, [...scalar].sort(), wanted, rest];
}

/** The world with one more set, the last one, of the same workload: what it makes is another revision. */
export function withNewRevision(world: ExploredWorld, set: number, model: PodModel): ExploredWorld {
  const { kinds, sets } = world;
  const { made } = sets[set]!;
  const { nodeName: _, nominatedNodeName: __, ...rest } = model;
  const before = kinds[made]!;
  const kind: PodKind = { ...before, model: { ...rest, startTime: 0 }, name: `${before.name} (new)`, set: sets.length };
  return {
    ...world,
    kinds: [...kinds, kind],
    sets: [...sets, { ...sets[set]!, made: kinds.length, wanted: 0 }],
  };
}

/** The Pods that a workload makes in a scenario in which nothing runs yet. */
export function madePods(title: string, scenario: Scenario): readonly PodModel[] {
  const topOf = topsOf(scenario);
  return [...scenario.pending, ...scenario.cluster.running].filter(it => {
    const source = topOf(it);
    return source !== undefined && workloadModel(source).title === title;
  });
}
