import {
  type Allocation,
  allocations,
  CPU_AND_MEMORY,
  type ResourceSpec,
  type ResourceTotals,
  requestsOf,
} from '../../framework/allocation';
import { definePlugin, MAX_NODE_SCORE, skip, success } from '../../framework/plugin';
import type { PluginFactory } from '../../framework/profile';
import { signRequests } from '../../framework/signatures';
import { deviceCounter } from '../dynamicResources/deviceTotals';

interface ScoreState {
  readonly requests: readonly number[];
  readonly devices: ResourceTotals | undefined;
}

/**
 * Upstream: pkg/scheduler/framework/plugins/noderesources/balanced_allocation.go. Since 1.36 it rewards nodes whose use
 * of resources becomes more even; 75 means that nothing changes.
 */
export const nodeResourcesBalancedAllocation: PluginFactory = ({ args, gates }) => {
  const specs = (args.resources as readonly ResourceSpec[] | undefined) ?? CPU_AND_MEMORY;
  const countDevices = deviceCounter(specs, gates);
  return definePlugin<undefined, ScoreState>({
    name: 'NodeResourcesBalancedAllocation',
    // Devices are taken by claims, which no node tells of.
    ...(!countDevices && { shares: { looksAt: 'nodeAndPods', sign: signRequests } }),
    preScore(pod, cycle) {
      const requests = requestsOf(pod, specs, 'requests');
      if (requests.every(it => it === 0)) return { status: skip };
      return { status: success, state: { requests, devices: countDevices?.(cycle) } };
    },
    score({ requests, devices }, _pod, node) {
      const found = allocations(specs, requests, node, 'requested', devices);
      const after = balance(found, 'requested');
      const before = balance(found, 'allocated');
      return MAX_NODE_SCORE / 2 + Math.trunc((MAX_NODE_SCORE / 2 + after - before) / 2);
    },
  });
};

function balance(found: readonly Allocation[], counted: 'requested' | 'allocated'): number {
  const fractions: number[] = [];
  for (let i = 0; i < found.length; i++) {
    const it = found[i]!;
    if (it.allocatable !== 0) fractions.push(Math.min(1, it[counted] / it.allocatable));
  }
  return Math.trunc((1 - deviation(fractions)) * MAX_NODE_SCORE);
}

function deviation(fractions: readonly number[]): number {
  if (fractions.length < 2) return 0;
  if (fractions.length === 2) return Math.abs((fractions[0]! - fractions[1]!) / 2);
  const mean = fractions.reduce((sum, it) => sum + it, 0) / fractions.length;
  const squares = fractions.reduce((sum, it) => sum + (it - mean) * (it - mean), 0);
  return Math.sqrt(squares / fractions.length);
}
