import type { JsonObject } from '../../base/json';
import type { WorkspaceObject } from '../../workspace/object';
import type { MutationPreview } from '../mutation';
import type { PolicyCheck } from '../policySet';
import type { PolicyResult } from '../result';

/** An object on its way through mutating admission. */
export interface IncomingObject {
  readonly object: WorkspaceObject;
  /** The object before any policy: as written, with defaults, after the server's own plugins. */
  readonly original: JsonObject;
  /** The object after the policies called so far, with defaults applied again. */
  readonly value: JsonObject;
}

/** The outcome of one engine's mutating policies for one object. */
export interface MutatorResult {
  /** The same reference as the incoming value when no policy changes it. */
  readonly value: JsonObject;
  readonly mutations: readonly MutationPreview[];
  /** Failures, and results that cannot be determined offline. */
  readonly results: readonly PolicyResult[];
  /** The API server would reject the request here. */
  readonly isRefused?: true;
}

/** Between the two rounds the webhooks are called, and the server's own plugins once more. */
export type MutationRound = 'first' | 'again';

/** The mutating policies of one engine. */
export interface Mutator {
  readonly engine: PolicyResult['engine'];
  /** Whether a second round can differ from the first: some policy is called again when others change its result. */
  readonly isReinvoked: boolean;
  /** Two mutators with equal dependencies return the same results. */
  readonly dependencies: readonly unknown[];
  mutate(arriving: readonly IncomingObject[], round: MutationRound): Promise<readonly MutatorResult[]>;
  /**
   * Goes on with the objects of a later mutator that has equal dependencies, if all results so far are the same with it; tells
   * whether it does. Absent: the policies read no objects beside those that they change.
   */
  continueWith?(later: Mutator): boolean;
  /** Problems of the policies themselves. Absent: the policy set of the same engine finds them. */
  check?(): Promise<PolicyCheck>;
  /** Problems of the policies found while objects were mutated. */
  runtimeProblems(): readonly PolicyResult[];
  release(): void;
}

export const unchanged = ({ value }: IncomingObject): MutatorResult => ({ value, mutations: [], results: [] });
