import { lazy } from '../../base/lazy';
import { forgetTrees } from '../../manifest/file';
import type { ManifestFile } from '../../manifest/manifest';
import type { MutationPreview } from '../../policy/mutation';
import { syntaxProblems } from '../../rules/engine/syntax';
import type { Problem } from '../../rules/framework/problem';
import type { WorkspaceObject } from '../../workspace/object';
import { folderOf } from '../../workspace/paths';
import { isRenderedUri } from '../../workspace/rendered/names';
import { checkedConfiguration } from '../configuration/checks';
import { CONFIGURATION_NAMES, type Configuration, configurationProblems } from '../configuration/configuration';
import { isPlacementTest } from '../placementTests/format';
import { placementTestProblems } from '../placementTests/problems';
import type { KnownResults, PolicyEvaluation } from '../policies/job';
import type { EnvironmentState } from '../state/environmentState';
import type { PolicyTexts } from '../state/policyTexts';
import { configurationsOf, type WorkspaceState } from '../state/workspaceState';
import type { AnalysisWorld } from '../state/world';
import { type BaselineCache, beyondBaseline } from './baseline';
import { type EnvironmentAnalysis, environmentAnalysis, PACES, type Pace, problemsInAll } from './environmentAnalysis';

/** What mutating policies do. */
export interface PolicyMutations {
  /** What mutating policies make of the objects of a file, as far as it is known. */
  mutations(uri: string): readonly (MutationPreview & { readonly object: WorkspaceObject })[];
}

/** One moment as the answers to questions look at it. */
export interface AnalysisContext extends PolicyMutations {
  readonly moment: WorkspaceState;
  readonly world: AnalysisWorld;
  readonly texts: PolicyTexts;
  readonly runs: PolicyEvaluation | undefined;
  readonly uris: () => readonly string[];
  readonly configurations: readonly Configuration[];
  readonly configurationAt: (uri: string) => Configuration | undefined;
  /** One for each environment of the file. */
  readonly scenesOf: (uri: string) => readonly EnvironmentAnalysis[];
  /** Where one answer is wanted, the first environment gives it; there is always one. */
  readonly sceneOf: (uri: string) => EnvironmentAnalysis;
  /** Of the first folder that somebody opened: for what is said of the whole workspace. */
  readonly firstScene: () => EnvironmentAnalysis;
  readonly problemsOf: (uri: string, pace: Pace) => readonly Problem[];
  /** Forgets what was worked out to find the problems of a file. */
  readonly release: (uri: string) => void;
  /** What each policy says, as far as it is known. */
  readonly knownIn: (scene: EnvironmentAnalysis) => KnownResults;
}

export function analysisContext(
  moment: WorkspaceState,
  world: AnalysisWorld,
  texts: PolicyTexts,
  runs: PolicyEvaluation | undefined,
): AnalysisContext {
  const { files, environments } = moment;
  const made = new Map(moment.scenes.map(it => [it.environment, lazy(() => environmentAnalysis(it, world, runs))]));
  const scenesOf: AnalysisContext['scenesOf'] = uri => environments.of(uri).flatMap(it => made.get(it)?.() ?? []);
  const sceneOf: AnalysisContext['sceneOf'] = uri => scenesOf(uri)[0] ?? [...made.values()][0]!();
  const configurations = configurationsOf(moment);
  const known = new Map<EnvironmentAnalysis, KnownResults>();
  const unjudged = {
    moment,
    world,
    texts,
    runs,
    uris: lazy(() => [...files.keys(), ...texts.keys()].filter(it => !isRenderedUri(it))),
    configurations,
    configurationAt: (uri: string) => configurations.find(it => it.uri === uri),
    scenesOf,
    sceneOf,
    firstScene: () => sceneOf(`${moment.folders[0]?.uri ?? ''}/${CONFIGURATION_NAMES[0]}`),
  };
  return {
    ...unjudged,
    ...createDiagnosing(unjudged),
    mutations(uri) {
      const scene = moment.scenes.find(it => it.environment === environments.of(uri)[0]);
      if (scene === undefined || runs === undefined) return [];
      const objects = scene.snapshot.objectsIn(uri);
      return objects.flatMap(object => runs.mutationsOf(scene, object).map(it => ({ ...it, object })));
    },
    knownIn(scene) {
      const results = known.get(scene) ?? runs?.knownIn(scene) ?? (() => undefined);
      known.set(scene, results);
      return results;
    },
  };
}

type Unjudged = Omit<AnalysisContext, 'problemsOf' | 'release' | 'mutations' | 'knownIn'>;

/** Finds the problems of a file, once for each pace. */
function createDiagnosing(view: Unjudged): Pick<AnalysisContext, 'problemsOf' | 'release'> {
  const { moment, texts, runs, scenesOf, sceneOf } = view;
  const diagnosed = new Map<string, readonly Problem[]>();
  const baselines: BaselineCache = new WeakMap();
  const find = (uri: string, pace: Pace): readonly Problem[] => {
    const configuration = view.configurationAt(uri);
    if (configuration)
      return [...syntaxProblems(configuration.file), ...configurationProblems(checkedAt(configuration, view))];
    const own = ownProblems(moment.files.get(uri));
    return own ?? beyondBaseline(problemsInAll(scenesOf(uri), uri, pace), uri, sceneOf(uri), baselines);
  };
  return {
    problemsOf(uri, pace) {
      if (texts.has(uri)) return runs?.problemsOfText(uri) ?? [];
      const found = diagnosed.get(`${pace} ${uri}`) ?? find(uri, pace);
      diagnosed.set(`${pace} ${uri}`, found);
      return found;
    },
    release(uri) {
      for (const pace of PACES) diagnosed.delete(`${pace} ${uri}`);
      for (const it of scenesOf(uri)) it.release(uri);
      const file = moment.files.get(uri);
      if (file) forgetTrees(file);
    },
  };
}

/** What is wrong in a file that is Berth's own, no manifest. */
function ownProblems(file: ManifestFile | undefined): readonly Problem[] | undefined {
  return file && isPlacementTest(file.uri) ? placementTestProblems(file) : undefined;
}

function checkedAt(configuration: Configuration, { moment, world }: Unjudged): Configuration {
  const { uri = '' } = moment.folders.find(it => it.read === configuration) ?? {};
  const absolute = world.absolute ?? ((it: string) => it);
  const named = (name: string | undefined): EnvironmentState | undefined =>
    moment.scenes.find(it => it.environment.id.startsWith(`${uri} `) && it.environment.name === name);
  return checkedConfiguration(configuration, {
    folder: absolute(folderOf(configuration.uri)),
    files: lazy(() => [...moment.files.keys()].map(absolute)),
    kubeOf: name => named(name)?.kube,
    unreachable(name) {
      const { environment, cluster } = named(name) ?? {};
      const isOwn = environment?.cluster?.origin === 'configuration' && cluster?.content.state === 'unreachable';
      return isOwn ? cluster.content.reason : undefined;
    },
  });
}
