import type { EvaluatedEnvironment, PolicyJob } from '../policies/policyEvaluation';
import type { EnvironmentState } from '../state/environmentState';
import { placementsIn } from './environmentAnalysis';

/** Simulates the admission of everything that placements of the `first` files need, without placing it. */
export const admissionIn = (
  environments: readonly EnvironmentState[],
  first: readonly string[],
): PolicyJob['admission'] =>
  function* ({ environment }: EvaluatedEnvironment, policies) {
    const state = environments.find(it => it.environment === environment);
    if (state) yield* placementsIn(state, { policies }).reading(first);
    return undefined;
  };
