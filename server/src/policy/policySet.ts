import type { WorkspaceObject } from '../workspace/object';
import type { MutationPreview } from './mutation';
import type { PolicyResult } from './result';

/** A problem of a policy that stands in a file of its own, such as Rego: offsets into that file. */
export interface PolicyFileProblem {
  readonly uri: string;
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly span: { readonly start: number; readonly end: number };
}

/** What is wrong with the policies themselves. */
export interface PolicyCheck {
  readonly results: readonly PolicyResult[];
  readonly inFiles: readonly PolicyFileProblem[];
}

/** What policies say of one object, and what they would make of it. */
export interface PolicyAnswer {
  readonly results: readonly PolicyResult[];
  readonly mutations: readonly MutationPreview[];
}

/** The policies that one engine asks about the objects of one moment. */
export interface PolicySet {
  /** false for policies that are evaluated without the engine in WebAssembly. */
  readonly needsEngine?: false;
  /** Two sets with the same parts give the same answers for the same object, so that the earlier one goes on being used. */
  readonly dependencies: readonly unknown[];
  /** What the policies see beside the object that they are asked about; where only this differs, the earlier set goes on. */
  readonly inventory?: readonly WorkspaceObject[];
  /** The objects that are asked about; nobody else's answers change. */
  readonly objects: readonly WorkspaceObject[];
  /** Problems of the policies. Asked once, before the first object. */
  check(): Promise<PolicyCheck>;
  /** What the policies say of each object, in the order given. */
  evaluate(objects: readonly WorkspaceObject[]): Promise<readonly PolicyAnswer[]>;
  /** What came to light of the policies while objects were judged: some were stopped, some failed. */
  runtimeProblems(): PolicyCheck;
  /** Gives back what was loaded for it. */
  release(): void;
  /** Goes on with the surroundings and objects of a later set that has the same parts; undefined where it cannot. */
  continueWith?(later: PolicySet): Promise<ContinuedPolicySet | undefined>;
}

/** A set that took over what an earlier one had loaded. */
export interface ContinuedPolicySet {
  readonly set: PolicySet;
  /** Whether what the earlier set answered of an object is still so. */
  readonly isStillValid: (object: WorkspaceObject) => boolean;
}

export const nothingWrong: PolicyCheck = { results: [], inFiles: [] };
