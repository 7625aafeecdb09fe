import { bare } from '../base/bare';
import type { Mutable } from '../base/copy';
import type { UnknownObject } from '../base/json';
import { t } from '../base/l10n';
import type { Memo } from '../base/memo';
import { jsonText, printed } from '../base/printed';
import { eachInSteps, type Steps } from '../base/steps';
import type { PersistentVolumeClaim, Pod, PodSpec, PodStatus, ResourceList, StringMap } from '../kube/types';
import {
  admitPod,
  admitWithVerdict,
  isAdmitted,
  type Quotas,
  quotasOf,
  readmitPod,
  requestOf,
} from './admission/admission';
import type { AskPolicies } from './admission/mutationAdmission';
import { MOST_SCOPES } from './admission/resourceQuota';
import { withTopologyLabels } from './admission/topologyLabels';
import type { AdmissionFacts, Admitted } from './admission/types';
import { CLUSTER_START } from './clusterStart';
import type { WorkloadObject } from './controllers/controller';
import { failedCreate, type MadePod } from './controllers/workloads';
import { isControlled } from './owners';
import { NO_TERMS, podTerms } from './pods/affinityTerms';
import type { Note } from './pods/note';
import type { PodModel } from './pods/podModel';
import { hostPortsOf } from './pods/podStrategy';
import { isSidecar, type PodRequests, podRequests } from './resources/resources';

export interface RejectedPod {
  readonly id: string;
  /** The server's message; for a workload's Pod, the message of its controller's event. */
  readonly message: string;
  readonly source: Pod;
  /** A policy of the user refuses it, which is reported at what is written, too. */
  readonly isByPolicy?: true;
  /** How many Pods of the same workload are not made after this one. */
  readonly more?: number;
}

/** The Pods and claims after admission. */
export interface PodAdmission {
  readonly running: readonly PodModel[];
  /** The Pods to place, in the order of the file; Pods of workloads last. */
  readonly pending: readonly PodModel[];
  readonly rejected: readonly RejectedPod[];
  /** Written claims and those of StatefulSets' templates; claims of ephemeral volumes are made later. */
  readonly claims: readonly PersistentVolumeClaim[];
}

/** What is to be admitted, in the order of the file. */
export interface Arrivals {
  readonly pods: readonly Pod[];
  readonly claims: readonly PersistentVolumeClaim[];
  /** Pods of workloads. */
  readonly made: readonly MadePod[];
  /** The node labels that are copied to Pods; undefined: none. */
  topology(node: string): StringMap | undefined;
  /** undefined: there are no policies. */
  readonly askPolicies: AskPolicies | undefined;
}

/**
 * Admits everything in the order of a cluster: existing objects count first, then new claims and Pods as written, then
 * the Pods of workloads with their claims.
 */
export function* admitPods(
  { pods, claims, made, topology, askPolicies }: Arrivals,
  facts: AdmissionFacts,
  memory: Memo,
  notes: Note[],
): Steps<PodAdmission> {
  const quotas = quotasOf(facts);
  for (const [namespace, count] of quotas.leftOut) {
    if (count > 0) notes.push({ message: manyQuotasNote(namespace, count) });
  }
  const modelled = modeller(memory, topology, notes);
  const readmitted = (pod: Pod): Admitted => memory.of('readmitted', pod, [facts], () => readmitPod(pod, facts));
  const admittedBy = (pod: Pod, ask: AskPolicies): Admitted => {
    const requested = memory.of('requested', pod, [facts], () => requestOf(pod, facts));
    // Asked in each run, as the answer may differ for this Pod alone.
    const verdict = requested.request && ask(requested.request as UnknownObject);
    return memory.of('admitted', pod, [facts, verdict], () => admitWithVerdict(pod, requested, verdict, facts));
  };
  const admitted = (pod: Pod): Admitted => {
    const answer = askPolicies
      ? admittedBy(pod, askPolicies)
      : memory.of('admitted', pod, [facts], () => admitPod(pod, facts));
    const refusal = 'rejected' in answer ? undefined : quotas.admitPod(pod, answer.spec);
    return refusal === undefined ? answer : { rejected: refusal };
  };
  for (const claim of claims) if (isOldClaim(claim)) quotas.count({ claim });
  const running: PodModel[] = [];
  const pending: PodModel[] = [];
  const rejected: RejectedPod[] = [];
  const old = new Map<Pod, PodModel>();
  const alive = pods.filter(it => it.status?.phase !== 'Succeeded' && it.status?.phase !== 'Failed');
  yield* eachInSteps(alive, pod => {
    if (!isAdmitted(pod)) return;
    const model = modelled(pod, readmitted(pod), CLUSTER_START + running.length * 1000);
    if ('message' in model) {
      rejected.push(model);
      return;
    }
    quotas.count({ pod, spec: model.spec });
    if (model.nodeName) running.push(model);
    else old.set(pod, model);
  });
  quotas.close();
  const there = claims.filter(it => isOldClaim(it) || isClaimIn(it, quotas, notes));
  yield* eachInSteps(alive, pod => {
    const failure = old.get(pod);
    if (failure) pending.push(failure);
    if (failure || isAdmitted(pod)) return;
    const model = modelled(pod, admitted(pod), CLUSTER_START);
    if ('message' in model) rejected.push(model);
    else pending.push(model);
  });
  const modelOf = (pod: Pod): PodModel | RejectedPod => modelled(pod, admitted(pod), CLUSTER_START);
  const late = yield* admitMadePods(made, quotas, modelOf, notes);
  // A template that names a node binds its Pods itself; the scheduler passes over them.
  const bound = late.pending.filter(it => it.nodeName !== undefined);
  return {
    running: [...running, ...bound],
    pending: [...pending, ...late.pending.filter(it => it.nodeName === undefined)],
    rejected: [...rejected, ...late.rejected],
    claims: [...there, ...late.claims],
  };
}

/** That Pods are not counted by all quotas of their namespace. */
const manyQuotasNote = (namespace: string, leftOut: number): string =>
  t`The quotas of the namespace ${namespace} have more than ${MOST_SCOPES} scopes that differ: ${leftOut} quotas are left out.`;

/** Admits Pods of workloads with their claims, after everything that is written. */
function* admitMadePods(
  made: readonly MadePod[],
  quotas: Quotas,
  modelOf: (pod: Pod) => PodModel | RejectedPod,
  notes: Note[],
): Steps<Pick<PodAdmission, 'pending' | 'rejected' | 'claims'>> {
  const pending: PodModel[] = [];
  const claims: PersistentVolumeClaim[] = [];
  const failed = new Map<WorkloadObject, RejectedPod>();
  yield* eachInSteps(made, ({ pod, claims: own, workload }) => {
    // The controller gets the same refusal for each further Pod.
    const failure = failed.get(workload);
    if (failure) {
      failed.set(workload, { ...failure, more: (failure.more ?? 0) + 1 });
      return;
    }
    const refusal = firstRefusal(own, quotas);
    const model = refusal ?? modelOf(pod);
    for (const each of refusal ? own.slice(0, own.indexOf(refusal.claim)) : own) claims.push(each);
    if (!('message' in model)) {
      pending.push(model);
      return;
    }
    const message = failedCreate(workload, pod, model.message, refusal?.claim);
    const { isByPolicy } = model as Partial<RejectedPod>;
    failed.set(workload, { id: idOf(pod), message, source: pod, ...(isByPolicy && { isByPolicy }) });
  });
  for (const [{ kind, name }, { more = 0 }] of failed) {
    if (more > 0) notes.push({ message: moreRefusedNote(`${kind} ${name}`, more) });
  }
  return { pending, rejected: [...failed.values()], claims };
}

/** That a controller gets the same refusal for further Pods of a workload. */
export const moreRefusedNote = (workload: string, more: number): string =>
  `${workload}: ${more} more of its Pods are not made either.`;

export function idOf(object: { readonly metadata?: { readonly namespace?: string; readonly name?: string } }): string {
  return `${object.metadata?.namespace ?? 'default'}/${object.metadata?.name ?? ''}`;
}

/** A claim that a controller has processed was admitted before. */
export function isOldClaim({ metadata, spec, status }: PersistentVolumeClaim): boolean {
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

interface Read<T> {
  readonly value: T;
  /** What could not be read. */
  readonly bad: readonly string[];
}

/** Makes models of Pods; equal parts of many Pods are read once. */
function modeller(
  memory: Memo,
  topology: Arrivals['topology'],
  notes: Note[],
): (pod: Pod, answer: Admitted, startTime: number) => PodModel | RejectedPod {
  const modelOfNew = (pod: Pod, admitted: PodSpec, startTime: number, ofNode?: StringMap): Read<PodModel> => {
    const { metadata } = pod;
    const namespace = metadata?.namespace ?? 'default';
    // Pods of one workload share the template. Those that are written one by one may be alike, too.
    const own = memory.same(pod.spec ?? pod, namespace, admitted);
    const isPending = own.nodeName === undefined && !isControlled(pod as UnknownObject);
    const spec = isPending ? memory.shared(`spec\n${jsonText(own)}`, () => own) : own;
    const requests = memory.shared(`requests\n${resourcesKey(spec, pod.status)}`, (): Read<PodRequests> => {
      const bad: string[] = [];
      return { value: podRequests(spec, it => bad.push(it), pod.status), bad };
    });
    // A copy: through YAML aliases, Pods of two namespaces may have one labels object, and the same object counts as
    // the same labels of one namespace.
    const written = withTopologyLabels(metadata?.labels ?? NO_LABELS, ofNode);
    const key = `labels\n${namespace}\n${listKey(written)}`;
    const labels = memory.shared(key, (): PodModel['labels'] => bare(written));
    const badQuantities = requests.bad.map(it => `Pod ${metadata?.name ?? 'without a name'}: ${it}`);
    const hasContainers = (spec.containers ?? []).length > 0;
    const bad = [...(hasContainers ? [] : [NO_CONTAINERS]), ...badQuantities];
    const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
    const terms =
      podAffinity || podAntiAffinity
        ? memory.shared(`terms\n${namespace}\n${jsonText([podAffinity, podAntiAffinity])}`, () =>
            podTerms(spec, namespace),
          )
        : NO_TERMS;
    return { value: modelOf(pod, spec, { labels, terms, ...requests.value }, startTime), bad };
  };
  return (pod, answer, startTime) => {
    if ('rejected' in answer) {
      const { rejected: message, isByPolicy } = answer;
      return { id: idOf(pod), message, source: pod, ...(isByPolicy && { isByPolicy }) };
    }
    const { spec, mutated } = answer;
    const ofNode = spec.nodeName ? topology(spec.nodeName) : undefined;
    const inputs = [spec, startTime, ofNode];
    const { value, bad } = memory.of('model', pod, inputs, () => {
      if (mutated === undefined) return modelOfNew(pod, spec, startTime, ofNode);
      const { value, bad } = modelOfNew({ ...pod, metadata: mutated.metadata } as Pod, spec, startTime, ofNode);
      return { value: { ...value, mutatedBy: mutated.by }, bad };
    });
    for (const message of bad) notes.push({ pod: value.id, message });
    return value;
  };
}

const NO_LABELS: StringMap = {};

const NO_CONTAINERS = 'The Pod has no containers, so it is taken as one that asks for nothing.';

/** Everything that `podRequests` reads, as text. */
function resourcesKey(
  { containers = [], initContainers = [], resources, overhead }: PodSpec,
  status?: PodStatus,
): string {
  let key = '';
  for (const it of containers) key += listKey(it.resources?.requests);
  for (const it of initContainers) key += `${isSidecar(it) ? '*' : '+'}${listKey(it.resources?.requests)}`;
  if (resources || overhead) key += `=${listKey(resources?.requests)}${listKey(overhead)}`;
  const resized =
    status?.resources ?? status?.allocatedResources ?? status?.containerStatuses ?? status?.initContainerStatuses;
  if (!resized) return key;
  return key + jsonText([status, [...containers, ...initContainers].map(it => it.name)]);
}

function listKey(list: ResourceList | PodModel['labels'] | undefined): string {
  let key = '';
  for (const name in list) key += `${name}\0${printed(list[name])}\0`;
  return `${key}\n`;
}

function modelOf(
  pod: Pod,
  spec: PodSpec,
  { labels, terms, requests, nonZero, nonZeroOfContainers }: PodRequests & Pick<PodModel, 'labels' | 'terms'>,
  startTime: number,
): PodModel {
  const { metadata, status } = pod;
  const started = status?.startTime === undefined ? Number.NaN : Date.parse(status.startTime);
  const namespace = metadata?.namespace ?? 'default';
  const name = metadata?.name ?? '';
  const model: Mutable<PodModel> = {
    id: `${namespace}/${name}`,
    name,
    namespace,
    labels,
    spec,
    priority: spec.priority ?? 0,
    schedulerName: spec.schedulerName || 'default-scheduler',
    requests,
    nonZeroRequests: nonZero,
    nonZeroOfContainers,
    terms,
    hostPorts: hostPortsOf(spec),
    startTime: Number.isNaN(started) ? startTime : started,
    terminating: metadata?.deletionTimestamp !== undefined,
    conditions: status?.conditions ?? NO_CONDITIONS,
    source: pod,
  };
  if (spec.nodeName) model.nodeName = spec.nodeName;
  if (status?.nominatedNodeName) model.nominatedNodeName = status.nominatedNodeName;
  return model;
}

const NO_CONDITIONS: PodModel['conditions'] = [];
