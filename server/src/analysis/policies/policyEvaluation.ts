import type { Steps } from '../../base/steps';
import type { Kube } from '../../kube/kube';
import type { ConfiguredConftest } from '../../policy/conftest/folders';
import type { MutationPreview } from '../../policy/mutation';
import type { PolicyResult } from '../../policy/result';
import type { Problem } from '../../rules/framework/problem';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import type { KnownMutations } from './knownMutations';

/** An environment as far as policies look at it. */
export interface EvaluatedEnvironment {
  readonly kube: Kube;
  readonly snapshot: Snapshot;
  readonly environment: { readonly id: string; readonly conftest?: ConfiguredConftest };
  /** Is one and the same for environments in which an object is the same. */
  readonly cache: object;
}

/** As much of it as a question about what is known needs. */
export type EnvironmentPolicies = Pick<EvaluatedEnvironment, 'snapshot' | 'environment'>;

/** What a policy says of all objects; undefined for an object that is no policy which was asked. */
export type ResultsByPolicy = (policy: WorkspaceObject) => readonly PolicyResult[] | undefined;

/** What shall be judged: all environments of one state, and the texts that are no manifests. */
export interface PolicyJob {
  readonly environments: readonly EvaluatedEnvironment[];
  readonly texts: ReadonlyMap<string, string>;
  /** Files that a person looks at; their objects are judged first. */
  readonly first: readonly string[];
  /** Hears of the files whose problems may be others now. */
  readonly told: (uris: readonly string[]) => void;
  /** Asks, turn by turn, what the placements of an environment want to know of mutating policies. */
  readonly reading: (scene: EvaluatedEnvironment, policies: KnownMutations) => Steps<undefined>;
  /** Is told when the placements of environments may be others now. */
  readonly placed: () => void;
}

/**
 * The answers of policies that an engine evaluates: asked for in the background, kept by object, given out as they are
 * known. Nothing waits for them but `run`.
 */
export interface PolicyEvaluation {
  /** Resolves when everything of this job, or of a later one, is judged. */
  run(job: PolicyJob): Promise<void>;
  /** Problems of a file as far as they are known. */
  problemsOf(scene: EvaluatedEnvironment, uri: string): readonly Problem[];
  /** Whether what an engine says of this state is not wholly known; a code tells the engine. */
  isPending(scene: EvaluatedEnvironment, code: string): boolean;
  /** Whether all policies have been asked about an environment as it is now. */
  isEvaluated(scene: EnvironmentPolicies, texts: PolicyJob['texts']): boolean;
  /** Problems of a file that is no manifest. */
  problemsOfText(uri: string): readonly Problem[];
  mutationsOf(scene: EvaluatedEnvironment, object: WorkspaceObject): readonly MutationPreview[];
  /** What each policy says of all objects, as far as it is known now. */
  resultsIn(scene: EnvironmentPolicies): ResultsByPolicy;
  /** What the rules of a file of Rego say of all objects, as far as it is known now. */
  resultsOfText(scene: EnvironmentPolicies, uri: string): readonly PolicyResult[];
  /** What is known of the mutating policies of an environment; undefined where there are none, or none were asked. */
  mutationsIn(scene: Pick<EvaluatedEnvironment, 'environment'>): KnownMutations | undefined;
  /** Whether there are policies, mutating ones of a judged state among them. */
  hasPolicies(job: Pick<PolicyJob, 'environments' | 'texts'>): boolean;
  /** A sentence for who has policies that were not evaluated. */
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
  /** Is told of a placement that wants to know what `run` would find out. */
  readonly onQuestion: () => void;
}
