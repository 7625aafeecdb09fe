import { lazy } from '../../base/lazy';
import type { PodModel } from '../../cluster/pods/podModel';
import {
  type ClassOf,
  equivalenceClasses,
  firstGeneration,
  type Generation,
  type MakeOnce,
  memoizer,
  onceByClass,
} from './equivalenceClasses';
import type { NodeInfo } from './nodeInfo';

/** What an answer about a node depends on: the Node object alone, or also the Pods on the node. */
export type Dependency = 'node' | 'nodeAndPods';

/**
 * Numbers in a buffer that belongs to a run's `SharedWork` or tracker and that a later call overwrites: read them within
 * the cycle; neither change nor keep them.
 */
export type BorrowedNumbers = ArrayLike<number>;

/** One answer for each node. */
export type NodeColumn<T> = (node: NodeInfo) => T;

/** Pods that have one part in common, and their number on each node, by `NodeInfo.index`. */
export interface PodClass {
  readonly sample: PodModel;
  readonly on: ReadonlyMap<number, number>;
}

/**
 * Caches of one run. Pods with the same question about a node share the answer as long as the node is unchanged: a
 * placement changes one node, so the next cycle evaluates one node. Upstream's OpportunisticBatching does this for Pods
 * that are equal in everything; here each question is shared separately.
 */
export interface SharedWork {
  /**
   * `answer` for each node, evaluated again only for changed nodes. `key` names everything else that the answer depends
   * on.
   */
  column<T>(key: string, dependsOn: Dependency, answer: (node: NodeInfo) => T): NodeColumn<T>;
  /**
   * The answers about some nodes, by `NodeInfo.index`. The array belongs to the cache, which updates it as nodes
   * change: read it within the cycle, and only at the nodes that were asked for.
   */
  answers<T>(
    key: string,
    dependsOn: Dependency,
    answer: (node: NodeInfo) => T,
    nodes: readonly NodeInfo[],
  ): readonly T[];
  /** The same for numbers. */
  numbers(
    key: string,
    dependsOn: Dependency,
    answer: (node: NodeInfo) => number,
    nodes: readonly NodeInfo[],
  ): BorrowedNumbers;
  /**
   * The Pods of all nodes, grouped by the identity of one part; new groups are appended. Updated as nodes change, so
   * that a cycle costs only the Pods that came and went; valid within the cycle.
   */
  podClasses(
    key: string,
    partOf: (pod: PodModel) => object | undefined,
    nodes: readonly NodeInfo[],
  ): readonly PodClass[];
  /** The indexes at which two versions of the nodes differ. */
  changed(then: readonly NodeInfo[], now: readonly NodeInfo[]): readonly number[];
  /** Records that two versions differ at one index only, so that `changed` need not search. */
  recordMove(then: readonly NodeInfo[], now: readonly NodeInfo[], index: number): void;
  /** Values for the whole run. */
  readonly once: MakeOnce;
  /** Values for the whole run that follow its states one after the other: to go back to an earlier state costs. */
  readonly following: MakeOnce;
  /** Values for the whole run, shared by all Pods that differ in their names only. */
  forClass(pod: PodModel): MakeOnce;
  /**
   * Values for this run and the next ones that ask for them. They depend on nothing but the key and what stays the same
   * where `forNextRun` is called; a value may also hold what it was computed from, and check that.
   */
  readonly always: MakeOnce;
  /** The same for values that also depend on a Pod, apart from its name. */
  alwaysForClass(pod: PodModel): MakeOnce;
  /** The same run's caches for questions about its earlier states, apart from those that follow its states. */
  aside(): SharedWork;
  /**
   * The caches for another run over a cluster with the same Node objects and the same other objects, except running and
   * pending Pods, Services and the controllers of Pods.
   */
  forNextRun(): SharedWork;
}

/** The groups by part and in order of appearance, and the nodes that were counted. */
interface ClassCounts {
  nodes: readonly NodeInfo[];
  readonly groups: Group[];
  readonly byPart: Map<object, Group>;
}

interface Group extends PodClass {
  readonly on: Map<number, number>;
}

/** By `NodeInfo.index`: the answers, and the object that each was computed from. */
interface CachedAnswers<Answers> {
  readonly of: unknown[];
  readonly answers: Answers;
}

/** Limit on the number of cached answers. */
const MAX_ANSWERS = 4_000_000;

/**
 * A cache of `make()` by key that keeps the `most` recently used values. Written by hand: a Map in insertion order is all
 * that lru-cache would bring here.
 */
export function mostRecent<T>(most: number, make: () => T): (key: string) => T {
  const kept = new Map<string, T>();
  return key => {
    const found = kept.get(key) ?? make();
    kept.delete(key);
    kept.set(key, found);
    if (kept.size > most) kept.delete(kept.keys().next().value as string);
    return found;
  };
}

function refreshed(
  cached: CachedAnswers<unknown[]>,
  node: NodeInfo,
  basis: unknown,
  answer: (node: NodeInfo) => unknown,
): unknown {
  const now = answer(node);
  cached.of[node.index] = basis;
  cached.answers[node.index] = now;
  return now;
}

/** Evaluates the nodes that are new or have changed. */
function refresh<T>(
  cached: CachedAnswers<{ [index: number]: T }>,
  dependsOn: Dependency,
  answer: (node: NodeInfo) => T,
  nodes: readonly NodeInfo[],
): void {
  const { of, answers } = cached;
  for (const node of nodes) {
    const basis = dependsOn === 'node' ? node.node : node;
    if (of[node.index] === basis) continue;
    answers[node.index] = answer(node);
    of[node.index] = basis;
  }
}

export function sharedWork(nodeCount: number): SharedWork {
  const most = Math.max(64, Math.trunc(MAX_ANSWERS / Math.max(1, nodeCount)));
  const noSources = (): unknown[] => new Array(nodeCount);
  const answersOf = mostRecent(
    most,
    (): CachedAnswers<unknown[]> => ({ of: noSources(), answers: new Array(nodeCount) }),
  );
  const numbersOf = mostRecent(
    most,
    (): CachedAnswers<Float64Array> => ({ of: noSources(), answers: new Float64Array(nodeCount) }),
  );
  const { changed, recordMove } = changes();
  const answers: Answers = {
    column<T>(key: string, dependsOn: Dependency, answer: (node: NodeInfo) => T): NodeColumn<T> {
      const found = answersOf(key);
      const { of, answers } = found;
      if (dependsOn === 'node') {
        return node =>
          (of[node.index] === node.node ? answers[node.index] : refreshed(found, node, node.node, answer)) as T;
      }
      return node => (of[node.index] === node ? answers[node.index] : refreshed(found, node, node, answer)) as T;
    },
    answers<T>(key: string, dependsOn: Dependency, answer: (node: NodeInfo) => T, nodes: readonly NodeInfo[]) {
      const cached = answersOf(key);
      refresh(cached, dependsOn, answer, nodes);
      return cached.answers as T[];
    },
    numbers(key, dependsOn, answer, nodes) {
      const cached = numbersOf(key);
      refresh(cached, dependsOn, answer, nodes);
      return cached.answers;
    },
    changed,
    recordMove,
  };
  const left: Leavings = {
    generation: firstGeneration(),
    classOf: equivalenceClasses(),
    counter: classCounter(changed),
  };
  return workOfRun(answers, left, memoizer());
}

type Answers = Pick<SharedWork, 'column' | 'answers' | 'numbers' | 'changed' | 'recordMove'>;

/** What a run leaves to the next one, besides answers about nodes. */
interface Leavings {
  readonly generation: Generation;
  readonly classOf: ClassOf;
  readonly counter: ClassCounter;
}

function workOfRun(answers: Answers, { generation, classOf, counter }: Leavings, once: MakeOnce): SharedWork {
  const newCounter = (): ClassCounter => classCounter(answers.changed);
  // Without a spread, whose hidden class may be another one in each run: all compiled code that reads it would be thrown away.
  const { column, answers: answersOf, numbers, changed, recordMove } = answers;
  return {
    column,
    answers: answersOf,
    numbers,
    changed,
    recordMove,
    podClasses: counter.podClasses,
    once,
    following: memoizer(),
    forClass: onceByClass(classOf),
    always: generation.once,
    alwaysForClass: pod => classOf(pod).always,
    aside: lazy(() => {
      const own: Leavings = { generation: firstGeneration(), classOf: equivalenceClasses(), counter: newCounter() };
      return workOfRun(answers, own, once);
    }),
    forNextRun() {
      const left = counter.isWorthwhile() ? counter : newCounter();
      return workOfRun(answers, { generation: generation.next(), classOf, counter: left }, memoizer());
    },
  };
}

const NOWHERE: readonly number[] = [];

function changes(): Pick<SharedWork, 'changed' | 'recordMove'> {
  // In one cycle all caches compare the same two versions.
  let latest: (Record<'then' | 'now', readonly NodeInfo[]> & { readonly found: readonly number[] }) | undefined;
  return {
    changed(then, now) {
      if (latest?.then === then && latest.now === now) return latest.found;
      if (then === now) return NOWHERE;
      const found: number[] = [];
      for (let i = 0; i < now.length; i++) if (then[i] !== now[i]) found.push(i);
      latest = { then, now, found };
      return found;
    },
    recordMove(then, now, index) {
      latest = { then, now, found: [index] };
    },
  };
}

interface ClassCounter extends Pick<SharedWork, 'podClasses'> {
  /** Whether most groups have Pods: a group that lost all of its Pods stays. */
  isWorthwhile(): boolean;
}

function classCounter(changed: SharedWork['changed']): ClassCounter {
  const cached = new Map<string, ClassCounts>();
  return {
    podClasses(key, partOf, nodes) {
      const counts = cached.get(key) ?? { nodes: [], groups: [], byPart: new Map() };
      cached.set(key, counts);
      if (counts.nodes === nodes) return counts.groups;
      for (const index of changed(counts.nodes, nodes)) {
        eachPodChange(counts.nodes[index], nodes[index]!, (pod, by) => count(counts, partOf(pod), pod, index, by));
      }
      counts.nodes = nodes;
      return counts.groups;
    },
    isWorthwhile() {
      const groups = [...cached.values()].flatMap(it => it.groups);
      return groups.filter(it => it.on.size === 0).length * 2 <= groups.length;
    },
  };
}

const NO_PODS: readonly PodModel[] = [];

/** Visits the Pods that left a node between two versions, and those that came. */
export function eachPodChange(
  then: NodeInfo | undefined,
  now: NodeInfo,
  visit: (pod: PodModel, by: 1 | -1) => void,
): void {
  const [before, after] = [then?.pods ?? NO_PODS, now.pods];
  // In most cases one Pod was appended.
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  for (let i = same; i < before.length; i++) visit(before[i]!, -1);
  for (let i = same; i < after.length; i++) visit(after[i]!, 1);
}

function count(
  { groups, byPart }: ClassCounts,
  part: object | undefined,
  pod: PodModel,
  index: number,
  by: 1 | -1,
): void {
  if (part === undefined) return;
  let group = byPart.get(part);
  if (group === undefined) {
    group = { sample: pod, on: new Map() };
    byPart.set(part, group);
    groups.push(group);
  }
  const now = (group.on.get(index) ?? 0) + by;
  if (now === 0) group.on.delete(index);
  else group.on.set(index, now);
}
