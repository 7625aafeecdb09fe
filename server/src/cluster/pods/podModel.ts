import type { Condition, Pod, PodSpec, StringMap } from '../../kube/types';
import type { Resources } from '../resources/resources';
import type { PodTerms } from './affinityTerms';
import type { PolicyMutation } from './policyMutation';

export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

/** A Pod with everything worked out that placement asks for again and again. Immutable. */
export interface PodModel {
  /** NAMESPACE/NAME */
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  /** The very same object for all Pods of one namespace with the same labels, so that it may stand for both. */
  readonly labels: StringMap;
  /** After defaults and admission; the very same object for all Pods of one workload, unless that makes them differ. */
  readonly spec: PodSpec;
  readonly priority: number;
  readonly schedulerName: string;
  readonly requests: Resources;
  /** Requests with 100 millicores and 200 MB for containers that name none: what scores count. */
  readonly nonZeroRequests: Resources;
  /** The same without what `spec.resources` says of the whole Pod. */
  readonly nonZeroOfContainers: Resources;
  readonly terms: PodTerms;
  readonly hostPorts: readonly HostPort[];
  readonly nodeName?: string;
  readonly nominatedNodeName?: string;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  readonly terminating: boolean;
  readonly conditions: readonly Condition[];
  /** The object as it was written, with the metadata that policies gave it. */
  readonly source: Pod;
  /** What mutating policies changed before it came into the cluster; absent: nothing. */
  readonly mutatedBy?: readonly PolicyMutation[];
}
