import type { PersistentVolumeClaim, Pod, PodSpec } from '../kube/types';
import { type AdmissionFacts, admitPod, isAdmitted, type Quotas, quotasOf, readmitPod } from './admission/admission';
import { podTerms } from './affinityTerms';
import { hostPortsOf } from './create';
import type { Note, PodModel } from './model';
import { podRequests } from './resources';
import { failedCreate, type MadePod } from './workloads';

export interface RejectedPod {
  readonly id: string;
  /** What the server says; for a workload's Pod what its controller's event says. */
  readonly message: string;
  readonly source: Pod;
}

/** Everything that is in the cluster after admission. */
export interface Admission {
  readonly running: readonly PodModel[];
  /** To place, in the order of the file; Pods of workloads last. */
  readonly pending: readonly PodModel[];
  readonly rejected: readonly RejectedPod[];
  /** As written and of StatefulSets' templates; claims of ephemeral volumes are made later. */
  readonly claims: readonly PersistentVolumeClaim[];
}

/** What asks to be let in, in the order of the file. */
export interface Arrivals {
  readonly pods: readonly Pod[];
  readonly claims: readonly PersistentVolumeClaim[];
  /** Pods of workloads. */
  readonly made: readonly MadePod[];
}

/** When the first running Pod without a startTime started; the next one second later. Any fixed moment does. */
export const CLUSTER_START = Date.UTC(2026, 0, 1);

/**
 * Lets everything in, in the order in which a cluster would: what is there counts first, then come new claims and Pods
 * as written, then the Pods of workloads with their claims.
 */
export function admitAll({ pods, claims, made }: Arrivals, facts: AdmissionFacts, notes: Note[]): Admission {
  const quotas = quotasOf(facts);
  for (const claim of claims) if (isOldClaim(claim)) quotas.count({ claim });
  const running: PodModel[] = [];
  const pending: PodModel[] = [];
  const rejected: RejectedPod[] = [];
  const old = new Map<Pod, PodModel>();
  const alive = pods.filter(it => it.status?.phase !== 'Succeeded' && it.status?.phase !== 'Failed');
  for (const pod of alive) {
    if (!isAdmitted(pod)) continue;
    const model = modelled(pod, readmitPod(pod, facts), CLUSTER_START + running.length * 1000, notes);
    if ('message' in model) {
      rejected.push(model);
      continue;
    }
    quotas.count({ pod, spec: model.spec });
    if (model.nodeName) running.push(model);
    else old.set(pod, model);
  }
  quotas.close();
  const there = claims.filter(it => isOldClaim(it) || isClaimIn(it, quotas, notes));
  for (const pod of alive) {
    const known = old.get(pod);
    if (known) pending.push(known);
    if (known || isAdmitted(pod)) continue;
    const model = newPod(pod, facts, quotas, notes);
    if ('message' in model) rejected.push(model);
    else pending.push(model);
  }
  const failed = new Set<object>();
  for (const { pod, claims: own, workload } of made) {
    // The controller meets the same refusal for each Pod that follows.
    if (failed.has(workload.source)) continue;
    const refusal = firstRefusal(own, quotas);
    const model = refusal ?? newPod(pod, facts, quotas, notes);
    there.push(...(refusal ? own.slice(0, own.indexOf(refusal.claim)) : own));
    if (!('message' in model)) {
      pending.push(model);
      continue;
    }
    failed.add(workload.source);
    const message = failedCreate(workload, pod, model.message, refusal?.claim);
    rejected.push({ id: idOf(pod), message, source: pod });
  }
  return { running, pending, rejected, claims: there };
}

export function idOf(object: { readonly metadata?: { readonly namespace?: string; readonly name?: string } }): string {
  return `${object.metadata?.namespace ?? 'default'}/${object.metadata?.name ?? ''}`;
}

/** A claim that a controller has seen was let in before. */
function isOldClaim({ metadata, spec, status }: PersistentVolumeClaim): boolean {
  return Boolean(metadata?.uid || spec?.volumeName || (status as { readonly phase?: string } | undefined)?.phase);
}

function isClaimIn(claim: PersistentVolumeClaim, quotas: Quotas, notes: Note[]): boolean {
  const refusal = quotas.admitClaim(claim);
  if (refusal !== undefined) notes.push({ message: `${refusal}, so there is no such claim.` });
  return refusal === undefined;
}

function firstRefusal(
  claims: readonly PersistentVolumeClaim[],
  quotas: Quotas,
): { readonly claim: PersistentVolumeClaim; readonly message: string } | undefined {
  for (const claim of claims) {
    const message = quotas.admitClaim(claim);
    if (message !== undefined) return { claim, message };
  }
  return undefined;
}

type Answer = ReturnType<typeof admitPod>;

function newPod(pod: Pod, facts: AdmissionFacts, quotas: Quotas, notes: Note[]): PodModel | RejectedPod {
  const answer = admitPod(pod, facts);
  const refusal = 'rejected' in answer ? undefined : quotas.admitPod(pod, answer.spec);
  // Later than the start of any Pod that runs; a Pod that is placed gets its own.
  return modelled(pod, refusal === undefined ? answer : { rejected: refusal }, CLUSTER_START, notes);
}

function modelled(pod: Pod, answer: Answer, startTime: number, notes: Note[]): PodModel | RejectedPod {
  const id = idOf(pod);
  if ('rejected' in answer) return { id, message: answer.rejected, source: pod };
  if ((answer.spec.containers ?? []).length === 0) {
    notes.push({ pod: id, message: 'The Pod has no containers, so it is taken as one that asks for nothing.' });
  }
  const onBad = (message: string): void => {
    notes.push({ pod: id, message: `Pod ${pod.metadata?.name ?? 'without a name'}: ${message}` });
  };
  return modelOf(pod, answer.spec, startTime, onBad);
}

function modelOf(pod: Pod, spec: PodSpec, startTime: number, onBad: (message: string) => void): PodModel {
  const { metadata, status } = pod;
  const requests = podRequests(spec, onBad, status);
  const started = status?.startTime === undefined ? Number.NaN : Date.parse(status.startTime);
  const nominated = status?.nominatedNodeName;
  const namespace = metadata?.namespace ?? 'default';
  return {
    id: idOf(pod),
    name: metadata?.name ?? '',
    namespace,
    labels: metadata?.labels ?? NO_LABELS,
    spec,
    priority: spec.priority ?? 0,
    schedulerName: spec.schedulerName || 'default-scheduler',
    requests: requests.requests,
    nonZeroRequests: requests.nonZero,
    nonZeroOfContainers: requests.nonZeroOfContainers,
    terms: podTerms(spec, namespace),
    hostPorts: hostPortsOf(spec),
    ...(spec.nodeName && { nodeName: spec.nodeName }),
    ...(nominated && { nominatedNodeName: nominated }),
    startTime: Number.isNaN(started) ? startTime : started,
    terminating: metadata?.deletionTimestamp !== undefined,
    conditions: status?.conditions ?? NO_CONDITIONS,
    source: pod,
  };
}

const NO_LABELS: PodModel['labels'] = {};
const NO_CONDITIONS: PodModel['conditions'] = [];
