import type { Blame } from './blame';
import type { ClusterStep, Repetition } from './search';
import type { Trail } from './trail';

/** What can be asked of a cluster with controllers. */
export const CLUSTER_QUESTIONS = [
  'drain',
  'twoDrains',
  'availability',
  'rollout',
  'settles',
  'zoneLoss',
  'zoneReturn',
  'nodeLoss',
  'nodeReturn',
  'jobs',
  'parts',
  'maximum',
  'apply',
  'autoscaling',
] as const;
export type ClusterQuestion = (typeof CLUSTER_QUESTIONS)[number];

/** A cluster without room to spare loses Pods with any node, which is asked only where somebody wants to know. */
const ON_REQUEST: ReadonlySet<ClusterQuestion> = new Set(['nodeLoss', 'nodeReturn']);

/** What is asked where no question is named. */
export const USUAL_QUESTIONS: readonly ClusterQuestion[] = CLUSTER_QUESTIONS.filter(it => !ON_REQUEST.has(it));

/** What could go wrong. */
export interface ClusterTrouble {
  /** One sentence. */
  readonly says: string;
  readonly steps: readonly ClusterStep[];
  /** Steps that repeat for ever after `steps`; absent: it ends there. */
  readonly cycle?: readonly ClusterStep[];
  readonly end?: Repetition<unknown>['end'];
  readonly upToNames?: Repetition<unknown>['upToNames'];
  /** The fields that it comes from, the first one most of all. */
  readonly blamed: readonly Blame[];
  /** The cluster after each step; absent: the steps are not those of a cluster. */
  readonly trail?: Trail;
  /** Of `maximum`: how many replicas have nodes. */
  readonly fits?: number;
}

/** The answer to one question about one object. */
export interface ScenarioAnswer {
  readonly question: ClusterQuestion;
  /** `Deployment web`; absent: the whole cluster. */
  readonly about?: string;
  /** What is true where it holds, a clause. */
  readonly claim: string;
  /** undefined: a limit was reached before anything was found. */
  readonly holds: boolean | undefined;
  readonly trouble?: ClusterTrouble;
  /** Why nothing was explored, a clause; absent: it was. */
  readonly why?: string;
  /** How many states were visited. */
  readonly states: number;
}
