import type { Cycle } from './interface';

/** The values of a node label, numbered, so that a loop over many nodes compares no texts. */
export interface Topology {
  /** By `NodeInfo.index`: the number of the node's value; -1: none. */
  readonly of: Int32Array;
  /** By number. */
  readonly values: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
}

/** Node labels do not change during a run. */
export function topologyOf(key: string, { nodes, work }: Pick<Cycle, 'nodes' | 'work'>): Topology {
  const cache = work.always('topologies', () => new Map<string, Topology>());
  const found = cache.get(key) ?? numbered(key, nodes);
  cache.set(key, found);
  return found;
}

function numbered(key: string, nodes: Cycle['nodes']): Topology {
  const numbers = new Map<string, number>();
  const of = new Int32Array(nodes.length).fill(-1);
  for (const { node, index } of nodes) {
    const value = node.labels[key];
    if (value === undefined) continue;
    const number = numbers.get(value) ?? numbers.size;
    numbers.set(value, number);
    of[index] = number;
  }
  return { of, values: [...numbers.keys()], numbers };
}
