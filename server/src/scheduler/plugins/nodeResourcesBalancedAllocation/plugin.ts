import {
  type AllocationState,
  type Allocations,
  allocationState,
  allocations,
  areInColumns,
  CPU_AND_MEMORY,
  eachAllocation,
  type ResourceSpec,
  requestsOf,
} from '../../framework/allocation';
import type { PluginFactory } from '../../framework/interface';
import { nodeAmounts } from '../../framework/nodeAmounts';
import { MAX_NODE_SCORE } from '../../framework/normalize';
import { definePlugin } from '../../framework/plugin';
import { signRequests } from '../../framework/signatures';
import { skip, success } from '../../framework/status';
import { deviceCounter } from '../dynamicResources/deviceTotals';

/**
 * Upstream: pkg/scheduler/framework/plugins/noderesources/balanced_allocation.go. Since 1.36 it rewards nodes whose
 * resource usage becomes more even; 75 means no change.
 */
export const nodeResourcesBalancedAllocation: PluginFactory = ({ args, gates }) => {
  const specs = (args.resources as readonly ResourceSpec[] | undefined) ?? CPU_AND_MEMORY;
  const countDevices = deviceCounter(specs, gates);
  return definePlugin<undefined, AllocationState>({
    name: 'NodeResourcesBalancedAllocation',
    // Devices are allocated through claims, which the node does not list.
    ...(!countDevices && { shares: { dependsOn: 'nodeAndPods', sign: signRequests } }),
    preScore(pod, cycle) {
      const requests = requestsOf(pod, specs, 'requests');
      if (requests.every(it => it === 0)) return { status: skip };
      return { status: success, state: allocationState(requests, countDevices?.(cycle)) };
    },
    score: (state, _pod, node) => scoreOf(allocations(specs, state, node, 'requested')),
    ...(areInColumns(specs) && {
      addScores(state, cycle, indexes, fits, { sums, weight }) {
        const many = { amounts: nodeAmounts(cycle), indexes, fits };
        eachAllocation(specs, state, many, 'requested', (found, index) => {
          sums[index]! += weight * scoreOf(found);
        });
      },
    }),
  });
};

function scoreOf({ requested, allocated, allocatable }: Allocations): number {
  const after = balance(requested, allocatable);
  const before = balance(allocated, allocatable);
  return MAX_NODE_SCORE / 2 + Math.trunc((MAX_NODE_SCORE / 2 + after - before) / 2);
}

function balance(amounts: Float64Array, totals: Float64Array): number {
  return Math.trunc((1 - deviation(amounts, totals)) * MAX_NODE_SCORE);
}

/** The standard deviation of the used fractions of the resources that the node has. */
function deviation(amounts: Float64Array, totals: Float64Array): number {
  const partOf = (i: number): number => Math.min(1, amounts[i]! / totals[i]!);
  if (amounts.length === 2 && totals[0] !== 0 && totals[1] !== 0) return Math.abs((partOf(0) - partOf(1)) / 2);
  const parts = [...totals.keys()].filter(it => totals[it] !== 0).map(partOf);
  if (parts.length < 2) return 0;
  if (parts.length === 2) return Math.abs((parts[0]! - parts[1]!) / 2);
  const mean = parts.reduce((sum, it) => sum + it, 0) / parts.length;
  const squares = parts.reduce((sum, it) => sum + (it - mean) * (it - mean), 0);
  return Math.sqrt(squares / parts.length);
}
