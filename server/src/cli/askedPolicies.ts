import {
  askPoliciesIn,
  type MutationAnswers,
  type PlaceFile,
  type PlaceOptions,
  policiesOfScenario,
  withMutationAnswers,
} from '../analysis/scenario';
import { complain } from './complain';
import type { CliWorld } from './world';

/** What the mutating policies among the files make of all that is created; undefined where there are none. */
export async function askedPolicies(
  files: readonly PlaceFile[],
  options: PlaceOptions,
  world: CliWorld,
): Promise<MutationAnswers | undefined> {
  const { answers, notice } = policiesOfScenario(files, options, world.policyEngine, tellingFailure(world));
  if (notice !== undefined) complain(world, notice);
  await withMutationAnswers(answers, askPolicies => askPoliciesIn(files, { ...options, askPolicies }));
  return answers;
}

/** Says that placement goes on without what mutating policies would change. */
export const tellingFailure =
  (world: CliWorld) =>
  (error: unknown): void =>
    complain(
      world,
      `what mutating policies would change is not known: ${error instanceof Error ? error.message : String(error)}.`,
    );
