import type { ClusterModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import type { PodSpec } from '../../kube/types';
import type { NodeSnapshot } from '../cycle/findNodes';
import type { Profile } from '../framework/interface';
import type { NodeInfo } from '../framework/nodeInfo';
import type { Documents, Edit, ObjectRef, PathStep } from './edits';

/** What is changed; whoever shows suggestions may group or filter by it. */
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
  /** The upstream plugin whose refusal it answers. */
  readonly plugin: string;
  /** What to do, without a capital: "tolerate the taint dedicated=gpu:NoSchedule". */
  readonly words: string;
  readonly edits: readonly Edit[];
  /** What defaults make of the Pod in consequence. */
  readonly follows?: readonly Edit[];
  /** How much it changes what the author meant: 1 a slip of the pen, 10 something else altogether. */
  readonly cost: number;
  /** look: asking the filters about the changed Pod tells whether it helps; run: only placing everything anew does. */
  readonly verifiedBy: 'filters' | 'run';
}

/** The same change from little to much: the first that helps counts. */
export interface Ladder {
  readonly count: number;
  at(i: number): ChangeCandidate;
}

export type Proposal = ChangeCandidate | Ladder;

/** Where the spec of a Pod is written: the Pod itself or the workload at the top. */
export interface Holder {
  readonly ref: ObjectRef;
  readonly specPath: readonly PathStep[];
  /** As written: what defaults, admission and controllers add is not in it. */
  readonly spec: PodSpec;
}

/** The nodes that one plugin rejected, and why. */
export interface FilterRejection {
  readonly nodes: readonly NodeInfo[];
  readonly reasons: ReadonlySet<string>;
  /** By node, in the order of `nodes`. */
  readonly each: readonly (readonly string[])[];
}

/** What the filters say to a Pod. */
export interface FilterResult {
  readonly feasible: readonly NodeInfo[];
  readonly rejections: ReadonlyMap<string, FilterRejection>;
}

/** A Pod without a node (or with a worse one than wished), when it was tried. */
export interface Situation {
  readonly pod: PodModel;
  readonly holder: Holder;
  readonly documents: Documents;
  readonly cluster: ClusterModel;
  readonly filterResult: FilterResult;
  /** Absent for a Pod that was never tried: gated, refused by admission, of no profile. */
  readonly tried?: { readonly cycle: NodeSnapshot; readonly profile: Profile };
  /** What holds it without a look at any node: a gate, admission. */
  readonly heldBack?: {
    readonly plugin: string;
    readonly message: string;
    /** How many Pods of the same workload are not made after this one. */
    readonly more?: number;
  };
  /** The group that it goes with, and how many of its Pods found a place in the group's own turn. */
  readonly gang?: { readonly name: string; readonly placed?: number };
  readonly profiles: readonly string[];
}

/** Reads a situation and proposes what could answer one plugin's refusal. */
export type Propose = (situation: Situation, rejection: FilterRejection) => readonly Proposal[];

/** More alternatives of one kind than these are not tried. */
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
