import { asInteger, asText, objectOrEmpty, type UnknownObject } from '../../base/json';
import { printed } from '../../base/printed';
import type { ClusterModel } from '../../cluster/clusterModel';
import type { Note } from '../../cluster/pods/note';
import type { PodModel } from '../../cluster/pods/podModel';
import {
  type Amounts,
  amountsOf,
  NO_RESOURCES,
  plus,
  type Resources,
  resourcesOf,
} from '../../cluster/resources/resources';
import type { PriorityClass, ResourceList } from '../../kube/types';
import { amountIn } from '../framework/allocation';
import type { PodGroupModel, PodGroups, Profile } from '../framework/interface';
import type { NodeInfo } from '../framework/nodeInfo';
import { definePlugin } from '../framework/plugin';
import { groupSuccess } from './groupStatus';

/** Schedulers that place whole jobs, each with a PodGroup of its own. They are modelled as docs/gangs.md describes. */
const BATCH_SCHEDULERS: ReadonlySet<string> = new Set(['volcano', 'kube-batch']);

const GROUPS = ['scheduling.volcano.sh/', 'scheduling.incubator.k8s.io/', 'scheduling.sigs.dev/'];

/** The overcommit plugin's default: the factor by which jobs may exceed the cluster's resources. */
const OVERCOMMIT = 1.2;

/** Whether the Pod belongs to one of those schedulers and the scenario has objects of it. */
export function isForBatch(pod: PodModel, cluster: ClusterModel): boolean {
  if (!BATCH_SCHEDULERS.has(pod.schedulerName)) return false;
  return batchGroupIdOf(pod) !== undefined || batchObjects(cluster, 'PodGroup').length > 0;
}

/** NAMESPACE/NAME of the group that the Pod's annotation names. */
export function batchGroupIdOf({ namespace, schedulerName, source }: PodModel): string | undefined {
  if (!BATCH_SCHEDULERS.has(schedulerName)) return undefined;
  const annotations = source.metadata?.annotations;
  const name = annotations?.['scheduling.volcano.sh/group-name'] ?? annotations?.['scheduling.k8s.io/group-name'];
  return name ? `${namespace}/${name}` : undefined;
}

function batchObjects({ objects }: ClusterModel, kind: string): readonly UnknownObject[] {
  return (objects.get(kind) ?? []).filter(it => GROUPS.some(group => printed(it.apiVersion).startsWith(group)));
}

/** The PodGroups of Volcano and kube-batch; fields that are read but not simulated are noted. */
export function batchGroupsOf(cluster: ClusterModel, onNote: (note: Note) => void): PodGroups {
  const classes = (cluster.objects.get('PriorityClass') ?? []) as readonly PriorityClass[];
  const queues = new Map(batchObjects(cluster, 'Queue').map(it => [asText(objectOrEmpty(it.metadata).name) ?? '', it]));
  const queueOf = new Map<string, string>();
  return new Map(
    batchObjects(cluster, 'PodGroup').map((object): [string, PodGroupModel] => {
      const metadata = objectOrEmpty(object.metadata);
      const spec = objectOrEmpty(object.spec);
      const name = asText(metadata.name) ?? '';
      const namespace = asText(metadata.namespace) ?? 'default';
      const id = `${namespace}/${name}`;
      for (const field of ['minTaskMember', 'networkTopology', 'subGroupPolicy']) {
        if (spec[field] === undefined) continue;
        onNote({
          message: `${field} of the PodGroup ${id} is not simulated; the result does not take it into account.`,
        });
      }
      const onBad = (message: string): void => onNote({ message: `PodGroup ${id}: ${message}` });
      const read = (list: unknown): Amounts => amountsOf(objectOrEmpty(list) as ResourceList, onBad);
      const queue = asText(spec.queue) ?? 'default';
      const capability = objectOrEmpty(objectOrEmpty(queues.get(queue)).spec).capability;
      const className = asText(spec.priorityClassName);
      queueOf.set(id, queue);
      const group: PodGroupModel = {
        id,
        name,
        namespace,
        minCount: asInteger(spec.minMember) ?? 1,
        priority: classes.find(it => it.metadata?.name === className)?.value ?? 0,
        disruption: 'single',
        batch: {
          ...(spec.minResources !== undefined && { minResources: resourcesOf(read(spec.minResources)) }),
          queue,
          inQueue: it => queueOf.get(batchGroupIdOf(it) ?? '') === queue,
          ...(capability !== undefined && { capability: read(capability) }),
        },
        has: it => batchGroupIdOf(it) === id,
      };
      return [id, group];
    }),
  );
}

/** The profile of such a scheduler: kube-scheduler's filters and scores, its own gang rule, no preemption. */
export function batchProfile(schedulerName: string, like: Profile): Profile {
  return { ...like, schedulerName, preEnqueue: [], postFilter: [], podGroupPostFilter: [], placementFeasible: [gang] };
}

/** Volcano's plugin gang, which kube-batch has as well. */
const gang = definePlugin({
  name: 'gang',
  placementFeasible({ minCount = 1 }, { scheduled, remaining }) {
    if (scheduled >= minCount) return groupSuccess;
    const reasons = [`pod group is not ready, ${scheduled} of ${minCount} can be placed`];
    return { code: scheduled + remaining < minCount ? 'Unschedulable' : 'Wait', reasons };
  },
});

/** Why the job is not enqueued: the gang plugin's JobValid, then the enqueue action with overcommit and proportion. */
export function whyNotEnqueued(
  { minCount = 1, batch }: PodGroupModel,
  pods: readonly PodModel[],
  running: readonly PodModel[],
  nodes: readonly NodeInfo[],
): string | undefined {
  const valid = pods.length + running.length;
  if (valid < minCount) return `Not enough valid tasks for gang-scheduling, valid: ${valid}, min: ${minCount}`;
  if (!batch?.minResources || running.length > 0) return undefined;
  const { minResources, capability, inQueue, queue } = batch;
  const total = nodes.reduce((sum, it) => plus(sum, it.node.allocatable), NO_RESOURCES);
  const used = nodes.reduce((sum, it) => plus(sum, it.requested), NO_RESOURCES);
  const short = shortage(plus(minResources, used), name => Math.trunc(amountIn(total, name) * OVERCOMMIT));
  if (short !== undefined) return `resource in cluster is overused: ${short} does not suffice for minResources`;
  const mine = nodes.flatMap(it => it.pods.filter(inQueue)).reduce((sum, it) => plus(sum, it.requests), NO_RESOURCES);
  const over = capability && shortage(plus(minResources, mine), name => capability.get(name) ?? Infinity);
  return over === undefined ? undefined : `queue ${queue} is full: ${over} does not suffice for minResources`;
}

/** The first resource whose request exceeds what is available. */
function shortage(wanted: Resources, there: (name: string) => number): string | undefined {
  const names = ['cpu', 'memory', 'ephemeral-storage', ...wanted.scalar.keys()];
  return names.find(it => amountIn(wanted, it) > there(it));
}
