import type { UnknownObject } from '../../base/json';
import { grouped } from '../../base/multiMap';
import type {
  LimitRange,
  Namespace,
  ObjectMeta,
  PersistentVolumeClaim,
  Pod,
  PodSpec,
  PriorityClass,
  ResourceQuota,
  RuntimeClass,
} from '../../kube/types';
import { prepareForCreate, withDefaults } from '../pods/podStrategy';
import { antiAffinityError } from './antiAffinity';
import {
  claimLimitError,
  defaultLimits,
  LIMIT_ANNOTATION,
  limitAnnotation,
  podLimitError,
  type ReadRange,
  readRanges,
} from './limitRanger';
import { namedAs, type PolicyVerdict, readVerdict, requestedPod } from './mutationAdmission';
import { admitNodeSelector } from './nodeSelector';
import { admitPriority, defaultClassAmong, SYSTEM_PRIORITY_CLASSES } from './priority';
import { claimCharge, podCharge, quotaBook } from './resourceQuota';
import { admitRuntimeClass } from './runtimeClass';
import { admitDefaultTolerations, admitDeviceTolerations, admitNamespaceTolerations } from './tolerations';
import type { AdmissionFacts, AdmissionPlugin, Admitted, InvalidityOf } from './types';

/** Off by default. Upstream: DefaultOffAdmissionPlugins. */
export const OFF_BY_DEFAULT: ReadonlySet<string> = new Set<AdmissionPlugin>([
  'LimitPodHardAntiAffinityTopology',
  'PodNodeSelector',
  'PodTolerationRestriction',
  'ExtendedResourceToleration',
]);

/** The kinds that `admissionFacts` reads. */
export const ADMISSION_KINDS = ['PriorityClass', 'RuntimeClass', 'Namespace', 'LimitRange', 'ResourceQuota'] as const;

/** What admission asks others about a Pod. */
export interface Asked {
  readonly invalidityOf?: InvalidityOf | undefined;
}

export function admissionFacts(
  byKind: ReadonlyMap<string, readonly UnknownObject[]>,
  isEnabled: AdmissionFacts['isEnabled'],
  { invalidityOf }: Asked = {},
): AdmissionFacts {
  const all = <T>(kind: (typeof ADMISSION_KINDS)[number]): readonly T[] =>
    (byKind.get(kind) ?? []) as readonly unknown[] as readonly T[];
  const priorityClasses = named([...SYSTEM_PRIORITY_CLASSES, ...all<PriorityClass>('PriorityClass')]);
  return {
    priorityClasses,
    defaultPriorityClass: defaultClassAmong(priorityClasses.values()),
    runtimeClasses: named(all<RuntimeClass>('RuntimeClass')),
    namespaces: named(all<Namespace>('Namespace')),
    limitRanges: new Map(
      [...byNamespace(all<LimitRange>('LimitRange'))].map(([namespace, them]) => [namespace, readRanges(them)]),
    ),
    quotas: byNamespace(all<ResourceQuota>('ResourceQuota')),
    isEnabled,
    invalidityOf,
  };
}

interface Named {
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
}

function named<T extends Named>(list: readonly T[]): ReadonlyMap<string, T> {
  return new Map(list.map(it => [it.metadata?.name ?? '', it]));
}

function byNamespace<T extends Named>(list: readonly T[]): ReadonlyMap<string, readonly T[]> {
  return grouped(list, it => it.metadata?.namespace ?? 'default');
}

/** Whether the Pod was admitted before: it runs, or has the priority value that only admission sets. */
export function isAdmitted(pod: Pod): boolean {
  return Boolean(pod.spec?.nodeName) || pod.spec?.priority !== undefined;
}

type Step = (spec: PodSpec, namespace: string, facts: AdmissionFacts) => Admitted;

/** The plugins that change a Pod, in upstream's order. Upstream: options.AllOrderedPlugins. */
const MUTATING: readonly (readonly [AdmissionPlugin, Step])[] = [
  ['LimitRanger', (spec, namespace, facts) => ({ spec: defaultLimits(spec, rangesIn(namespace, facts)) })],
  ['PodNodeSelector', (spec, namespace, facts) => admitNodeSelector(spec, facts.namespaces.get(namespace))],
  ['Priority', (spec, _, facts) => admitPriority(spec, facts)],
  ['DefaultTolerationSeconds', spec => ({ spec: admitDefaultTolerations(spec) })],
  [
    'PodTolerationRestriction',
    (spec, namespace, facts) => admitNamespaceTolerations(spec, facts.namespaces.get(namespace)),
  ],
  ['ExtendedResourceToleration', spec => ({ spec: admitDeviceTolerations(spec) })],
  ['RuntimeClass', (spec, _, facts) => admitRuntimeClass(spec, facts.runtimeClasses)],
];

/**
 * Applies defaults, the plugins that change a new Pod, mutating policies, the Pod's create step, and what refuses it, in the
 * server's order; quotas come later (`Quotas.admitPod`). A refusal has the server's text.
 */
export const admitPod = (pod: Pod, facts: AdmissionFacts): Admitted =>
  admitRequested(pod, pluggedIn(pod, facts, MUTATING), undefined, facts);

/** A Pod after the plugins that change a new one, and as policies are asked about it then. */
export interface RequestedPod {
  readonly admitted: Admitted;
  /** Absent: a plugin refuses it. */
  readonly request?: Pod;
}

export function requestOf(pod: Pod, facts: AdmissionFacts): RequestedPod {
  const admitted = pluggedIn(pod, facts, MUTATING);
  if ('rejected' in admitted) return { admitted };
  return { admitted, request: requestedPod({ ...pod, metadata: annotated(pod, facts), spec: admitted.spec }) };
}

/** As `admitPod`, with the answer of policies about its request; undefined: they say nothing. */
export const admitWithVerdict = (
  pod: Pod,
  { admitted, request }: RequestedPod,
  verdict: PolicyVerdict | undefined,
  facts: AdmissionFacts,
): Admitted => admitRequested(pod, admitted, request && readVerdict(request as UnknownObject, verdict), facts);

function admitRequested(
  pod: Pod,
  plugged: Admitted,
  verdict: PolicyVerdict | undefined,
  facts: AdmissionFacts,
): Admitted {
  const admitted = applyVerdict(pod, plugged, verdict, facts);
  if ('rejected' in admitted) return admitted;
  const { mutated, denied } = admitted;
  const spec = prepareForCreate(admitted.spec, (mutated ?? pod).metadata?.labels ?? {});
  const hasLimits = facts.isEnabled('LimitRanger') && rangesFor(pod, facts).length > 0;
  const rejected = hasLimits ? facts.invalidityOf?.(bare(pod, pod.spec), bare(pod, spec)) : undefined;
  if (rejected !== undefined) return { rejected };
  const refusal = podRefusal(pod, spec, facts);
  if (refusal !== undefined) return { rejected: refusal };
  return denied === undefined ? { ...admitted, spec } : refusedByPolicy(denied);
}

/** Why the plugins that only validate refuse a Pod that is valid; undefined: they do not. Quotas are asked later. */
export function podRefusal(pod: Pod, spec: PodSpec, facts: AdmissionFacts): string | undefined {
  const error =
    (facts.isEnabled('LimitPodHardAntiAffinityTopology') ? antiAffinityError(spec) : undefined) ??
    (facts.isEnabled('LimitRanger') ? podLimitError(spec, rangesFor(pod, facts)) : undefined);
  return error === undefined ? undefined : forbidden('pods', pod, error);
}

/** The same for a claim. */
export function claimRefusal(claim: PersistentVolumeClaim, facts: AdmissionFacts): string | undefined {
  const error = facts.isEnabled('LimitRanger') ? claimLimitError(claim, rangesFor(claim, facts)) : undefined;
  return error === undefined ? undefined : forbidden('persistentvolumeclaims', claim, error);
}

/** Without the metadata that controllers write: the defaults of LimitRanges only concern the spec. */
const bare = ({ metadata: { name = '', namespace } = {} }: Pod, spec: PodSpec = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...(namespace !== undefined && { namespace }) },
  spec,
});

const refusedByPolicy = (rejected: string): Admitted => ({ rejected, isVerbatim: true, isByPolicy: true });

/** If policies change anything, the plugins run a second time. Upstream: reinvoker.Admit. */
function applyVerdict(
  pod: Pod,
  admitted: Admitted,
  verdict: PolicyVerdict | undefined,
  facts: AdmissionFacts,
): Admitted {
  if ('rejected' in admitted || verdict === undefined) return admitted;
  if ('rejected' in verdict) return refusedByPolicy(verdict.rejected);
  const { by, denied } = verdict;
  if (by.length === 0) return { ...admitted, ...(denied !== undefined && { denied }) };
  const mutatedPod = namedAs(pod, verdict.object as Pod);
  const again = pluggedIn(mutatedPod, facts, MUTATING);
  if ('rejected' in again) return again;
  return { ...again, mutated: { metadata: mutatedPod.metadata, by }, ...(denied !== undefined && { denied }) };
}

/** The Pod of a create request after the plugins, as mutating policies see it. */
export function pluggedInPod(pod: Pod, facts: AdmissionFacts): { readonly pod: Pod } | { readonly rejected: string } {
  const admitted = pluggedIn(pod, facts, MUTATING);
  return 'rejected' in admitted ? admitted : { pod: { ...pod, metadata: annotated(pod, facts), spec: admitted.spec } };
}

/** The metadata of a Pod with what LimitRanger says it set. */
function annotated(pod: Pod, facts: AdmissionFacts): ObjectMeta {
  const { metadata = {} } = pod;
  const ranges = facts.isEnabled('LimitRanger') ? rangesFor(pod, facts) : [];
  const text = ranges.length === 0 ? undefined : limitAnnotation(withDefaults(pod.spec ?? {}), ranges);
  if (text === undefined) return metadata;
  return { ...metadata, annotations: { ...metadata.annotations, [LIMIT_ANNOTATION]: text } };
}

function rangesFor({ metadata }: Named, facts: AdmissionFacts): readonly ReadRange[] {
  return rangesIn(metadata?.namespace ?? 'default', facts);
}

function rangesIn(namespace: string, { limitRanges }: AdmissionFacts): readonly ReadRange[] {
  return limitRanges.get(namespace)?.read ?? [];
}

/**
 * The same for a Pod that was admitted before. A running Pod lacks at most its priority value; a pending one may have
 * been written by hand, so every step that is idempotent is applied.
 */
export function readmitPod(pod: Pod, facts: AdmissionFacts): Admitted {
  if (!pod.spec?.nodeName) {
    const answer = pluggedIn(pod, facts, READMITTED);
    return 'rejected' in answer ? answer : { spec: prepareForCreate(answer.spec, pod.metadata?.labels ?? {}) };
  }
  const spec = withDefaults(pod.spec);
  if (spec.priority !== undefined || !facts.isEnabled('Priority')) return { spec };
  const answer = admitPriority(spec, facts);
  return 'rejected' in answer ? { rejected: forbidden('pods', pod, answer.rejected) } : answer;
}

function pluggedIn(pod: Pod, facts: AdmissionFacts, plugins: typeof MUTATING): Admitted {
  let spec = withDefaults(pod.spec ?? {});
  for (const [plugin, step] of plugins) {
    if (!facts.isEnabled(plugin)) continue;
    const answer = step(spec, pod.metadata?.namespace ?? 'default', facts);
    if ('rejected' in answer) return answer.isVerbatim ? answer : { rejected: forbidden('pods', pod, answer.rejected) };
    spec = answer.spec;
  }
  return { spec };
}

const READMITTED = MUTATING.filter(([plugin]) => plugin === 'DefaultTolerationSeconds' || plugin === 'RuntimeClass');

/** Upstream: admission.NewForbidden. */
function forbidden(resource: string, { metadata }: Named, why: string): string {
  return `${resource} "${metadata?.name ?? ''}" is forbidden: ${why}`;
}

/** The usage of the quotas of all namespaces. */
export interface Quotas {
  /** How many quotas of which namespaces are not looked at. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** Counts an existing object. */
  count(object: { readonly pod: Pod; readonly spec: PodSpec } | { readonly claim: PersistentVolumeClaim }): void;
  /** Ends counting of existing objects: a higher count in the quota's own status replaces ours. */
  close(): void;
  /** Why a new Pod is refused; undefined: it is admitted and counted. */
  admitPod(pod: Pod, spec: PodSpec): string | undefined;
  /** The same for a claim, which LimitRanges limit as well. */
  admitClaim(claim: PersistentVolumeClaim): string | undefined;
}

export function quotasOf(facts: AdmissionFacts): Quotas {
  const isOn = facts.isEnabled('ResourceQuota');
  const books = new Map(isOn ? [...facts.quotas].map(([namespace, them]) => [namespace, quotaBook(them)]) : []);
  const bookOf = ({ metadata }: Named) => books.get(metadata?.namespace ?? 'default');
  const admit = (resource: string, object: Named, charge: () => ReturnType<typeof claimCharge>): string | undefined => {
    const rejected = bookOf(object)?.admit(charge());
    return rejected === undefined ? undefined : forbidden(resource, object, rejected);
  };
  return {
    leftOut: new Map([...books].map(([namespace, it]) => [namespace, it.leftOut])),
    count(object) {
      const book = bookOf('pod' in object ? object.pod : object.claim);
      book?.count('pod' in object ? podCharge(object.pod, object.spec) : claimCharge(object.claim));
    },
    close() {
      for (const book of books.values()) book.close();
    },
    admitPod: (pod, spec) => admit('pods', pod, () => podCharge(pod, spec)),
    admitClaim: claim => claimRefusal(claim, facts) ?? admit('persistentvolumeclaims', claim, () => claimCharge(claim)),
  };
}
