import type { UnknownObject } from '../../base/json';
import { objectIn, textIn, wholeIn } from '../../base/json';
import { printed } from '../../base/printed';
import type { ClusterOptions } from '../../cluster/scenarioOptions';

/** No Job gets more Pods than this. */
const MOST_PODS = 10_000;

/**
 * The PodGroup and the Pods that Volcano's controllers make for each Job of batch.volcano.sh; what the scenario holds
 * already, by name, is not made again.
 *
 * @param over what counts more than the scenario's own ScenarioOptions
 */
export function volcanoJobObjects(
  objects: readonly UnknownObject[],
  over: Pick<ClusterOptions, 'expandWorkloads'> = {},
): readonly UnknownObject[] {
  const options = objects.find(it => it?.kind === 'ScenarioOptions');
  if (!(over.expandWorkloads ?? options?.expandWorkloads !== false)) return [];
  const jobs = objects.filter(it => it?.kind === 'Job' && printed(it.apiVersion).startsWith('batch.volcano.sh/'));
  if (jobs.length === 0) return [];
  const there = new Set(objects.map(nameOf));
  return jobs.flatMap(objectsOf).filter(it => !there.has(nameOf(it)));
}

function nameOf(object: UnknownObject): string {
  const { namespace, name } = objectIn(object?.metadata);
  return `${printed(object?.kind)}/${textIn(namespace) ?? 'default'}/${textIn(name) ?? ''}`;
}

interface Task {
  readonly name: string;
  readonly replicas: number;
  readonly minAvailable: number;
  readonly template: UnknownObject;
}

function objectsOf(job: UnknownObject): readonly UnknownObject[] {
  const { name: written, namespace: place } = objectIn(job.metadata);
  const name = textIn(written) ?? '';
  const namespace = textIn(place) ?? 'default';
  const spec = objectIn(job.spec);
  const tasks = (Array.isArray(spec.tasks) ? spec.tasks : []).map(taskOf);
  const schedulerName = textIn(spec.schedulerName) ?? 'volcano';
  const minMember = wholeIn(spec.minAvailable) ?? tasks.reduce((sum, it) => sum + it.minAvailable, 0);
  const priorityClassName = textIn(spec.priorityClassName);
  const classed = priorityClassName === undefined ? {} : { priorityClassName };
  const group = {
    apiVersion: 'scheduling.volcano.sh/v1beta1',
    kind: 'PodGroup',
    metadata: { name, namespace },
    spec: { minMember, queue: textIn(spec.queue) ?? 'default', ...classed },
  };
  const pods = tasks.flatMap(task =>
    Array.from({ length: Math.min(MOST_PODS, Math.max(0, task.replicas)) }, (_, i): UnknownObject => {
      const { labels, annotations } = objectIn(task.template.metadata);
      return {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name: `${name}-${task.name}-${i}`,
          namespace,
          labels: { ...objectIn(labels), 'volcano.sh/job-name': name, 'volcano.sh/task-spec': task.name },
          annotations: { ...objectIn(annotations), 'scheduling.k8s.io/group-name': name },
          ownerReferences: [{ apiVersion: job.apiVersion, kind: 'Job', name, controller: true }],
        },
        spec: { ...classed, ...objectIn(task.template.spec), schedulerName },
      };
    }),
  );
  return [group, ...pods];
}

function taskOf(written: unknown, index: number): Task {
  const task = objectIn(written);
  const replicas = wholeIn(task.replicas) ?? 1;
  return {
    name: textIn(task.name) ?? `default${index}`,
    replicas,
    minAvailable: wholeIn(task.minAvailable) ?? replicas,
    template: objectIn(task.template),
  };
}
