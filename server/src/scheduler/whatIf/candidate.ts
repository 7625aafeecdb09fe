import type { ClusterModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import type { PodSpec } from '../../kube/types';
import type { NodeSnapshot } from '../cycle/findNodes';
import type { Profile } from '../framework/interface';
import type { NodeInfo } from '../framework/nodeInfo';
import type { Documents, Edit, ObjectRef, PathStep } from './edits';

/** What is changed, for grouping and filtering suggestions. */
export type ChangeKind =
  | 'tolerateTaint'
  | 'lowerRequest'
  | 'nodeSelector'
  | 'nodeAffinity'
  | 'topologySpread'
  | 'podAffinity'
  | 'hostPort'
  | 'priority'
  | 'storageClass'
  | 'storageSize'
  | 'claim'
  | 'devices'
  | 'replicas'
  | 'nodeName'
  | 'schedulingGates'
  | 'schedulerName'
  | 'gang'
  | 'refused';

/** One change that may open nodes. */
export interface ChangeCandidate {
  readonly kind: ChangeKind;
  /** The upstream plugin whose refusal the change addresses. */
  readonly plugin: string;
  /** An instruction without a capital: "tolerate the taint dedicated=gpu:NoSchedule". */
  readonly words: string;
  readonly edits: readonly Edit[];
  /** What defaulting changes in the Pod as a consequence. */
  readonly follows?: readonly Edit[];
  /** How far it departs from the author's intention: 1 a slip of the pen, 10 something completely different. */
  readonly cost: number;
  /** filters: running the filters on the changed Pod shows whether it helps; run: only a complete run does. */
  readonly verifiedBy: 'filters' | 'run';
}

/** The same change in increasing size; the first one that helps counts. */
export interface Ladder {
  readonly count: number;
  at(i: number): ChangeCandidate;
}

export type Proposal = ChangeCandidate | Ladder;

/** Where a Pod's spec is written: the Pod itself or its top-level workload. */
export interface Holder {
  readonly ref: ObjectRef;
  readonly specPath: readonly PathStep[];
  /** As written, without what defaults, admission and controllers add. */
  readonly spec: PodSpec;
}

/** The nodes that one plugin rejected, and the reasons. */
export interface FilterRejection {
  readonly nodes: readonly NodeInfo[];
  readonly reasons: ReadonlySet<string>;
  /** The reasons of each node, in the order of `nodes`. */
  readonly each: readonly (readonly string[])[];
}

/** The filters' result for a Pod. */
export interface FilterResult {
  readonly feasible: readonly NodeInfo[];
  readonly rejections: ReadonlyMap<string, FilterRejection>;
}

/** A Pod without a node (or with a node that misses a preference) when it was last tried. */
export interface Situation {
  readonly pod: PodModel;
  readonly holder: Holder;
  readonly documents: Documents;
  readonly cluster: ClusterModel;
  readonly filterResult: FilterResult;
  /** Absent for a Pod that was never tried: gated, refused by admission, or of an unknown profile. */
  readonly tried?: { readonly cycle: NodeSnapshot; readonly profile: Profile };
  /** What holds it back before any node is evaluated: a gate, admission. */
  readonly heldBack?: {
    readonly plugin: string;
    readonly message: string;
    /** How many Pods of the same workload are not made after this one. */
    readonly more?: number;
  };
  /** Its group, and how many of the group's Pods got a node in the group's cycle. */
  readonly gang?: { readonly name: string; readonly placed?: number };
  readonly profiles: readonly string[];
}

/** Proposes changes that could resolve one plugin's refusal. */
export type Propose = (situation: Situation, rejection: FilterRejection) => readonly Proposal[];

/** Limit on the alternatives of one kind that are tried. */
export const MAX_ALTERNATIVES = 8;

/** An edit of the Pod's spec, where it is written. */
export function specEdit(
  { ref, specPath }: Holder,
  path: readonly PathStep[],
  action: Edit['action'],
  value?: unknown,
): Edit {
  return { object: ref, path: [...specPath, ...path], action, ...(action !== 'remove' && { value }) };
}
