import type { Condition, Pod, PodSpec, StringMap } from '../../kube/types';
import type { Resources } from '../resources/resources';
import type { PodTerms } from './affinityTerms';
import type { PolicyMutation } from './policyMutation';

export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

/** A Pod with everything precomputed that placement reads often. Immutable. */
export interface PodModel {
  /** NAMESPACE/NAME */
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  /** The same object for all Pods of one namespace with equal labels; it is compared by identity. */
  readonly labels: StringMap;
  /**
   * After defaults and admission; the same object for all Pods of one workload unless admission makes them differ, and for
   * pending Pods without a workload that are written alike.
   */
  readonly spec: PodSpec;
  readonly priority: number;
  readonly schedulerName: string;
  readonly requests: Resources;
  /** Requests with defaults of 100 millicores and 200 MB for containers without any; used for scores. */
  readonly nonZeroRequests: Resources;
  /** The same without the Pod-level `spec.resources`. */
  readonly nonZeroOfContainers: Resources;
  readonly terms: PodTerms;
  readonly hostPorts: readonly HostPort[];
  readonly nodeName?: string;
  readonly nominatedNodeName?: string;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  readonly terminating: boolean;
  readonly conditions: readonly Condition[];
  /** The object as written, with the metadata that policies gave it. */
  readonly source: Pod;
  /** What mutating policies changed on creation; absent: nothing. */
  readonly mutatedBy?: readonly PolicyMutation[];
}
