import { asInteger, asText, objectOrEmpty } from '../../base/json';
import { push } from '../../base/multiMap';
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

const GROUP_LABEL = 'scheduling.x-k8s.io/pod-group';

/** The Pods of a PodGroup, of which minMember or minCount are needed, and of a Job that runs all its completions at once. */
export function podsTogether({ scenario, pods }: OrdersProblem): readonly PodsTogether[] {
  const { cluster } = scenario;
  const owners = ownersIn(cluster);
  const controllers = controllersIn(cluster);
  const needed = new Map<string, number>();
  const members = new Map<string, number[]>();
  const nameOf = (kind: string, namespace: string, name: string): string =>
    `${kind} ${namespace === 'default' ? '' : `${namespace}/`}${name}`;
  for (const object of cluster.objects.get('PodGroup') ?? []) {
    const { name, namespace } = objectOrEmpty(object.metadata);
    const spec = objectOrEmpty(object.spec);
    const gang = objectOrEmpty(objectOrEmpty(spec.schedulingPolicy).gang);
    const least = asInteger(spec.minMember) ?? asInteger(gang.minCount);
    if (least !== undefined) needed.set(nameOf('PodGroup', asText(namespace) ?? 'default', asText(name) ?? ''), least);
  }
  for (const [i, { model }] of pods.entries()) {
    const group = groupNameOf(model);
    const inGroup = group === undefined ? undefined : nameOf('PodGroup', model.namespace, group);
    const [owner] = owners(model);
    if (inGroup !== undefined && needed.has(inGroup)) push(members, inGroup, i);
    else if (owner?.kind === 'Job') {
      const spec = objectOrEmpty(controllers(model)?.spec);
      const { parallelism } = spec;
      if (parallelism !== spec.completions || typeof parallelism !== 'number' || parallelism < 2) continue;
      const job = nameOf('Job', model.namespace, owner.name);
      push(members, job, i);
      needed.set(job, parallelism);
    }
  }
  return [...members].map(([name, its]) => ({ name, pods: its, needed: Math.min(its.length, needed.get(name)!) }));
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
