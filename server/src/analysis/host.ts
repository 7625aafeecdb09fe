import { lazy } from '../manifest/lazy';
import type { ManifestFile } from '../manifest/manifest';
import type { Problem } from '../rules/problem';
import { syntaxProblems } from '../rules/syntax';
import { folderOf } from '../workspace/paths';
import { renderJobs } from '../workspace/rendered/jobs';
import { isRenderedUri } from '../workspace/rendered/names';
import { capabilitiesOf } from '../workspace/rendered/render';
import { type Analysis, type AnalysisHost, type AnalysisWorld, defaultSettings } from './analysis';
import { type BaselineCache, beyondBaseline } from './baseline';
import { clusterViews } from './clusterView';
import { codeLensesOf } from './codeLenses';
import { completionAt, completionDocs } from './completion/complete';
import { CONFIGURATION_NAMES, type Configuration, configurationProblems } from './configuration';
import { checkedConfiguration } from './configurationChecks';
import { configurationCompletion, configurationHover } from './configurationSchema';
import { definitionAt, distinctPlaces, referencesAt } from './definition';
import { documentLinksOf } from './documentLinks';
import { distinctWishes } from './environments';
import { foldingRangesOf } from './folding';
import { hoverAt } from './hover';
import { inlayHintsOf } from './inlayHints';
import { configurationsOf, firstMoment, kubeOf, type Moment, momentAfter, type Scene } from './moment';
import { joinedHover, mutationHints, mutationHover } from './mutationNotes';
import { isPlacementTest } from './placementTests/format';
import { runTestsOf, testsIn } from './placementTests/inWorkspace';
import { placementTestProblems } from './placementTests/problems';
import { wantedPlaces } from './places';
import { policyHover } from './policyHover';
import { policyLensesOf, policyPlaces, regoLensesOf, regoPlaces } from './policyLenses';
import { createPolicyRuns, type KnownResults, type PolicyRuns } from './policyRuns';
import { policySelectionHover } from './policySelection';
import { isPolicyText, type PolicyTexts, textsAfter } from './policyTexts';
import { previewFigures, previewOf, previewWhy } from './previewModel';
import { renamable, renameInAll } from './rename';
import { analysisOfScene, type Pace, problemsInAll, type SceneAnalysis } from './scene';
import { selectionRangesAt } from './selection';
import { semanticTokensOf } from './semanticTokens';
import { shownProblems } from './shown';
import { documentSymbolsOf, workspaceSymbolsFor } from './symbols';
import { counterfactualsAt, explanationAt, placementFixes } from './whatIf/ask';

export function createAnalysisHost(world: AnalysisWorld): AnalysisHost {
  const runs = world.policyEngine && createPolicyRuns(world.policyEngine, world.onBug);
  let texts: PolicyTexts = new Map();
  const momentOf = (moment: Moment): Now => ({ moment, analysis: analysisOf(moment, world, texts, runs) });
  // The first moment reads the facts of a minor, and an editor waits for its greeting before it asks anything.
  let made: Now | undefined;
  const now = (): Now => {
    made ??= momentOf(firstMoment(defaultSettings, world));
    return made;
  };
  return {
    apply(change) {
      const { files = [] } = change;
      const [before, textsBefore] = [now().moment, texts];
      texts = textsAfter(texts, files);
      const moment = momentAfter(before, { ...change, files: files.filter(it => !isPolicyText(it.uri)) }, world);
      made = momentOf(moment);
      // What a rendered document says is told at its sources.
      const isAll = texts !== textsBefore || moment.touched === undefined || moment.touched.some(isRenderedUri);
      return isAll ? [...new Set([...files.map(it => it.uri), ...made.analysis.uris])] : (moment.touched ?? []);
    },
    analysis: () => now().analysis,
    async judgePolicies(first, told) {
      await runs?.run({
        scenes: now().moment.scenes,
        texts,
        first,
        told(uris) {
          made = momentOf(now().moment);
          told(uris);
        },
      });
    },
    policyNotice: () => runs?.notice({ scenes: now().moment.scenes, texts }),
  };
}

/** A moment with what can be asked of it. */
interface Now {
  readonly moment: Moment;
  readonly analysis: Analysis;
}

/** What is wrong in a file that is Berth's own, no manifest. */
function ownProblems(file: ManifestFile | undefined): readonly Problem[] | undefined {
  return file && isPlacementTest(file.uri) ? placementTestProblems(file) : undefined;
}

function analysisOf(moment: Moment, world: AnalysisWorld, texts: PolicyTexts, runs: PolicyRuns | undefined): Analysis {
  const { files, environments, grounds } = moment;
  const made = new Map(moment.scenes.map(it => [it.environment, lazy(() => analysisOfScene(it, world, runs))]));
  const scenesOf = (uri: string): readonly SceneAnalysis[] =>
    environments.of(uri).flatMap(it => made.get(it)?.() ?? []);
  /** Where one answer is wanted, the first environment gives it; there is always one. */
  const sceneOf = (uri: string): SceneAnalysis => scenesOf(uri)[0] ?? [...made.values()][0]!();
  const previewScenes = (uri: string): readonly SceneAnalysis[] =>
    scenesOf(uri).length > 0 ? scenesOf(uri) : [sceneOf(uri)];
  /** Of the first folder that somebody opened: for what is said of the whole workspace. */
  const firstScene = (): SceneAnalysis => sceneOf(`${moment.folders[0]?.uri ?? ''}/${CONFIGURATION_NAMES[0]}`);
  const configurations = configurationsOf(moment);
  const uris = lazy(() => [...files.keys(), ...texts.keys()].filter(it => !isRenderedUri(it)));
  const diagnosed = new Map<string, readonly Problem[]>();
  const baselines: BaselineCache = new WeakMap();
  const news = (uri: string, pace: Pace): readonly Problem[] =>
    beyondBaseline(problemsInAll(scenesOf(uri), uri, pace), uri, sceneOf(uri), baselines);
  const configurationAt = (uri: string): Configuration | undefined => configurations.find(it => it.uri === uri);
  const checkedAt = (configuration: Configuration): Configuration => {
    const { uri = '' } = moment.folders.find(it => it.read === configuration) ?? {};
    const absolute = world.absolute ?? ((it: string) => it);
    const named = (name: string | undefined): Scene | undefined =>
      moment.scenes.find(it => it.environment.id.startsWith(`${uri} `) && it.environment.name === name);
    return checkedConfiguration(configuration, {
      folder: absolute(folderOf(configuration.uri)),
      files: lazy(() => [...files.keys()].map(absolute)),
      kubeOf: name => named(name)?.kube,
      unreachable(name) {
        const { environment, cluster } = named(name) ?? {};
        const isOwn = environment?.cluster?.origin === 'configuration' && cluster?.content.state === 'unreachable';
        return isOwn ? cluster.content.reason : undefined;
      },
    });
  };
  const problemsOf = (uri: string, pace: Pace): readonly Problem[] => {
    if (texts.has(uri)) return runs?.problemsOfText(uri) ?? [];
    const configuration = configurationAt(uri);
    const found =
      diagnosed.get(`${pace} ${uri}`) ??
      (configuration
        ? [...syntaxProblems(configuration.file), ...configurationProblems(checkedAt(configuration))]
        : (ownProblems(files.get(uri)) ?? news(uri, pace)));
    diagnosed.set(`${pace} ${uri}`, found);
    return found;
  };
  const diagnostics: Analysis['diagnostics'] = uri => problemsOf(uri, 'whole');
  const mutations: Analysis['mutations'] = uri => {
    const scene = moment.scenes.find(it => it.environment === environments.of(uri)[0]);
    if (scene === undefined || runs === undefined) return [];
    const objects = scene.snapshot.objectsIn(uri);
    return objects.flatMap(object => runs.mutationsOf(scene, object).map(it => ({ ...it, object })));
  };
  const known = new Map<SceneAnalysis, KnownResults>();
  const knownIn = (scene: SceneAnalysis): KnownResults => {
    const results = known.get(scene) ?? runs?.knownIn(scene) ?? (() => undefined);
    known.set(scene, results);
    return results;
  };
  const knownOfText = (uri: string) => moment.scenes.flatMap(it => runs?.knownOfText(it, uri) ?? []);
  return {
    settings: firstScene().settings,
    diagnostics,
    quickDiagnostics: uri => problemsOf(uri, 'quick'),
    asksScheduler: uri => scenesOf(uri).some(it => it.placements.knowsNodes(uri)),
    configurations,
    environmentsOf: uri => environments.of(uri).flatMap(it => it.name ?? []),
    get uris() {
      return uris();
    },
    get wantedPlaces() {
      return wantedPlaces(environments.graph);
    },
    get capabilities() {
      return capabilitiesOf(firstScene().kube);
    },
    get renderJobs() {
      return [...grounds.values()].flatMap(it => renderJobs(it.snapshot.files, it.snapshot.roles));
    },
    clusterWishes: distinctWishes(environments.all),
    clusterView: () => clusterViews(moment.scenes),
    get status() {
      const problems = new Set([...grounds.values()].flatMap(it => it.problems));
      return { cluster: firstScene().placements.label(), problems: [...problems] };
    },
    text: uri => files.get(uri)?.text ?? texts.get(uri),
    documentCount: uri => files.get(uri)?.documents.length ?? 0,
    hover(uri, offset) {
      const configuration = configurationAt(uri);
      if (configuration) return configurationHover(configuration.file, offset);
      const scene = sceneOf(uri);
      const asked = [scene.snapshot, knownIn(scene), uri, offset] as const;
      return joinedHover(
        hoverAt({ ...scene, problems: diagnostics(uri) }, uri, offset),
        joinedHover(mutationHover(mutations(uri), offset), policyHover(...asked) ?? policySelectionHover(...asked)),
      );
    },
    fixes: (uri, span) =>
      shownProblems(diagnostics(uri))
        .filter(it => it.span.start <= span.end && span.start <= it.span.end)
        .flatMap(problem =>
          [...problem.fixes, ...placementFixes(sceneOf(uri), problem)].map(fix => ({ problem, fix })),
        ),
    counterfactuals: at => counterfactualsAt(sceneOf(at.uri), at),
    explanation: at => explanationAt(sceneOf(at.uri), at),
    completion(uri, offset, typed) {
      const configuration = configurationAt(uri);
      if (configuration) return configurationCompletion(configuration.file, offset);
      const { kube, snapshot, placements, cluster } = sceneOf(uri);
      return completionAt({ kube, snapshot, nodes: placements.nodes, cluster }, { uri, offset, typed });
    },
    completionDocs: field => completionDocs(firstScene().kube, field),
    inlayHints(uri, within) {
      const { settings, snapshot, kube, placements } = sceneOf(uri);
      if (!settings.inlayHints) return [];
      return [...inlayHintsOf(snapshot, kube, placements, uri, within), ...mutationHints(mutations(uri))];
    },
    documentSymbols: uri => documentSymbolsOf(sceneOf(uri).snapshot, uri),
    workspaceSymbols(query) {
      const objects = [...files.keys()].flatMap(uri => sceneOf(uri).written.objectsIn(uri));
      return workspaceSymbolsFor(objects, query);
    },
    foldingRanges: uri => {
      const file = files.get(uri);
      return file ? foldingRangesOf(file) : [];
    },
    placementTests: () => testsIn(files),
    runPlacementTests(uri, only) {
      const { settings, kube } = sceneOf(uri);
      const kubeFor = (version = settings.kubernetesVersion) =>
        version === settings.kubernetesVersion ? kube : kubeOf(world, { ...settings, kubernetesVersion: version }).kube;
      return runTestsOf(uri, only, files, { readPack: world.readPack, onBug: world.onBug, kubeOf: kubeFor });
    },
    semanticTokens(uri, within) {
      const { snapshot, kube } = sceneOf(uri);
      return semanticTokensOf(snapshot, kube, uri, within);
    },
    selectionRanges: (uri, offset) => selectionRangesAt(sceneOf(uri).snapshot, uri, offset),
    codeLenses(uri) {
      if (texts.has(uri)) return regoLensesOf(knownOfText(uri));
      const { snapshot, placements } = sceneOf(uri);
      return [...codeLensesOf(snapshot, placements, uri), ...policyLensesOf(snapshot, knownIn(sceneOf(uri)), uri)];
    },
    policyPlaces: at =>
      texts.has(at.uri)
        ? regoPlaces(knownOfText(at.uri), at.offset)
        : policyPlaces(sceneOf(at.uri).snapshot, knownIn(sceneOf(at.uri)), at),
    definition(uri, offset) {
      const [first, ...others] = scenesOf(uri).flatMap(it => definitionAt(it.written, uri, offset) ?? []);
      return first && { ...first, places: distinctPlaces([first, ...others].flatMap(it => it.places)) };
    },
    references: (uri, offset, wanted) =>
      distinctPlaces(scenesOf(uri).flatMap(it => referencesAt(it.written, uri, offset, wanted))),
    renamable: (uri, offset) => renamable(sceneOf(uri).written, uri, offset),
    rename(uri, offset, newName) {
      const snapshots = scenesOf(uri).map(it => it.written);
      return renameInAll(snapshots, uri, offset, newName);
    },
    mutations,
    documentLinks: uri => documentLinksOf(sceneOf(uri).written, uri),
    preview: at => previewOf(previewScenes(at.uri), at),
    previewWhy: at => previewWhy(previewScenes(at.uri), at),
    previewFigures: at => previewFigures(previewScenes(at.uri), at),
  };
}
