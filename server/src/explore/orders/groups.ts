import { asInteger, asText, objectOrEmpty } from '../../base/json';
import { push } from '../../base/multiMap';
import type { ClusterModel } from '../../cluster/clusterModel';
import { controllersIn, ownersIn } from '../../cluster/owners';
import type { PodModel } from '../../cluster/pods/podModel';
import { batchGroupIdOf } from '../../scheduler/gangs/batch';
import { groupIdOf } from '../../scheduler/gangs/podGroup';
import type { End } from './ends';
import type { OrdersProblem } from './problem';

/** Pods that are of use together. */
export interface PodsTogether {
  /** `Job a` or `PodGroup a`, with the namespace where that is not `default`. */
  readonly name: string;
  /** Numbers of Pods to place. */
  readonly pods: readonly number[];
  /** How many of them are needed. */
  readonly needed: number;
}

/** A group of which enough Pods run in the file. */
export interface RunningTogether extends Pick<PodsTogether, 'name' | 'pods' | 'needed'> {
  /** NAMESPACE/NAME of its running Pods. */
  readonly running: readonly string[];
}

const GROUP_LABEL = 'scheduling.x-k8s.io/pod-group';

const nameOf = (kind: string, namespace: string, name: string): string =>
  `${kind} ${namespace === 'default' ? '' : `${namespace}/`}${name}`;

/**
 * The Pods of a PodGroup, of which minMember or minCount are needed, and of a Job that runs all its completions at once. The
 * PodGroups of a CompositePodGroup are needed together.
 */
export function podsTogether({ scenario, pods }: OrdersProblem): readonly PodsTogether[] {
  const groups = groupsIn(scenario.cluster);
  const members = new Map<string, number[]>();
  const needed = new Map<string, number>();
  for (const [i, { model }] of pods.entries()) {
    const own = groups.of(model);
    if (own === undefined) continue;
    push(members, own.name, i);
    needed.set(own.name, own.needed);
  }
  return [...members].map(([name, its]) => ({ name, pods: its, needed: Math.min(its.length, needed.get(name)!) }));
}

/** Groups whose running Pods are all that they need. */
export function runningTogether({ scenario, pods }: OrdersProblem): readonly RunningTogether[] {
  const groups = groupsIn(scenario.cluster);
  const running = new Map<string, string[]>();
  const needed = new Map<string, number>();
  for (const it of scenario.cluster.running) {
    const own = groups.of(it);
    if (own === undefined) continue;
    push(running, own.name, it.id);
    needed.set(own.name, own.needed);
  }
  return [...running].flatMap(([name, its]): readonly RunningTogether[] => {
    const own = [...pods.keys()].filter(it => groups.of(pods[it]!.model)?.name === name);
    return its.length < needed.get(name)! ? [] : [{ name, running: its, pods: own, needed: needed.get(name)! }];
  });
}

interface NeededGroup {
  readonly name: string;
  readonly needed: number;
}

/** Finds the group that a Pod is of use with; undefined: it is of use alone. */
function groupsIn(cluster: ClusterModel): { of(pod: PodModel): NeededGroup | undefined } {
  const owners = ownersIn(cluster);
  const controllers = controllersIn(cluster);
  const byName = new Map<string, NeededGroup>();
  const composites = new Map<string, number>();
  const parents = new Map<string, string>();
  for (const object of cluster.objects.get('PodGroup') ?? []) {
    const metadata = objectOrEmpty(object.metadata);
    const spec = objectOrEmpty(object.spec);
    const least =
      asInteger(spec.minMember) ?? asInteger(objectOrEmpty(objectOrEmpty(spec.schedulingPolicy).gang).minCount);
    if (least === undefined) continue;
    const namespace = asText(metadata.namespace) ?? 'default';
    const name = nameOf('PodGroup', namespace, asText(metadata.name) ?? '');
    byName.set(name, { name, needed: least });
    const parent = asText(spec.parentCompositePodGroupName);
    if (parent === undefined) continue;
    const composite = nameOf('CompositePodGroup', namespace, parent);
    parents.set(name, composite);
    composites.set(composite, (composites.get(composite) ?? 0) + least);
  }
  return {
    of(pod) {
      const group = groupNameOf(pod);
      const own = group === undefined ? undefined : byName.get(nameOf('PodGroup', pod.namespace, group));
      const parent = own && parents.get(own.name);
      if (own) return parent === undefined ? own : { name: parent, needed: composites.get(parent)! };
      const [owner] = owners(pod);
      if (owner?.kind !== 'Job') return undefined;
      const { parallelism, completions } = objectOrEmpty(controllers(pod)?.spec);
      if (parallelism !== completions || typeof parallelism !== 'number' || parallelism < 2) return undefined;
      return { name: nameOf('Job', pod.namespace, owner.name), needed: parallelism };
    },
  };
}

function groupNameOf(pod: PodModel): string | undefined {
  const id = groupIdOf(pod) ?? batchGroupIdOf(pod);
  return id === undefined ? pod.labels[GROUP_LABEL] : id.slice(id.indexOf('/') + 1);
}

/** Whether several groups hold room, and none of them has what it needs: each waits for what the others hold. */
export function isDeadlocked({ fates }: End, groups: readonly PodsTogether[]): boolean {
  const placed = groups.map(it => it.pods.filter(pod => fates[pod]! >= 0).length);
  return placed.filter(it => it > 0).length > 1 && groups.every((it, i) => placed[i]! < it.needed);
}

/** Whether preemption left a group some of its Pods, and fewer than it needs. */
export function isBroken({ fates, evictedRunning }: End, { running, pods, needed }: RunningTogether): boolean {
  const gone = running.filter(it => evictedRunning.includes(it)).length;
  const left = running.length - gone + pods.filter(it => fates[it]! >= 0).length;
  return gone > 0 && left > 0 && left < needed;
}
