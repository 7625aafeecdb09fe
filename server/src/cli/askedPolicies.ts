import { askPoliciesIn, type PlaceFile, type PlaceOptions } from '../analysis/place';
import { knowingPolicies, type PolicyAnswers, policiesOfScenario } from '../analysis/policyAnswers';
import type { CliWorld } from './world';

/** What the mutating policies among the files make of all that is created; undefined where there are none. */
export async function askedPolicies(
  files: readonly PlaceFile[],
  options: PlaceOptions,
  world: CliWorld,
): Promise<PolicyAnswers | undefined> {
  const { answers, notice } = policiesOfScenario(files, options, world.policyEngine);
  if (notice !== undefined) world.err(`berth: ${notice}\n`);
  await knowingPolicies(answers, askPolicies => askPoliciesIn(files, { ...options, askPolicies }));
  return answers;
}
