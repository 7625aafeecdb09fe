import type { NodeInfo } from './nodeInfo';

/** How far an answer about a node looks: at the Node object alone, or at the Pods on it, too. */
export type LooksAt = 'node' | 'nodeAndPods';

/** An answer about each node. */
export type Column<T> = (node: NodeInfo) => T;

/**
 * What one run has worked out already. Pods that ask the same thing of a node share the answer as long as the node stays
 * as it is: a placement changes one node, so the next cycle asks one node anew. Upstream reaches for the same with
 * OpportunisticBatching, for Pods that are alike in everything; here each question is shared for itself.
 */
export interface SharedWork {
  /** `answer` for each node, asked again only of nodes that have changed. `key` says all that the answer hangs on. */
  column<T>(key: string, looksAt: LooksAt, answer: (node: NodeInfo) => T): Column<T>;
  /** The answers about all of some nodes, in their order. */
  answers<T>(key: string, looksAt: LooksAt, answer: (node: NodeInfo) => T, nodes: readonly NodeInfo[]): T[];
  /** What holds for the whole run. */
  once<T>(key: string, make: () => T): T;
}

/** By `NodeInfo.index`: what was told, and what it was told of. */
interface Known {
  readonly of: unknown[];
  readonly told: unknown[];
}

/** How many answers are kept at most; those not asked for longest go first. Bounds the memory of a run. */
const MAX_ANSWERS = 4_000_000;

export function sharedWork(nodeCount: number): SharedWork {
  const columns = new Map<string, Known>();
  const facts = new Map<string, unknown>();
  const maxColumns = Math.max(64, Math.trunc(MAX_ANSWERS / Math.max(1, nodeCount)));

  const known = (key: string): Known => {
    const found = columns.get(key) ?? { of: new Array(nodeCount), told: new Array(nodeCount) };
    columns.delete(key);
    columns.set(key, found);
    if (columns.size > maxColumns) columns.delete(columns.keys().next().value as string);
    return found;
  };

  const updated = (known: Known, node: NodeInfo, seen: unknown, answer: (node: NodeInfo) => unknown): unknown => {
    const now = answer(node);
    known.of[node.index] = seen;
    known.told[node.index] = now;
    return now;
  };

  return {
    column<T>(key: string, looksAt: LooksAt, answer: (node: NodeInfo) => T): Column<T> {
      const found = known(key);
      const { of, told } = found;
      if (looksAt === 'node') {
        return node => (of[node.index] === node.node ? told[node.index] : updated(found, node, node.node, answer)) as T;
      }
      return node => (of[node.index] === node ? told[node.index] : updated(found, node, node, answer)) as T;
    },
    answers<T>(key: string, looksAt: LooksAt, answer: (node: NodeInfo) => T, nodes: readonly NodeInfo[]): T[] {
      const found = known(key);
      const { of, told } = found;
      const res = new Array<T>(nodes.length);
      const byNode = looksAt === 'node';
      for (let i = 0; i < nodes.length; i++) {
        const node = nodes[i]!;
        const seen = byNode ? node.node : node;
        res[i] = (of[node.index] === seen ? told[node.index] : updated(found, node, seen, answer)) as T;
      }
      return res;
    },
    once<T>(key: string, make: () => T): T {
      if (!facts.has(key)) facts.set(key, make());
      return facts.get(key) as T;
    },
  };
}
