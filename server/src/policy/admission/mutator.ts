import type { JsonObject } from '../../base/json';
import type { WorkspaceObject } from '../../workspace/object';
import type { MutationPreview } from '../mutation';
import type { PolicyResult } from '../result';

/** An object on its way through mutating admission. */
export interface IncomingObject {
  readonly object: WorkspaceObject;
  /** The object before any policy: as written, with defaults. */
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

/**
 * first: other policies are called before the second round, `again`. whole: there are no others, so both rounds are
 * one call.
 */
export type MutationRound = 'first' | 'again' | 'whole';

/** The mutating policies of one engine. */
export interface Mutator {
  readonly engine: PolicyResult['engine'];
  /** Two mutators with equal dependencies return the same results. */
  readonly dependencies: readonly unknown[];
  mutate(arriving: readonly IncomingObject[], round: MutationRound): Promise<readonly MutatorResult[]>;
  /** Problems of the policies found while objects were mutated. */
  runtimeProblems(): readonly PolicyResult[];
  release(): void;
}

export const unchanged = ({ value }: IncomingObject): MutatorResult => ({ value, mutations: [], results: [] });
