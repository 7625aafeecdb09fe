import type { NodeInfo } from './nodeInfo';

/** How far an answer about a node looks: at the Node object alone, or at the Pods on it, too. */
export type LooksAt = 'node' | 'nodeAndPods';

/** An answer about each node. */
export type Column<T> = (node: NodeInfo) => T;

/** What a node adds to its own value of a topology key. */
export interface Share {
  readonly topologyKey: string;
  readonly by: number;
}

/** Topology key → value of nodes → what nodes with that value add together, and in how many shares. */
export type Tally = ReadonlyMap<string, ReadonlyMap<string, Readonly<Total>>>;

interface Total {
  sum: number;
  shares: number;
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
   * The shares of all nodes added up by their topology. It follows the nodes as they change, so that a cycle costs the
   * nodes that did; read it within the cycle, or take `withLastingTallies`.
   */
  tally(key: string, shares: (node: NodeInfo) => readonly Share[], nodes: readonly NodeInfo[]): Tally;
  /** What holds for the whole run. */
  once<T>(key: string, make: () => T): T;
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
  const tallyOf = mostRecent(most, () => ({ ...nothingKnown(), totals: new Map<string, Map<string, Total>>() }));

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
    tally(key, shares, nodes) {
      const { of, told, totals } = tallyOf(key);
      for (const node of nodes) {
        const { index } = node;
        if (of[index] === node) continue;
        const now = shares(node);
        for (const it of (told[index] as readonly Share[] | undefined) ?? NO_SHARES) addTo(totals, node, it, -1);
        for (const it of now) addTo(totals, node, it, 1);
        of[index] = node;
        told[index] = now;
      }
      return totals;
    },
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
  return { ...work, once: facts() };
}

/** The same work for filter states that outlive their cycle: what a tally said then, it says for good. */
export function withLastingTallies(work: SharedWork): SharedWork {
  const copyOf = (tally: Tally): Tally =>
    new Map(
      [...tally].map(([key, values]) => [key, new Map([...values].map(([value, total]) => [value, { ...total }]))]),
    );
  return { ...work, tally: (key, shares, nodes) => copyOf(work.tally(key, shares, nodes)) };
}

const NO_SHARES: readonly Share[] = [];

function addTo(
  totals: Map<string, Map<string, Total>>,
  { node }: NodeInfo,
  { topologyKey, by }: Share,
  sign: 1 | -1,
): void {
  const value = node.labels[topologyKey];
  if (value === undefined) return;
  let values = totals.get(topologyKey);
  if (values === undefined) {
    values = new Map();
    totals.set(topologyKey, values);
  }
  const total = values.get(value);
  if (total === undefined) {
    values.set(value, { sum: sign * by, shares: sign });
    return;
  }
  total.sum += sign * by;
  total.shares += sign;
  if (total.shares > 0) return;
  values.delete(value);
  if (values.size === 0) totals.delete(topologyKey);
}
