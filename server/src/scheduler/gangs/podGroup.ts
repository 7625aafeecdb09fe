import { asInteger, asText, objectOrEmpty, type UnknownObject } from '../../base/json';
import { printed } from '../../base/printed';
import { SYSTEM_PRIORITY_CLASSES } from '../../cluster/admission/priority';
import type { ClusterModel } from '../../cluster/clusterModel';
import type { Note } from '../../cluster/pods/note';
import type { PodModel } from '../../cluster/pods/podModel';
import type { PriorityClass } from '../../kube/types';
import type { PodGroupModel, PodGroups, SchedulerGates } from '../framework/interface';
import type { NodeInfo } from '../framework/nodeInfo';

/** NAMESPACE/NAME of the PodGroup that the Pod names, whether or not that exists. */
export function groupIdOf({ namespace, spec }: PodModel): string | undefined {
  const name = spec.schedulingGroup?.podGroupName;
  return name ? `${namespace}/${name}` : undefined;
}

/** The Pods of a group that have a node. Upstream: PodGroupState.ScheduledPods. */
export function membersOn(nodes: readonly NodeInfo[], group: PodGroupModel): readonly PodModel[] {
  return nodes.flatMap(it => it.pods.filter(group.has));
}

/**
 * The PodGroups of the cluster after the Priority admission plugin; undefined while the gate GenericWorkload is off. A
 * group that the API server would refuse is left out with a note. Upstream: admitPodGroup.
 */
export function podGroupsOf(
  cluster: ClusterModel,
  gates: SchedulerGates,
  onNote: (note: Note) => void,
): PodGroups | undefined {
  if (!gates.genericWorkload) return undefined;
  const classes = [
    ...SYSTEM_PRIORITY_CLASSES,
    ...((cluster.objects.get('PriorityClass') ?? []) as readonly PriorityClass[]),
  ];
  const res = new Map<string, PodGroupModel>();
  for (const object of cluster.objects.get('PodGroup') ?? []) {
    if (!printed(object.apiVersion).startsWith('scheduling.k8s.io/')) continue;
    const group = podGroupOf(object, classes, gates);
    if ('refused' in group) onNote({ message: group.refused });
    else res.set(group.id, group);
  }
  return res;
}

function podGroupOf(
  object: UnknownObject,
  classes: readonly PriorityClass[],
  gates: SchedulerGates,
): PodGroupModel | { readonly refused: string } {
  const metadata = objectOrEmpty(object.metadata);
  const name = asText(metadata.name) ?? '';
  const namespace = asText(metadata.namespace) ?? 'default';
  const spec = objectOrEmpty(object.spec);
  const className = asText(spec.priorityClassName);
  const found = className ? classes.find(it => it.metadata?.name === className) : defaultClass(classes);
  if (className && !found) {
    return {
      refused: `podgroups "${name}" is forbidden: no PriorityClass with name ${className} was found; the PodGroup is left out.`,
    };
  }
  const priority = found?.value ?? 0;
  if (typeof spec.priority === 'number' && spec.priority !== priority && (className || found)) {
    return {
      refused: `podgroups "${name}" is forbidden: priority set in the pod group (${spec.priority}) must match the priority computed (${priority}) based on the priority class set in the spec; the PodGroup is left out.`,
    };
  }
  const gang = objectOrEmpty(spec.schedulingPolicy).gang;
  const topology = objectOrEmpty(spec.schedulingConstraints).topology;
  const key = Array.isArray(topology) ? asText(objectOrEmpty(topology[0]).key) : undefined;
  const id = `${namespace}/${name}`;
  const isTopologyAware = gates.isOn('TopologyAwareWorkloadScheduling');
  const policy = asText(spec.preemptionPolicy) ?? found?.preemptionPolicy ?? 'PreemptLowerPriority';
  return {
    id,
    has: it => groupIdOf(it) === id,
    name,
    namespace,
    ...(gang !== undefined && gang !== null && { minCount: asInteger(objectOrEmpty(gang).minCount) ?? 0 }),
    priority: typeof spec.priority === 'number' ? spec.priority : priority,
    ...(gates.podGroupPreemptionPolicy && { preemptionPolicy: policy }),
    disruption: disruptionOf(spec.disruptionMode),
    ...(isTopologyAware && { topology: key === undefined ? {} : { key } }),
  };
}

/** Since 1.37 an object with one member (`all: {}`), before that a word. */
function disruptionOf(mode: unknown): PodGroupModel['disruption'] {
  if (mode === 'PodGroup' || mode === 'All') return 'all';
  const { all } = objectOrEmpty(mode);
  return all === undefined || all === null ? 'single' : 'all';
}

function defaultClass(classes: readonly PriorityClass[]): PriorityClass | undefined {
  const candidates = classes.filter(it => it.globalDefault === true);
  return candidates.sort((a, b) => (a.value ?? 0) - (b.value ?? 0))[0];
}
