import type { Configuration } from '../../configuration/configuration';
import type { AnalysisContext } from '../../diagnostics/analysisContext';
import type { EnvironmentResults } from './evaluatedPolicy';

/** Results of policies in all environments of a file. */
export const environmentResultsIn =
  ({ environmentsOf, environmentOf, resultsIn, evaluation, texts }: AnalysisContext) =>
  (uri: string): readonly EnvironmentResults[] => {
    const environments = environmentsOf(uri);
    return (environments.length === 0 ? [environmentOf(uri)] : environments).map(environment => ({
      ...(environment.environment.name !== undefined && { name: environment.environment.name }),
      snapshot: environment.snapshot,
      resultsOf: resultsIn(environment),
      status: evaluation?.isEvaluated(environment, texts) === false ? 'pending' : 'known',
    }));
  };

/** The environments of the folder that a `berth.yaml` configures. */
export function environmentsOfConfiguration(
  { state }: AnalysisContext,
  configuration: Configuration,
): ReturnType<AnalysisContext['state']['environmentStates']> {
  const folder = state.folders.find(it => it.read === configuration);
  return state.environmentStates().filter(it => it.environment.id.startsWith(`${folder?.uri ?? ''} `));
}
