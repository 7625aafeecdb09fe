import type { JsonObject } from '../base/json';
import type { WorkspaceObject } from '../workspace/object';
import type { Snapshot } from '../workspace/workspace';
import type { MutationPreview } from './mutation';
import type { PolicyResult } from './result';

/** A problem of a policy in a file of its own, such as Rego, with offsets into that file. */
export interface PolicyFileProblem {
  readonly uri: string;
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly span: { readonly start: number; readonly end: number };
}

/** Problems of the policies themselves. */
export interface PolicyCheck {
  readonly results: readonly PolicyResult[];
  readonly inFiles: readonly PolicyFileProblem[];
}

/** The results and mutations of all policies of a set for one object. */
export interface PolicyAnswer {
  readonly results: readonly PolicyResult[];
  readonly mutations: readonly MutationPreview[];
  /** The server's words where the policies refuse the creation of the object. */
  readonly denied?: string;
  /** How much was evaluated, in values of the policies; absent where the engine bounds that itself. */
  readonly work?: number;
  /** Whether the answer is the same with the inventory as it is now. Absent: it does not depend on the inventory. */
  readonly holds?: () => boolean;
}

/** The objects of files, in the order of these. `among` names some of them; absent: all. */
export type ObjectsAmong = (among?: readonly string[]) => readonly WorkspaceObject[];

/** A function of its own, so that the closures of a policy set do not keep the snapshot alive. */
export function objectsAmong(snapshot: Snapshot, isMeant: (object: WorkspaceObject) => boolean): ObjectsAmong {
  return among => [...(among ?? snapshot.files.keys())].flatMap(uri => snapshot.objectsIn(uri).filter(isMeant));
}

/** One engine's policies, for one state of the workspace. They keep no snapshot alive. */
export interface PolicyJudge {
  /** false for policies that are evaluated without the WebAssembly engine. */
  readonly needsEngine?: false;
  /** Whether the policies may refuse a request. */
  readonly denies?: boolean;
  /** Two sets with equal dependencies return the same answers for the same object, so the earlier set stays in use. */
  readonly dependencies: readonly unknown[];
  /** Objects that the policies read beside the evaluated one. When only these differ, the earlier set may continue. */
  readonly inventory?: readonly WorkspaceObject[];
  /** How many results an object may have, where these may be very many. */
  readonly mostResults?: number;
  /** Problems of the policies. Called once, before the first object. */
  check(): Promise<PolicyCheck>;
  /** The answer for each object, in the given order. */
  evaluate(objects: readonly WorkspaceObject[]): Promise<readonly PolicyAnswer[]>;
  /**
   * What placements ask: whether the policies refuse objects, with what admission made of each. Absent: `evaluate` tells it,
   * and nothing is known of the objects before.
   */
  verdicts?(
    objects: readonly WorkspaceObject[],
    values: readonly JsonObject[],
  ): Promise<readonly (Pick<PolicyAnswer, 'denied' | 'holds'> | undefined)[]>;
  /** Problems of the policies found during evaluation: some were stopped, some failed. */
  runtimeProblems(): PolicyCheck;
  /** Frees what the set has loaded. */
  release(): void;
  /** The same object in all sets that continue one another: their answers are valid as long as they hold. */
  readonly origin?: object;
  /**
   * Continues with the inventory and objects of a later set with equal dependencies; undefined when that is not
   * possible.
   */
  continueWith?(later: PolicySet): Promise<PolicySet | undefined>;
}

/** The policies, and the objects that are evaluated. */
export interface PolicySet extends PolicyJudge {
  readonly objects: ObjectsAmong;
}

export const nothingWrong: PolicyCheck = { results: [], inFiles: [] };
