import type { Configuration } from '../../configuration/configuration';
import type { AnalysisContext } from '../../diagnostics/analysisContext';
import type { PolicyView } from './policyAnswers';

/** What policies say, in every environment that a file belongs to. */
export const policyViewsIn =
  ({ scenesOf, sceneOf, knownIn, runs, texts }: AnalysisContext) =>
  (uri: string): readonly PolicyView[] => {
    const scenes = scenesOf(uri);
    return (scenes.length === 0 ? [sceneOf(uri)] : scenes).map(scene => ({
      ...(scene.environment.name !== undefined && { name: scene.environment.name }),
      snapshot: scene.snapshot,
      resultsOf: knownIn(scene),
      answers: runs?.isJudged(scene, texts) === false ? 'pending' : 'known',
    }));
  };

/** The environments of the folder that a `berth.yaml` configures. */
export function scenesOfConfiguration(
  { moment }: AnalysisContext,
  configuration: Configuration,
): AnalysisContext['moment']['scenes'] {
  const folder = moment.folders.find(it => it.read === configuration);
  return moment.scenes.filter(it => it.environment.id.startsWith(`${folder?.uri ?? ''} `));
}
