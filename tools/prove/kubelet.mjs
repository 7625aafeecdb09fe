// What kubelets and people do between the steps of a proof.
import { STEP } from './steps.mjs';
import { eventually } from './wait.mjs';

/** What a kubelet does: a Pod that is told to end is gone. */
export async function finishTerminating(api) {
  for (const pod of await api.list('v1', 'Pod'))
    if (pod.metadata.deletionTimestamp !== undefined) await api.remove(pod);
}

/** What a kubelet does: a bound Pod runs. */
async function startBound(api) {
  const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const started = (await api.list('v1', 'Pod')).filter(
    it => it.spec.nodeName !== undefined && it.status.phase === 'Pending',
  );
  for (const pod of started) {
    const conditions = [
      ...(pod.status.conditions ?? []),
      ...['Initialized', 'ContainersReady', 'Ready'].map(type => ({ type, status: 'True', lastTransitionTime: now })),
    ];
    await api.writeStatus({ ...pod, status: { ...pod.status, phase: 'Running', startTime: now, conditions } });
  }
}

const WORKLOADS = [
  ['apps/v1', 'Deployment'],
  ['apps/v1', 'ReplicaSet'],
  ['apps/v1', 'StatefulSet'],
  ['apps/v1', 'DaemonSet'],
  ['batch/v1', 'Job'],
];

const stepOf = object => object.metadata.labels[STEP];

/**
 * Removes the steps whose Pods wait, whole: they would be tried again after later steps. A Job that lost a Pod goes, too:
 * its controller makes another one some time later.
 */
async function removeWaiting(api) {
  const pods = await api.list('v1', 'Pod');
  const isShort = job => pods.filter(it => stepOf(it) === stepOf(job)).length < job.spec.parallelism;
  const steps = new Set([
    ...pods.filter(it => it.spec.nodeName === undefined).map(stepOf),
    ...(await api.list('batch/v1', 'Job')).filter(isShort).map(stepOf),
  ]);
  if (steps.size === 0) return;
  for (const [apiVersion, kind] of WORKLOADS)
    for (const object of await api.list(apiVersion, kind)) if (steps.has(stepOf(object))) await api.remove(object);
  for (const pod of pods) if (steps.has(stepOf(pod))) await api.remove(pod);
}

const wantedOf = ({ kind, spec, status }) =>
  kind === 'DaemonSet' ? status.desiredNumberScheduled : kind === 'Job' ? spec.parallelism : spec.replicas;

/** What is missing until each workload has as many Pods as it wants, all of them running. */
async function unrest(api) {
  const pods = await api.list('v1', 'Pod');
  const restless = pods.find(it => it.status.phase === 'Pending' || it.metadata.deletionTimestamp !== undefined);
  if (restless !== undefined) return `Pod ${restless.metadata.name} runs`;
  for (const [apiVersion, kind] of WORKLOADS)
    for (const object of await api.list(apiVersion, kind)) {
      const own = pods.filter(it => stepOf(it) === stepOf(object));
      if (own.length !== wantedOf(object)) return `${kind} ${object.metadata.name} has all its Pods`;
    }
  return undefined;
}

/** Lets the cluster come to rest: every Pod runs, none waits, no controller has something to do. */
export const settle = api =>
  eventually(async () => {
    await finishTerminating(api);
    await startBound(api);
    await removeWaiting(api);
    return unrest(api);
  });
