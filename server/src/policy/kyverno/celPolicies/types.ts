import type { JsonObject } from '../../../base/json';
import type { WorkspaceObject } from '../../../workspace/object';

/** What a policy of policies.kyverno.io does. */
export type CelPolicyType = 'validating' | 'mutating' | 'generating' | 'deleting' | 'imageValidating';

/** A policy of policies.kyverno.io, as written or as its autogen variant for controllers. */
export interface CelPolicy {
  readonly type: CelPolicyType;
  readonly object: WorkspaceObject;
  readonly name: string;
  /** The namespace of a namespaced policy. */
  readonly namespace?: string;
  readonly spec: JsonObject;
}
