import type { Steps } from '../../base/steps';
import type { Kube } from '../../kube/kube';
import type { ConfiguredConftest } from '../../policy/conftest/folders';
import type { MutationPreview } from '../../policy/mutation';
import type { PolicyResult } from '../../policy/result';
import type { PolicyCluster } from '../../policy/vap/policies';
import type { Problem } from '../../rules/framework/problem';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import type { KnownMutations } from './knownMutations';

/** The part of an environment's state that policies are evaluated on. */
export interface EvaluatedEnvironment {
  readonly kube: Kube;
  readonly snapshot: Snapshot;
  readonly environment: {
    readonly id: string;
    readonly origin: 'declared' | 'guessed';
    readonly conftest?: ConfiguredConftest;
  };
  /** The same object for environments that share an index: objects are equal in all of them. */
  readonly cache: object;
  /** The chosen cluster, whose own policies are asked, too. */
  readonly cluster?: PolicyCluster | undefined;
}

/** The part that is needed to look up results. */
export type EnvironmentPolicies = Pick<EvaluatedEnvironment, 'snapshot' | 'environment'>;

/** Results of a policy about all objects; undefined for an object that is no evaluated policy. */
export type ResultsByPolicy = (policy: WorkspaceObject) => readonly PolicyResult[] | undefined;

/** A request to evaluate the policies of all environments in one state of the workspace. */
export interface PolicyJob {
  readonly environments: readonly EvaluatedEnvironment[];
  /** Texts of policies that are no manifests, by uri. */
  readonly texts: ReadonlyMap<string, string>;
  /** Uris of files whose objects are evaluated first: those that a person looks at. */
  readonly first: readonly string[];
  /** Simulates admission for the placements of an environment, so that `mutations` is asked everything they need. */
  readonly admission: (environment: EvaluatedEnvironment, mutations: KnownMutations) => Steps<undefined>;
  /** Resolves to whether it may be simulated now; false ends the job, as a later one does. Absent: it may. */
  readonly rests?: () => Promise<boolean>;
}

/** What new answers of policies change. */
export interface PolicyNews {
  /** Files whose problems may differ now. */
  readonly uris: readonly string[];
  /** Whether placements may differ, too: answers of mutating policies changed. */
  readonly placements: 'same' | 'changed';
}

/** Evaluates policies in the background, keeps their answers by object, and gives out those that are there. */
export interface PolicyEvaluation {
  /**
   * Evaluates the policies of a job and yields after each batch of new answers. One job runs at a time. A new job overtakes
   * earlier ones, which end after their current batch. Iterate to the end: the next job waits for that.
   */
  run(job: PolicyJob): AsyncGenerator<PolicyNews, void, undefined>;
  /** Problems of a file from the answers so far. */
  problemsOf(environment: EvaluatedEnvironment, uri: string): readonly Problem[];
  /**
   * Whether answers are missing that may have problems with this code; the code names the policy engine. If so, `run` tells of
   * the file for which that was asked once they are there.
   */
  isPending(environment: EvaluatedEnvironment, uri: string, code: string): boolean;
  /** Whether all policies have been evaluated in this state of an environment. */
  isEvaluated(environment: EnvironmentPolicies, texts: PolicyJob['texts']): boolean;
  /** Problems of a file that is no manifest. */
  problemsOfText(uri: string): readonly Problem[];
  mutationsOf(environment: EvaluatedEnvironment, object: WorkspaceObject): readonly MutationPreview[];
  /** Results so far, by policy. */
  resultsIn(environment: EnvironmentPolicies): ResultsByPolicy;
  /** Results so far of the rules in a Rego file. */
  resultsOfText(environment: EvaluatedEnvironment, uri: string): readonly PolicyResult[];
  /** Answers so far of mutating policies; undefined where there are none or none were evaluated. */
  mutationsIn(environment: Pick<EvaluatedEnvironment, 'environment'>): KnownMutations | undefined;
  /** Whether there are policies, including mutating ones of an evaluated state. */
  hasPolicies(job: Pick<PolicyJob, 'environments' | 'texts'>): boolean;
  /** Policies that could not be evaluated; undefined: there are none. */
  notice(job: Pick<PolicyJob, 'environments' | 'texts'>): PolicyNotice | undefined;
}

/** Policies that were not evaluated, with the reason in a sentence. */
export interface PolicyNotice {
  /** vap, gatekeeper, conftest, … */
  readonly engines: readonly string[];
  readonly message: string;
}

export interface PolicyEvaluationWorld {
  readonly onBug: (code: string, error: unknown) => void;
  /** Called when a placement asks mutating policies something that only `run` can answer. */
  readonly onQuestion: () => void;
}
