import type { UnknownObject } from '../../base/json';
import { printed } from '../../base/printed';
import type { ObjectMeta, ResourceList } from '../../kube/types';

/** Upstream: autoscaling.k8s.io/v1.VerticalPodAutoscaler; the fields that are read. */
export interface VerticalPodAutoscaler {
  readonly metadata?: ObjectMeta;
  readonly spec?: {
    readonly targetRef?: { readonly kind?: string; readonly name?: string };
    readonly updatePolicy?: {
      readonly updateMode?: string;
      readonly minReplicas?: number;
      readonly evictionRequirements?: readonly EvictionRequirement[];
      readonly evictAfterOOMSeconds?: number;
    };
    readonly resourcePolicy?: { readonly containerPolicies?: readonly ContainerPolicy[] };
  };
  readonly status?: { readonly recommendation?: { readonly containerRecommendations?: readonly Recommendation[] } };
}

export interface EvictionRequirement {
  readonly resources?: readonly string[];
  readonly changeRequirement?: string;
}

export interface ContainerPolicy {
  readonly containerName?: string;
  readonly mode?: string;
  readonly minAllowed?: ResourceList;
  readonly maxAllowed?: ResourceList;
  readonly controlledResources?: readonly string[];
  readonly controlledValues?: string;
}

export interface Recommendation {
  readonly containerName?: string;
  readonly target?: ResourceList;
  readonly lowerBound?: ResourceList;
  readonly upperBound?: ResourceList;
}

/** Auto is the old name of Recreate. */
export const UPDATE_MODES = ['Off', 'Initial', 'Recreate', 'InPlaceOrRecreate', 'InPlace'] as const;
export type UpdateMode = (typeof UPDATE_MODES)[number];

export function isAutoscaler(object: UnknownObject): boolean {
  return object.kind === 'VerticalPodAutoscaler' && printed(object.apiVersion).startsWith('autoscaling.k8s.io/');
}

/** The VPA's mode; Recreate when it names none. Upstream: GetUpdateMode. */
export function modeOf({ spec }: VerticalPodAutoscaler): UpdateMode {
  const mode = spec?.updatePolicy?.updateMode;
  return UPDATE_MODES.find(it => it === mode) ?? 'Recreate';
}

/** The policy of a container, or the one for all. Upstream: GetContainerResourcePolicy. */
export function policyFor({ spec }: VerticalPodAutoscaler, container: string): ContainerPolicy {
  const policies = spec?.resourcePolicy?.containerPolicies ?? [];
  return policies.find(it => it.containerName === container) ?? policies.find(it => it.containerName === '*') ?? {};
}
