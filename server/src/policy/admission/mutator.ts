import type { JsonObject } from '../../base/json';
import type { WorkspaceObject } from '../../workspace/object';
import type { MutationPreview } from '../mutation';
import type { PolicyResult } from '../result';

/** An object on its way through mutating admission. */
export interface IncomingObject {
  readonly object: WorkspaceObject;
  /** As it came: with its defaults, and without anything that a policy makes of it. */
  readonly original: JsonObject;
  /** As those who were asked before have left it, with its defaults again. */
  readonly value: JsonObject;
}

/** What the policies of one engine make of an object. */
export interface MutatorResult {
  /** The very value that came where they change nothing. */
  readonly value: JsonObject;
  readonly mutations: readonly MutationPreview[];
  /** What failed, or cannot be told. */
  readonly results: readonly PolicyResult[];
  /** The server lets the request end here. */
  readonly isRefused?: true;
}

/** first: others are asked before the second round, `again`. whole: nobody is, so that both rounds are one question. */
export type MutationRound = 'first' | 'again' | 'whole';

/** The mutating policies of one engine. */
export interface Mutator {
  readonly engine: PolicyResult['engine'];
  /** Two mutators with the same parts make the same of an object. */
  readonly dependencies: readonly unknown[];
  mutate(arriving: readonly IncomingObject[], round: MutationRound): Promise<readonly MutatorResult[]>;
  /** What came to light of the policies while they were asked. */
  runtimeProblems(): readonly PolicyResult[];
  release(): void;
}

export const unchanged = ({ value }: IncomingObject): MutatorResult => ({ value, mutations: [], results: [] });
