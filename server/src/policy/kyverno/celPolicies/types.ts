import type { JsonObject } from '../../../base/json';
import type { WorkspaceObject } from '../../../workspace/object';

/** What the policies of policies.kyverno.io do. */
export type CelPolicyType = 'validating' | 'mutating' | 'generating' | 'deleting' | 'imageValidating';

/** A policy of policies.kyverno.io, as written or as it reaches controllers. */
export interface CelPolicy {
  readonly type: CelPolicyType;
  readonly object: WorkspaceObject;
  readonly name: string;
  /** Of a policy that speaks for its own namespace. */
  readonly namespace?: string;
  readonly spec: JsonObject;
}
