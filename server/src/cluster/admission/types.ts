import type { LimitRange, Namespace, Pod, PodSpec, PriorityClass, ResourceQuota, RuntimeClass } from '../../kube/types';
import type { PolicyMutation } from '../pods/policyMutation';
import type { AskPolicies } from './mutationAdmission';

/** Plugins that a user may turn on or off with `enableAdmissionPlugins` and `disableAdmissionPlugins`, as the server's flags do. */
export const ADMISSION_PLUGINS = [
  'LimitPodHardAntiAffinityTopology',
  'LimitRanger',
  'PodNodeSelector',
  'Priority',
  'DefaultTolerationSeconds',
  'PodTolerationRestriction',
  'ExtendedResourceToleration',
  'DefaultStorageClass',
  'RuntimeClass',
  'ResourceQuota',
  'PodTopologyLabels',
] as const;

export type AdmissionPlugin = (typeof ADMISSION_PLUGINS)[number];

/** What admission looks up. */
export interface AdmissionFacts {
  readonly priorityClasses: ReadonlyMap<string, PriorityClass>;
  /** What a Pod without a class gets; undefined: zero. */
  readonly defaultPriorityClass: PriorityClass | undefined;
  readonly runtimeClasses: ReadonlyMap<string, RuntimeClass>;
  readonly namespaces: ReadonlyMap<string, Namespace>;
  /** By namespace. */
  readonly limitRanges: ReadonlyMap<string, readonly LimitRange[]>;
  readonly quotas: ReadonlyMap<string, readonly ResourceQuota[]>;
  isEnabled(plugin: AdmissionPlugin): boolean;
  /** Absent: there are no mutating policies. */
  readonly askPolicies?: AskPolicies | undefined;
}

/** The spec as a plugin leaves it, or why the plugin refuses; `bare` when the server says it without its usual words. */
export type Admitted = Allowed | { readonly rejected: string; readonly isVerbatim?: true };

interface Allowed {
  readonly spec: PodSpec;
  /** Where policies changed the Pod: its metadata, and who did. */
  readonly mutated?: { readonly metadata: Pod['metadata']; readonly by: readonly PolicyMutation[] };
}
