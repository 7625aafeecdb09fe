/** A field that a policy changed. */
export interface PolicyChange {
  /** `spec.tolerations[0]` */
  readonly path: string;
  /** Absent: the field did not exist. */
  readonly before?: unknown;
  /** Absent: the field was removed. */
  readonly after?: unknown;
}

/** What one mutating policy changed when an object was created. */
export interface PolicyMutation {
  /** `MutatingAdmissionPolicy`, `Assign`, `ClusterPolicy` */
  readonly kind: string;
  readonly policy: string;
  /** The file of the policy. */
  readonly file?: string;
  readonly changes: readonly PolicyChange[];
  /** The policy was reinvoked after others had changed the object. */
  readonly isAgain?: true;
}
