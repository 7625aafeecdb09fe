import type { UnknownObject } from '../base/json';
import type { LabelSelector, StringMap } from '../kube/types';

export const DESCHEDULER_GROUP = 'descheduler';
export const DESCHEDULER_VERSION = `${DESCHEDULER_GROUP}/v1alpha2`;

/** Upstream: api/v1alpha2.DeschedulerPolicy. */
export interface DeschedulerPolicy {
  readonly profiles?: readonly DeschedulerProfile[];
  /** Which nodes are considered, in the syntax of `kubectl --selector`. */
  readonly nodeSelector?: string;
  readonly maxNoOfPodsToEvictPerNode?: number;
  readonly maxNoOfPodsToEvictPerNamespace?: number;
  readonly maxNoOfPodsToEvictTotal?: number;
}

export interface DeschedulerProfile {
  readonly name?: string;
  readonly pluginConfig?: readonly { readonly name?: string; readonly args?: UnknownObject }[];
  readonly plugins?: Readonly<Partial<Record<DeschedulerExtensionPoint, { readonly enabled?: readonly string[] }>>>;
}

/** In the spelling of the file. Upstream: api/v1alpha2.Plugins. */
export const EXTENSION_POINTS = ['presort', 'sort', 'deschedule', 'balance', 'filter', 'preevictionfilter'] as const;
export type DeschedulerExtensionPoint = (typeof EXTENSION_POINTS)[number];

/** Upstream: api.Namespaces. */
export interface NamespaceChoice {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** The fields by which most plugins select Pods. */
export interface PodChoice {
  readonly namespaces?: NamespaceChoice;
  readonly labelSelector?: LabelSelector;
}

/** Upstream: defaultevictor.DefaultEvictorArgs. */
export interface EvictorArgs {
  readonly nodeSelector?: string;
  readonly labelSelector?: LabelSelector;
  readonly namespaceLabelSelector?: LabelSelector;
  readonly priorityThreshold?: { readonly value?: number; readonly name?: string };
  readonly nodeFit?: boolean;
  readonly minReplicas?: number;
  readonly minPodAge?: string;
  readonly noEvictionPolicy?: 'Preferred' | 'Mandatory';
  readonly podProtections?: {
    readonly extraEnabled?: readonly Protection[];
    readonly defaultDisabled?: readonly Protection[];
    readonly config?: { readonly PodsWithPVC?: { readonly protectedStorageClasses?: readonly StringMap[] } };
  };
  readonly evictLocalStoragePods?: boolean;
  readonly evictDaemonSetPods?: boolean;
  readonly evictSystemCriticalPods?: boolean;
  readonly evictFailedBarePods?: boolean;
  readonly ignorePvcPods?: boolean;
  readonly ignorePodsWithoutPDB?: boolean;
}

export const DEFAULT_PROTECTIONS = [
  'PodsWithLocalStorage',
  'SystemCriticalPods',
  'FailedBarePods',
  'DaemonSetPods',
] as const;
export const EXTRA_PROTECTIONS = ['PodsWithPVC', 'PodsWithoutPDB', 'PodsWithResourceClaims'] as const;
export type Protection = (typeof DEFAULT_PROTECTIONS)[number] | (typeof EXTRA_PROTECTIONS)[number];

/** Resource name → percentage of what a node can allocate. */
export type Thresholds = Readonly<Record<string, number>>;

/** Whether an object is a policy of the version that the descheduler reads. */
export function isDeschedulerPolicy(object: UnknownObject): boolean {
  return object.kind === 'DeschedulerPolicy' && object.apiVersion === DESCHEDULER_VERSION;
}

/** The args of a plugin in a profile; empty when there are none. */
export function argsOf(profile: DeschedulerProfile, plugin: string): UnknownObject {
  return profile.pluginConfig?.find(it => it.name === plugin)?.args ?? {};
}

/** A null field counts as absent, as everywhere in Kubernetes. */
export function withoutNulls(object: UnknownObject): UnknownObject {
  const given = Object.entries(object).filter(([, it]) => it !== null && it !== undefined);
  return Object.fromEntries(given.map(([name, it]) => [name, withoutNullsIn(it)]));
}

function withoutNullsIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(it => it !== null).map(withoutNullsIn);
  return typeof value === 'object' && value !== null ? withoutNulls(value as UnknownObject) : value;
}
