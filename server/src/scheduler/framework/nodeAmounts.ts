import type { Cycle } from './interface';
import type { NodeInfo } from './nodeInfo';

/**
 * What nodes have and what is taken of it, in columns by `NodeInfo.index`: to read hundreds of nodes, whose objects are
 * scattered over the heap, takes ten times as long. `cpu` in millicores, the others in bytes.
 */
export interface NodeAmounts {
  /** How many more Pods the node takes. */
  readonly pods: Float64Array;
  readonly allocatable: Columns;
  readonly requested: Columns;
  readonly nonZeroRequested: Columns;
}

export interface Columns {
  readonly cpu: Float64Array;
  readonly memory: Float64Array;
  readonly ephemeralStorage: Float64Array;
}

/** The amounts of the cycle's nodes; valid within the cycle. */
export function nodeAmounts({ nodes, work }: Pick<Cycle, 'nodes' | 'work'>): NodeAmounts {
  const cached = work.always('amounts of nodes', () => emptyAmounts(nodes.length));
  for (const index of work.changed(cached.nodes, nodes)) write(cached, nodes[index]!);
  cached.nodes = nodes;
  return cached;
}

interface CachedAmounts extends NodeAmounts {
  nodes: readonly NodeInfo[];
}

function emptyAmounts(length: number): CachedAmounts {
  const column = (): Float64Array => new Float64Array(length);
  const columns = (): Columns => ({ cpu: column(), memory: column(), ephemeralStorage: column() });
  return {
    nodes: [],
    pods: column(),
    allocatable: columns(),
    requested: columns(),
    nonZeroRequested: columns(),
  };
}

function write({ pods, allocatable, requested, nonZeroRequested }: CachedAmounts, info: NodeInfo): void {
  const { index, node } = info;
  pods[index] = node.maxPods - info.pods.length;
  writeTo(allocatable, index, node.allocatable);
  writeTo(requested, index, info.requested);
  writeTo(nonZeroRequested, index, info.nonZeroRequested);
}

function writeTo(columns: Columns, index: number, { milliCpu, memory, ephemeralStorage }: NodeInfo['requested']): void {
  columns.cpu[index] = milliCpu;
  columns.memory[index] = memory;
  columns.ephemeralStorage[index] = ephemeralStorage;
}
