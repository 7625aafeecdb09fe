import type { PodModel } from '../../cluster/model';
import type { NodeInfo } from './nodeInfo';

/** How far an answer about a node looks: at the Node object alone, or at the Pods on it, too. */
export type LooksAt = 'node' | 'nodeAndPods';

/** An answer about each node. */
export type Column<T> = (node: NodeInfo) => T;

/** Pods that have one part in common, and how many of them are on which node, by `NodeInfo.index`. */
export interface Alike {
  readonly sample: PodModel;
  readonly on: ReadonlyMap<number, number>;
}

/**
 * What one run has worked out already. Pods that ask the same thing of a node share the answer as long as the node stays
 * as it is: a placement changes one node, so the next cycle asks one node anew. Upstream reaches for the same with
 * OpportunisticBatching, for Pods that are alike in everything; here each question is shared for itself.
 */
export interface SharedWork {
  /** `answer` for each node, asked again only of nodes that have changed. `key` says all that the answer hangs on. */
  column<T>(key: string, looksAt: LooksAt, answer: (node: NodeInfo) => T): Column<T>;
  /** The answers about some nodes, in their order, wherever `into` has none yet. */
  fill<T>(
    key: string,
    looksAt: LooksAt,
    answer: (node: NodeInfo) => T | undefined,
    nodes: readonly NodeInfo[],
    into: (T | undefined)[],
  ): void;
  /** The numbers about all of some nodes, in their order. */
  numbers(
    key: string,
    looksAt: LooksAt,
    answer: (node: NodeInfo) => number,
    nodes: readonly NodeInfo[],
    into: Float64Array,
  ): void;
  /**
   * The Pods of all nodes by the very same part; new parts come last. It follows the nodes as they change, so that a cycle
   * costs the Pods that came and went; read it within the cycle.
   */
  alike(key: string, partOf: (pod: PodModel) => object | undefined, nodes: readonly NodeInfo[]): readonly Alike[];
  /** What holds for the whole run. */
  once<T>(key: string, make: () => T): T;
}

/** By part, and in the order in which the parts came, with the nodes that were counted. */
interface Population {
  nodes: readonly NodeInfo[];
  readonly groups: Group[];
  readonly byPart: Map<object, Group>;
}

interface Group extends Alike {
  readonly on: Map<number, number>;
}

/** By `NodeInfo.index`: what was told, and what it was told of. */
interface Known {
  readonly of: unknown[];
  readonly told: unknown[];
}

/** How many answers are kept at most. */
const MAX_ANSWERS = 4_000_000;

/** By key what `make` gave; of more than `most` the one not asked for longest goes. Bounds the memory of a run. */
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

function updated(known: Known, node: NodeInfo, seen: unknown, answer: (node: NodeInfo) => unknown): unknown {
  const now = answer(node);
  known.of[node.index] = seen;
  known.told[node.index] = now;
  return now;
}

export function sharedWork(nodeCount: number): SharedWork {
  const most = Math.max(64, Math.trunc(MAX_ANSWERS / Math.max(1, nodeCount)));
  const nothingKnown = (): Known => ({ of: new Array(nodeCount), told: new Array(nodeCount) });
  const known = mostRecent(most, nothingKnown);
  const numbersOf = mostRecent(most, () => ({
    of: new Array<unknown>(nodeCount),
    told: new Float64Array(nodeCount),
  }));

  return {
    column<T>(key: string, looksAt: LooksAt, answer: (node: NodeInfo) => T): Column<T> {
      const found = known(key);
      const { of, told } = found;
      if (looksAt === 'node') {
        return node => (of[node.index] === node.node ? told[node.index] : updated(found, node, node.node, answer)) as T;
      }
      return node => (of[node.index] === node ? told[node.index] : updated(found, node, node, answer)) as T;
    },
    fill<T>(
      key: string,
      looksAt: LooksAt,
      answer: (node: NodeInfo) => T | undefined,
      nodes: readonly NodeInfo[],
      into: (T | undefined)[],
    ) {
      const found = known(key);
      const { of, told } = found;
      const byNode = looksAt === 'node';
      for (let i = 0; i < nodes.length; i++) {
        if (into[i] !== undefined) continue;
        const node = nodes[i]!;
        const seen = byNode ? node.node : node;
        into[i] = (of[node.index] === seen ? told[node.index] : updated(found, node, seen, answer)) as T | undefined;
      }
    },
    numbers(key, looksAt, answer, nodes, into) {
      const { of, told } = numbersOf(key);
      const byNode = looksAt === 'node';
      for (let i = 0; i < nodes.length; i++) {
        const node = nodes[i]!;
        const { index } = node;
        const seen = byNode ? node.node : node;
        if (of[index] !== seen) {
          told[index] = answer(node);
          of[index] = seen;
        }
        into[i] = told[index]!;
      }
    },
    alike: populations(),
    once: facts(),
  };
}

function facts(): SharedWork['once'] {
  const known = new Map<string, unknown>();
  return <T>(key: string, make: () => T): T => {
    if (!known.has(key)) known.set(key, make());
    return known.get(key) as T;
  };
}

/** What is known about nodes, for another run over a cluster in which nothing else has changed that answers hang on. */
export function nextRun(work: SharedWork): SharedWork {
  return { ...work, once: facts(), alike: populations() };
}

function populations(): SharedWork['alike'] {
  const known = new Map<string, Population>();
  return (key, partOf, nodes) => {
    const population = known.get(key) ?? { nodes: [], groups: [], byPart: new Map() };
    known.set(key, population);
    if (population.nodes === nodes) return population.groups;
    for (let i = 0; i < nodes.length; i++) {
      const [then, node] = [population.nodes[i], nodes[i]!];
      if (then === node) continue;
      const [before, now] = [then?.pods ?? NO_PODS, node.pods];
      // Most often one Pod has come, as the last.
      let same = 0;
      while (same < before.length && before[same] === now[same]) same += 1;
      for (let j = same; j < before.length; j++) count(population, partOf(before[j]!), before[j]!, node.index, -1);
      for (let j = same; j < now.length; j++) count(population, partOf(now[j]!), now[j]!, node.index, 1);
    }
    population.nodes = nodes;
    return population.groups;
  };
}

const NO_PODS: readonly PodModel[] = [];

function count(
  { groups, byPart }: Population,
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
