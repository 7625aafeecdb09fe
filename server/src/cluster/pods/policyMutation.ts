/** A field that a policy changed. */
export interface PolicyChange {
  /** `spec.tolerations[0]` */
  readonly path: string;
  /** Absent: the field was not there. */
  readonly before?: unknown;
  /** Absent: the field is gone. */
  readonly after?: unknown;
}

/** What one mutating policy changed of an object on its way into the cluster. */
export interface PolicyMutation {
  /** `MutatingAdmissionPolicy`, `Assign`, `ClusterPolicy` */
  readonly kind: string;
  readonly policy: string;
  /** The file of the policy. */
  readonly file?: string;
  readonly changes: readonly PolicyChange[];
  /** The policy was asked a second time, after others had changed what it saw first. */
  readonly isAgain?: true;
}
