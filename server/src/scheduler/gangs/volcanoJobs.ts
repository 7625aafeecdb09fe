import { asInteger, asText, objectOrEmpty, type UnknownObject } from '../../base/json';
import { printed } from '../../base/printed';
import type { ClusterOptions } from '../../cluster/scenarioOptions';

/** Limit on the Pods of a Job. */
const MAX_PODS = 10_000;

/**
 * The PodGroup and the Pods that Volcano's controllers make for each Job of batch.volcano.sh; those that the scenario
 * already holds, by name, are left out. @param over overrides the scenario's own ScenarioOptions
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
  const { namespace, name } = objectOrEmpty(object?.metadata);
  return `${printed(object?.kind)}/${asText(namespace) ?? 'default'}/${asText(name) ?? ''}`;
}

interface Task {
  readonly name: string;
  readonly replicas: number;
  readonly minAvailable: number;
  readonly template: UnknownObject;
}

function objectsOf(job: UnknownObject): readonly UnknownObject[] {
  const { name: written, namespace: place } = objectOrEmpty(job.metadata);
  const name = asText(written) ?? '';
  const namespace = asText(place) ?? 'default';
  const spec = objectOrEmpty(job.spec);
  const tasks = (Array.isArray(spec.tasks) ? spec.tasks : []).map(taskOf);
  const schedulerName = asText(spec.schedulerName) ?? 'volcano';
  const minMember = asInteger(spec.minAvailable) ?? tasks.reduce((sum, it) => sum + it.minAvailable, 0);
  const priorityClassName = asText(spec.priorityClassName);
  const classed = priorityClassName === undefined ? {} : { priorityClassName };
  const group = {
    apiVersion: 'scheduling.volcano.sh/v1beta1',
    kind: 'PodGroup',
    metadata: { name, namespace },
    spec: { minMember, queue: asText(spec.queue) ?? 'default', ...classed },
  };
  const pods = tasks.flatMap(task =>
    Array.from({ length: Math.min(MAX_PODS, Math.max(0, task.replicas)) }, (_, i): UnknownObject => {
      const { labels, annotations } = objectOrEmpty(task.template.metadata);
      return {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name: `${name}-${task.name}-${i}`,
          namespace,
          labels: { ...objectOrEmpty(labels), 'volcano.sh/job-name': name, 'volcano.sh/task-spec': task.name },
          annotations: { ...objectOrEmpty(annotations), 'scheduling.k8s.io/group-name': name },
          ownerReferences: [{ apiVersion: job.apiVersion, kind: 'Job', name, controller: true }],
        },
        spec: { ...classed, ...objectOrEmpty(task.template.spec), schedulerName },
      };
    }),
  );
  return [group, ...pods];
}

function taskOf(written: unknown, index: number): Task {
  const task = objectOrEmpty(written);
  const replicas = asInteger(task.replicas) ?? 1;
  return {
    name: asText(task.name) ?? `default${index}`,
    replicas,
    minAvailable: asInteger(task.minAvailable) ?? replicas,
    template: objectOrEmpty(task.template),
  };
}
