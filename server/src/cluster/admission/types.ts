import type { Namespace, Pod, PodSpec, PriorityClass, ResourceQuota, RuntimeClass } from '../../kube/types';
import type { PolicyMutation } from '../pods/policyMutation';
import type { LimitRanges } from './limitRanger';

/** Plugins that `enableAdmissionPlugins` and `disableAdmissionPlugins` can switch, like the server's flags. */
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

/** Objects and settings that admission reads. */
export interface AdmissionFacts {
  readonly priorityClasses: ReadonlyMap<string, PriorityClass>;
  /** For a Pod without a class; undefined: priority zero. */
  readonly defaultPriorityClass: PriorityClass | undefined;
  readonly runtimeClasses: ReadonlyMap<string, RuntimeClass>;
  readonly namespaces: ReadonlyMap<string, Namespace>;
  /** By namespace. */
  readonly limitRanges: ReadonlyMap<string, LimitRanges>;
  readonly quotas: ReadonlyMap<string, readonly ResourceQuota[]>;
  isEnabled(plugin: AdmissionPlugin): boolean;
  /** Absent: what admission makes of a Pod is taken as valid. */
  readonly invalidityOf?: InvalidityOf | undefined;
}

/**
 * The server's text where validation refuses what admission made of a Pod; undefined: it does not, or it refuses the Pod as
 * requested as well, which its own rules report. Pure. Upstream: rest.BeforeCreate, which follows mutating admission.
 */
export type InvalidityOf = (requested: Pod, made: Pod) => string | undefined;

/**
 * The spec after a plugin, or the plugin's refusal; `isVerbatim`: the server sends the text without its usual prefix;
 * `isByPolicy`: a policy of the user refuses.
 */
export type Admitted = Allowed | { readonly rejected: string; readonly isVerbatim?: true; readonly isByPolicy?: true };

interface Allowed {
  readonly spec: PodSpec;
  /** Set when policies changed the Pod: its metadata, and the policies. */
  readonly mutated?: { readonly metadata: Pod['metadata']; readonly by: readonly PolicyMutation[] };
  /** Why a validating policy refuses the Pod. */
  readonly denied?: string;
}
