import { asInteger, asText, objectOrEmpty } from '../../../base/json';
import { printed } from '../../../base/printed';
import type { ClusterModel } from '../../../cluster/clusterModel';
import type { PodModel } from '../../../cluster/pods/podModel';
import {
  amountsOf,
  minus,
  NO_RESOURCES,
  plus,
  type Resources,
  resourcesOf,
} from '../../../cluster/resources/resources';
import type { ResourceList } from '../../../kube/types';
import { amountIn } from '../../framework/allocation';
import type { Cycle, PluginFactory } from '../../framework/interface';
import type { NodeInfo } from '../../framework/nodeInfo';
import { definePlugin } from '../../framework/plugin';
import { skip, success, unresolvable, unschedulable } from '../../framework/status';
import { allPods } from '../../gangs/waiting';

const LABEL = 'scheduling.x-k8s.io/pod-group';

/** A PodGroup of scheduling.x-k8s.io. */
interface SiblingGroup {
  readonly minMember: number;
  readonly minResources?: Resources;
  readonly timeoutSeconds?: number;
  /** Milliseconds since the epoch; absent: unknown. */
  readonly created?: number;
}

/**
 * Upstream: pkg/coscheduling of kubernetes-sigs/scheduler-plugins. Pods are placed one by one; Pods with a node wait at
 * Permit until minMember of their group have one, and a Pod of the group without a feasible node rejects all that wait.
 */
export const coscheduling: PluginFactory = ({ args }) => {
  const waitingSeconds = asInteger(args.permitWaitingTimeSeconds) ?? 60;
  const tolerated = (asInteger(args.podGroupRejectPercentage) ?? 10) / 100;
  return definePlugin({
    name: 'Coscheduling',

    queueSort: groupByGroup,

    preFilter(pod, cycle) {
      const id = siblingGroupOf(pod);
      const group = groupOf(id, cycle.cluster);
      if (id === undefined || !group) return { status: skip };
      const siblings = allPods(cycle.work).filter(it => siblingGroupOf(it) === id).length;
      if (siblings < group.minMember) {
        return {
          status: unresolvable(
            `pre-filter pod ${pod.name} cannot find enough sibling pods, current pods number: ${siblings}, minMember of group: ${group.minMember}`,
          ),
        };
      }
      const gap = gapOf(group, id, cycle.nodes);
      return { status: gap.length === 0 ? skip : unresolvable(`resource gap: ${gap.join(', ')}`) };
    },

    postFilter(pod, { cycle }) {
      const id = siblingGroupOf(pod);
      const group = groupOf(id, cycle.cluster);
      if (id === undefined || !group) {
        const message = 'can not find pod group';
        return { status: unschedulable(message), message };
      }
      const missing = group.minMember - assignedIn(id, cycle);
      if (missing <= 0 || missing / group.minMember <= tolerated) return { status: unschedulable(), message: '' };
      const message = `PodGroup ${id} gets rejected due to Pod ${pod.name} is unschedulable even after PostFilter`;
      return {
        status: unschedulable(message),
        message,
        rejectsWaiting: { group: id, reason: 'optimistic rejection in PostFilter' },
      };
    },

    permit(pod, cycle) {
      const id = siblingGroupOf(pod);
      if (id === undefined) return success;
      const group = groupOf(id, cycle.cluster);
      if (!group) return unschedulable('PodGroup not found');
      // The Pod itself is not yet counted as assigned.
      if (assignedIn(id, cycle) + 1 >= group.minMember) return { code: 'Success', group: id };
      return { code: 'Wait', group: id, seconds: group.timeoutSeconds ?? waitingSeconds };
    },
  });
};

/** By priority, then by the age of the group, then by the arrival of its first Pod. */
function groupByGroup(pods: readonly PodModel[], cluster: ClusterModel): readonly PodModel[] {
  const groups = siblingGroups(cluster);
  const arrival = new Map<string, number>();
  for (const [i, it] of pods.entries())
    if (!arrival.has(siblingGroupOf(it) ?? it.id)) arrival.set(siblingGroupOf(it) ?? it.id, i);
  const keyOf = (it: PodModel): readonly number[] => [
    -it.priority,
    groups.get(siblingGroupOf(it) ?? '')?.created ?? Number.POSITIVE_INFINITY,
    arrival.get(siblingGroupOf(it) ?? it.id)!,
  ];
  return [...pods].sort((a, b) => compareKeys(keyOf(a), keyOf(b)) || (a.id < b.id ? -1 : 1));
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((it, at) => it !== b[at]);
  return i < 0 ? 0 : a[i]! < b[i]! ? -1 : 1;
}

/** NAMESPACE/NAME of the group that the Pod's label names. */
export function siblingGroupOf({ namespace, labels }: PodModel): string | undefined {
  const name = labels[LABEL];
  return name ? `${namespace}/${name}` : undefined;
}

function groupOf(id: string | undefined, cluster: ClusterModel): SiblingGroup | undefined {
  return id === undefined ? undefined : siblingGroups(cluster).get(id);
}

function siblingGroups({ objects }: ClusterModel): ReadonlyMap<string, SiblingGroup> {
  const groups = (objects.get('PodGroup') ?? []).filter(it =>
    printed(it.apiVersion).startsWith('scheduling.x-k8s.io/'),
  );
  return new Map(
    groups.map((object): [string, SiblingGroup] => {
      const metadata = objectOrEmpty(object.metadata);
      const { minMember, minResources, scheduleTimeoutSeconds } = objectOrEmpty(object.spec);
      const created = Date.parse(asText(metadata.creationTimestamp) ?? '');
      const timeoutSeconds = asInteger(scheduleTimeoutSeconds);
      // An invalid quantity counts as zero.
      const read = (): Resources =>
        resourcesOf(amountsOf(objectOrEmpty(minResources) as ResourceList, () => undefined));
      return [
        `${asText(metadata.namespace) ?? 'default'}/${asText(metadata.name) ?? ''}`,
        {
          minMember: asInteger(minMember) ?? 0,
          ...(minResources !== undefined && { minResources: read() }),
          ...(timeoutSeconds !== undefined && { timeoutSeconds }),
          ...(!Number.isNaN(created) && { created }),
        },
      ];
    }),
  );
}

/** Upstream: CalculateAssignedPods. */
function assignedIn(id: string, { nodes }: Cycle): number {
  return nodes.reduce((sum, it) => sum + it.pods.filter(pod => siblingGroupOf(pod) === id).length, 0);
}

/**
 * What all nodes together lack of the group's minResources, without the group's own Pods. Upstream:
 * CheckClusterResource.
 */
function gapOf({ minResources, minMember }: SiblingGroup, id: string, nodes: readonly NodeInfo[]): readonly string[] {
  if (!minResources) return [];
  const left = nodes.map(({ node, requested, pods }) => {
    const own = pods.filter(it => siblingGroupOf(it) === id).reduce((sum, it) => plus(sum, it.requests), NO_RESOURCES);
    return { free: plus(minus(node.allocatable, requested), own), pods: node.maxPods - pods.length };
  });
  const names = ['cpu', 'memory', 'ephemeral-storage', ...minResources.scalar.keys()];
  const short = names.filter(name => {
    const free = left.reduce((sum, it) => sum + Math.max(0, amountIn(it.free, name)), 0);
    return amountIn(minResources, name) > free;
  });
  const slots = left.reduce((sum, it) => sum + Math.max(0, it.pods), 0);
  return minMember > slots ? [...short, 'pods'] : short;
}
