import { LOADING } from '../clusters/loading';
import type { AnalysisContext } from '../diagnostics/analysisContext';
import { type EnvironmentAnalysis, placementsIn } from '../diagnostics/environmentAnalysis';
import type { Placements } from '../placement/placements';
import type { PreviewScene } from './build';
import { previewSources } from './sources';

/** The environments of a file as the preview asks about them, each with its cluster from any source. */
export function previewScenesIn({
  moment,
  runs,
  scenesOf,
  sceneOf,
}: AnalysisContext): (uri: string) => readonly PreviewScene[] {
  const sources = previewSources(moment);
  const made = new Map<string, Placements>();
  const on = ({ environment, placements }: EnvironmentAnalysis, source: string): Placements => {
    const key = `${environment.id} ${source}`;
    const scene = moment.scenes.find(it => it.environment === environment);
    const known = moment.clusters.get(source) ?? LOADING;
    const found =
      made.get(key) ??
      (scene ? placementsIn(scene, { other: { source, known }, policies: runs?.policiesIn(scene) }) : placements);
    made.set(key, found);
    return found;
  };
  return uri => {
    const scenes = scenesOf(uri).length > 0 ? scenesOf(uri) : [sceneOf(uri)];
    return scenes.map(it => ({ ...it, sources, on: source => on(it, source) }));
  };
}
