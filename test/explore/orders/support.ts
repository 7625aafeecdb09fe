import type { UnknownObject } from '../../../server/src/base/json';
import { runToEnd } from '../../../server/src/base/steps';
import { type ExploreLimits, exploreOrders, type OrdersExploration } from '../../../server/src/explore/orders/explore';
import { type OrdersProblem, ordersProblem } from '../../../server/src/explore/orders/problem';
import { podsNotQueued } from '../../../server/src/scheduler/gangs/queue';
import { prepareSteps, type RunOptions } from '../../../server/src/scheduler/scenario';
import { isGateOn } from '../../scheduler/support';

export const RUN: RunOptions = { kubernetesVersion: '1.37', isGateOn };

export const NO_LIMITS: ExploreLimits = {
  states: Number.POSITIVE_INFINITY,
  outcomes: Number.POSITIVE_INFINITY,
  timeUsed: () => 0,
};

export function problemOf(objects: readonly UnknownObject[]): OrdersProblem {
  const { scenario, profiles, gangs } = runToEnd(prepareSteps(objects, RUN));
  return ordersProblem(
    { scenario, profiles, gangs },
    new Set(runToEnd(podsNotQueued(scenario, profiles, gangs)).keys()),
  );
}

export function explored(objects: readonly UnknownObject[], limits: Partial<ExploreLimits> = {}): OrdersExploration {
  return runToEnd(exploreOrders(problemOf(objects), { ...NO_LIMITS, ...limits }));
}

/** Each outcome as a line, sorted: `4: a=n1 b=n2; waits c; evicted d`. */
export function linesOf({ outcomes }: Pick<OrdersExploration, 'outcomes'>): readonly string[] {
  return outcomes.map(it => `${it.orders}: ${endText(it)}`).sort();
}

export function endText({
  placements,
  pending,
  evicted,
}: Omit<OrdersExploration['outcomes'][number], 'orders' | 'witness'>): string {
  const short = (id: string): string => id.replace('default/', '');
  const placed = Object.entries(placements).map(([pod, node]) => `${short(pod)}=${node}`);
  const parts = [
    placed.sort().join(' '),
    ...(pending.length > 0 ? [`waits ${pending.map(short).join(' ')}`] : []),
    ...(evicted.length > 0 ? [`evicted ${evicted.map(short).join(' ')}`] : []),
  ];
  return parts.join('; ');
}

export function node(name: string, cpu: number, labels: Record<string, string> = {}): UnknownObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    status: { capacity: { cpu: String(cpu), memory: '64Gi', pods: '110' } },
  };
}

export interface PodParts {
  readonly cpu?: number;
  readonly on?: string;
  readonly started?: string;
  readonly labels?: Record<string, string>;
  readonly spec?: UnknownObject;
  readonly status?: UnknownObject;
}

export function pod(name: string, { cpu = 1, on, started, labels, spec, status }: PodParts = {}): UnknownObject {
  const resources = { requests: { cpu: String(cpu), memory: '1Gi' } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...(labels && { labels }) },
    spec: {
      ...(on !== undefined && { nodeName: on }),
      containers: [{ name: 'main', image: 'app', resources }],
      ...spec,
    },
    status: { ...(started !== undefined && { startTime: started }), ...status },
  };
}

export function priorityClass(name: string, value: number): UnknownObject {
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value };
}
