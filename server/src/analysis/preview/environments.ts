import { LOADING } from '../clusters/loading';
import type { AnalysisContext } from '../diagnostics/analysisContext';
import { type EnvironmentAnalysis, placementsIn } from '../diagnostics/environmentAnalysis';
import type { Placements } from '../placement/placements';
import type { PreviewEnvironment } from './build';
import { previewSources } from './sources';

/** The environments of a file as the preview asks about them, each with its cluster from any source. */
export function previewEnvironmentsIn({
  state,
  evaluation,
  environmentsOf,
  environmentOf,
}: AnalysisContext): (uri: string) => readonly PreviewEnvironment[] {
  const sources = previewSources(state);
  const made = new Map<string, Placements>();
  const on = ({ environment, placements }: EnvironmentAnalysis, source: string): Placements => {
    const key = `${environment.id} ${source}`;
    const scene = state.environmentStates.find(it => it.environment === environment);
    const known = state.clusters.get(source) ?? LOADING;
    const found =
      made.get(key) ??
      (scene
        ? placementsIn(scene, { other: { source, known }, policies: evaluation?.mutationsIn(scene) })
        : placements);
    made.set(key, found);
    return found;
  };
  return uri => {
    const scenes = environmentsOf(uri).length > 0 ? environmentsOf(uri) : [environmentOf(uri)];
    return scenes.map(it => ({ ...it, sources, on: source => on(it, source) }));
  };
}
