import { LOADING } from '../clusters/loading';
import type { AnalysisContext } from '../diagnostics/analysisContext';
import { type EnvironmentAnalysis, placementsIn } from '../diagnostics/environmentAnalysis';
import type { Placements } from '../placement/placements';
import type { PreviewEnvironment } from './build';
import { previewSources } from './sources';

/** The environments of a file for the preview, each with placements on clusters from any source. */
export function previewEnvironmentsIn({
  state,
  evaluation,
  environmentsOf,
  environmentOf,
  explorations,
}: AnalysisContext): (uri: string) => readonly PreviewEnvironment[] {
  const sources = previewSources(state);
  const placementsBySource = new Map<string, Placements>();
  const on = ({ environment, placements }: EnvironmentAnalysis, source: string): Placements => {
    const key = `${environment.id} ${source}`;
    const own = state.environmentStates().find(it => it.environment === environment);
    const cluster = state.clusters.get(source) ?? LOADING;
    const found =
      placementsBySource.get(key) ??
      (own
        ? placementsIn(own, { other: { source, known: cluster }, policies: evaluation?.mutationsIn(own) })
        : placements);
    placementsBySource.set(key, found);
    return found;
  };
  return uri => {
    const environments = environmentsOf(uri).length > 0 ? environmentsOf(uri) : [environmentOf(uri)];
    return environments.map(it => ({
      ...it,
      sources,
      explored: (of: string) => explorations.known(() => it.placements.of(of)),
      on: (source: string) => on(it, source),
    }));
  };
}
