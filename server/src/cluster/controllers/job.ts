import type { UnknownObject } from '../../base/json';
import type { Condition, CronJob, JobSpec, Pod } from '../../kube/types';
import {
  controllerRef,
  isActive,
  MAX_PODS,
  NO_PLANS,
  type Plans,
  podFrom,
  uidOf,
  type WorkloadObject,
  type World,
} from './controller';
import { jobGroup } from './jobGroup';

const INDEX = 'batch.kubernetes.io/job-completion-index';
const JOB_CONTROLLER = 'kubernetes.io/job-controller';

interface JobStatus {
  readonly startTime?: string;
  readonly failed?: number;
  readonly succeeded?: number;
  readonly completedIndexes?: string;
  readonly failedIndexes?: string;
  readonly conditions?: readonly Condition[];
}

interface WrittenJob {
  readonly spec?: JobSpec & { readonly podReplacementPolicy?: string; readonly podFailurePolicy?: unknown };
  readonly status?: JobStatus;
}

/** The missing Pods of a Job: its parallelism, at most the remaining completions. Upstream: Controller.manageJob. */
export function jobPods(workload: WorkloadObject, world: World): Plans {
  const { spec = {}, status = {} } = workload.source as WrittenJob;
  const managed = spec.managedBy !== undefined && spec.managedBy !== JOB_CONTROLLER;
  if (spec.suspend || managed || isFinishedJob(status)) return NO_PLANS;
  const own = world.podsOf(workload);
  const succeeded = own.filter(it => it.status?.phase === 'Succeeded');
  const done = Math.max(status.succeeded ?? 0, succeeded.length);
  const waitsForEnd = (spec.podReplacementPolicy ?? (spec.podFailurePolicy ? 'Failed' : '')) === 'Failed';
  const active = own.filter(it => isActive(it) || (waitsForEnd && it.metadata?.deletionTimestamp !== undefined));
  const missing = wantedPods(spec, done) - active.length;
  if (missing <= 0) return NO_PLANS;
  const indexes =
    spec.completionMode === 'Indexed' ? pendingIndexes(spec, status, [...active, ...succeeded], missing) : undefined;
  const owner = controllerRef(workload);
  const labels = generatedLabels(workload, spec);
  const group = jobGroup(workload, spec, world, own.length === 0 && hasNeverRun(status) ? 'not started' : 'started');
  return {
    ...(group?.newGroup && { between: [group.newGroup] }),
    count: indexes ? Math.min(indexes.length, missing) : missing,
    plan: i => {
      const index = indexes?.[i];
      const name = `${workload.name}-${index ?? own.length + i + 1}`;
      const alone = podFrom(workload.template, name, workload.namespace, owner, labels);
      const pod = group ? inGroup(alone, group.name) : alone;
      return { pod: index === undefined ? pod : withIndex(pod, workload.name, String(index)) };
    },
  };
}

/** Upstream: isNewJob. */
function hasNeverRun({ startTime, succeeded = 0, failed = 0, conditions = [] }: JobStatus): boolean {
  return startTime === undefined && succeeded + failed === 0 && !conditions.some(it => it.type === 'Suspended');
}

function inGroup(pod: Pod, podGroupName: string): Pod {
  return { ...pod, spec: { ...pod.spec, schedulingGroup: { podGroupName } } };
}

/** Without completions, parallelism counts until the first Pod succeeds. Upstream: SetDefaults_Job, manageJob. */
function wantedPods({ parallelism, completions }: JobSpec, done: number): number {
  if (completions === undefined && parallelism === undefined) return done > 0 ? 0 : 1;
  const atOnce = parallelism ?? 1;
  if (completions === undefined) return done > 0 ? 0 : atOnce;
  return Math.max(0, Math.min(atOnce, completions - done));
}

/** Upstream: job.IsJobFinished. */
function isFinishedJob({ conditions = [] }: JobStatus): boolean {
  return conditions.some(it => (it.type === 'Complete' || it.type === 'Failed') && it.status === 'True');
}

/** Upstream: firstPendingIndexes. */
function pendingIndexes(
  { completions = 0 }: JobSpec,
  status: JobStatus,
  pods: readonly Pod[],
  count: number,
): readonly number[] {
  const taken = new Set(pods.map(it => Number(it.metadata?.annotations?.[INDEX] ?? it.metadata?.labels?.[INDEX])));
  const over = [...intervalsOf(status.completedIndexes), ...intervalsOf(status.failedIndexes)];
  const res: number[] = [];
  const most = Math.min(count, MAX_PODS);
  for (let i = 0; i < completions && res.length < most; i += 1) {
    const within = over.find(([first, last]) => first <= i && i <= last);
    if (within) i = within[1];
    else if (!taken.has(i)) res.push(i);
  }
  return res;
}

/** "1,3-5" as pairs of first and last. Upstream: parseIndexesFromString. */
function intervalsOf(text = ''): readonly (readonly [number, number])[] {
  return text.split(',').flatMap(it => {
    const found = /^(\d+)(?:-(\d+))?$/.exec(it);
    return found ? [[Number(found[1]), Number(found[2] ?? found[1])] as const] : [];
  });
}

/** Labels that the API server adds to the template. Upstream: jobStrategy.generateSelector. */
function generatedLabels(
  workload: WorkloadObject,
  { manualSelector, template }: JobSpec,
): Readonly<Record<string, string>> {
  if (manualSelector) return {};
  const uid = uidOf(workload);
  return {
    'job-name': workload.name,
    'batch.kubernetes.io/job-name': workload.name,
    'controller-uid': uid,
    'batch.kubernetes.io/controller-uid': uid,
    ...template?.metadata?.labels,
  };
}

function withIndex(pod: Pod, job: string, index: string): Pod {
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: { ...pod.metadata?.labels, [INDEX]: index },
      annotations: { ...pod.metadata?.annotations, [INDEX]: index },
    },
    spec: { ...pod.spec, hostname: `${job}-${index}` },
  };
}

/**
 * The Job of the next run and its Pods; none while the concurrency policy forbids a second run. Upstream:
 * getJobFromTemplate2.
 */
export function cronJobPods(workload: WorkloadObject, world: World): Plans {
  const { suspend, concurrencyPolicy, jobTemplate } = (workload.source as CronJob).spec ?? {};
  const runs = world.controlled(workload, 'Job') as readonly WrittenJob[];
  const isRunning = runs.some(it => !isFinishedJob(it.status ?? {})) || world.podsOf(workload).some(isActive);
  if (suspend || (concurrencyPolicy === 'Forbid' && isRunning)) return NO_PLANS;
  const { namespace, template } = workload;
  const name = `${workload.name}-next`;
  const metadata = { ...jobTemplate?.metadata, name, namespace, ownerReferences: [controllerRef(workload)] };
  const source = { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: jobTemplate?.spec ?? {} };
  const admitted = world.admitted(source) as (UnknownObject & { readonly spec?: JobSpec }) | undefined;
  if (admitted === undefined) return NO_PLANS;
  const job: WorkloadObject = {
    apiVersion: source.apiVersion,
    kind: source.kind,
    name,
    namespace,
    metadata,
    template: admitted === source ? template : (admitted.spec?.template ?? template),
    source: admitted,
  };
  const plans = jobPods(job, { ...world, podsOf: () => [] });
  return plans.count === 0 ? NO_PLANS : { ...plans, between: [admitted, ...(plans.between ?? [])] };
}
