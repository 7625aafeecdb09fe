import { runToEnd } from '../base/steps';
import { holdsPods } from '../kube/podTemplates';
import { renderJobs } from '../workspace/rendered/jobs';
import { capabilitiesOf } from '../workspace/rendered/render';
import type { Analysis } from './analysis';
import { distinctRequests } from './clusters/request';
import type { Configuration } from './configuration/configuration';
import type { AnalysisContext } from './diagnostics/analysisContext';
import { shownProblems } from './diagnostics/shown';
import { clusterViews } from './features/clusterTree';
import { codeLensesOf, pendingLensesOf } from './features/codeLenses';
import { completionAt, completionDocs } from './features/completion/complete';
import { propertyCompletion } from './features/configuration/propertyCompletion';
import { configurationCompletion, configurationHover } from './features/configuration/schema';
import { reschedulerLocations, reschedulerTitle } from './features/evictionLenses';
import { hoverAt } from './features/hover/hover';
import { inlayHintsOf } from './features/inlayHints/inlayHints';
import { definitionAt, referencesAt } from './features/navigation/definition';
import { documentLinksOf } from './features/navigation/documentLinks';
import { distinctLocations } from './features/navigation/place';
import { renamable, renameInAll } from './features/navigation/rename';
import { foldingRangesOf } from './features/outline/folding';
import { selectionRangesAt } from './features/outline/selection';
import { documentSymbolsOf, workspaceSymbolsFor } from './features/outline/symbols';
import { joinedHover, mutationHints, mutationHover } from './features/policies/mutationNotes';
import type { PolicyView } from './features/policies/policyAnswers';
import { policyHover } from './features/policies/policyHover';
import { policyLensesOf, policyPlaces, regoLensesOf, regoPlaces } from './features/policies/policyLenses';
import { policySelectionHover } from './features/policies/policySelection';
import { propertyHover, propertyLensesOf, propertyPlaces } from './features/policies/propertyLenses';
import { semanticTokensOf } from './features/semanticTokens';
import { runTestsOf, testsIn } from './placementTests/inWorkspace';
import type { ProblemsOfFiles } from './placementTests/suite';
import { previewComparison, previewSteps, previewWhy } from './preview/build';
import { previewScenesIn } from './preview/environments';
import { previewMovers } from './preview/evictions';
import { kubeOf } from './state/facts';
import { wantedPaths } from './state/pathKinds';
import { counterfactualsAt, explanationAt, placementFixes, preferenceFixes } from './whatIf/ask';

/** What can be asked of one moment. */
export function analysisOf(view: AnalysisContext, problemsOfFiles: ProblemsOfFiles): Analysis {
  const { moment, texts, firstScene, scenesOf, problemsOf } = view;
  const { files, environments, grounds } = moment;
  return {
    settings: firstScene().settings,
    diagnostics: uri => problemsOf(uri, 'whole'),
    quickDiagnostics: uri => problemsOf(uri, 'quick'),
    release: view.release,
    asksScheduler: uri => scenesOf(uri).some(it => it.placements.knowsNodes(uri)),
    configurations: view.configurations,
    environmentsOf: uri => environments.of(uri).flatMap(it => it.name ?? []),
    get uris() {
      return view.uris();
    },
    get wantedPaths() {
      return wantedPaths(environments.graph);
    },
    get capabilities() {
      return capabilitiesOf(firstScene().kube);
    },
    get renderJobs() {
      return [...grounds.values()].flatMap(it => renderJobs(it.snapshot.files, it.snapshot.roles));
    },
    clusterRequests: distinctRequests(environments.all),
    clusterView: () => clusterViews(moment.scenes),
    get status() {
      const problems = new Set([...grounds.values()].flatMap(it => it.problems));
      return { cluster: firstScene().placements.label(), problems: [...problems] };
    },
    text: uri => files.get(uri)?.text ?? texts.get(uri),
    holdsObjects: uri =>
      scenesOf(uri).some(it => it.snapshot.objectsIn(uri).some(one => one.apiVersion !== '' && one.kind !== '')),
    documentCount: uri => files.get(uri)?.documents.length ?? 0,
    mutations: view.mutations,
    ...writingHelp(view),
    ...annotations(view),
    ...outline(view),
    ...navigation(view),
    ...placement(view, problemsOfFiles),
  };
}

/** What policies say, in every environment that a file belongs to. */
const policyViewsIn =
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
function scenesOfConfiguration(
  { moment }: AnalysisContext,
  configuration: Configuration,
): AnalysisContext['moment']['scenes'] {
  const folder = moment.folders.find(it => it.read === configuration);
  return moment.scenes.filter(it => it.environment.id.startsWith(`${folder?.uri ?? ''} `));
}

type WritingHelp = Pick<Analysis, 'hover' | 'fixes' | 'completion' | 'completionDocs'>;

function writingHelp(view: AnalysisContext): WritingHelp {
  const { configurationAt, sceneOf, firstScene, problemsOf, mutations } = view;
  const policyViews = policyViewsIn(view);
  return {
    hover(uri, offset) {
      const configuration = configurationAt(uri);
      if (configuration) {
        const rule = propertyHover(configuration, scenesOfConfiguration(view, configuration), offset);
        return joinedHover(rule, configurationHover(configuration.file, offset));
      }
      const scene = sceneOf(uri);
      const asked = [policyViews(uri), uri, offset] as const;
      return joinedHover(
        hoverAt({ ...scene, problems: problemsOf(uri, 'whole') }, uri, offset),
        joinedHover(mutationHover(mutations(uri), offset), policyHover(...asked) ?? policySelectionHover(...asked)),
      );
    },
    fixes(uri, span) {
      const scene = sceneOf(uri);
      const ofProblems = shownProblems(problemsOf(uri, 'whole'))
        .filter(it => it.span.start <= span.end && span.start <= it.span.end)
        .flatMap(problem => [...problem.fixes, ...placementFixes(scene, problem)].map(fix => ({ problem, fix })));
      return [...ofProblems, ...preferenceFixes(scene, uri, span).map(fix => ({ fix }))];
    },
    completion(uri, offset, typed) {
      const configuration = configurationAt(uri);
      if (configuration) {
        const inRule = propertyCompletion(configuration.file, offset, firstScene().kube);
        return inRule ?? configurationCompletion(configuration.file, offset);
      }
      const { kube, snapshot, placements, cluster } = sceneOf(uri);
      return completionAt({ kube, snapshot, nodes: placements.nodes, cluster }, { uri, offset, typed });
    },
    completionDocs: field => completionDocs(firstScene().kube, field),
  };
}

type Annotations = Pick<Analysis, 'inlayHints' | 'codeLenses' | 'policyPlaces' | 'semanticTokens'>;

function annotations(view: AnalysisContext): Annotations {
  const { moment, texts, runs, sceneOf, mutations } = view;
  const policyViews = policyViewsIn(view);
  const knownOfText = (uri: string) => moment.scenes.flatMap(it => runs?.knownOfText(it, uri) ?? []);
  return {
    inlayHints(uri, within) {
      const { settings, snapshot, kube, placements } = sceneOf(uri);
      if (!settings.inlayHints) return [];
      return [...inlayHintsOf(snapshot, kube, placements, uri, within), ...mutationHints(mutations(uri))];
    },
    codeLenses(uri, as = 'placed') {
      if (texts.has(uri)) {
        const isJudged = runs !== undefined && moment.scenes.every(it => runs.isJudged(it, texts));
        return regoLensesOf(knownOfText(uri), isJudged ? 'known' : 'pending');
      }
      const configuration = view.configurationAt(uri);
      if (configuration) return propertyLensesOf(configuration, scenesOfConfiguration(view, configuration));
      const { snapshot, placements } = sceneOf(uri);
      const ofPods = as === 'placed' ? codeLensesOf(snapshot, placements, uri) : pendingLensesOf(snapshot, uri);
      return [...ofPods, ...policyLensesOf(policyViews(uri), uri)];
    },
    policyPlaces(at) {
      if (texts.has(at.uri)) return regoPlaces(knownOfText(at.uri), at.offset);
      const configuration = view.configurationAt(at.uri);
      if (configuration) return propertyPlaces(configuration, scenesOfConfiguration(view, configuration), at.rule);
      return policyPlaces(policyViews(at.uri), at);
    },
    semanticTokens(uri, within) {
      const { snapshot, kube } = sceneOf(uri);
      return semanticTokensOf(snapshot, kube, uri, within);
    },
  };
}

type Outline = Pick<Analysis, 'documentSymbols' | 'workspaceSymbols' | 'foldingRanges' | 'selectionRanges'>;

function outline({ moment: { files }, sceneOf }: AnalysisContext): Outline {
  return {
    documentSymbols: uri => documentSymbolsOf(sceneOf(uri).snapshot, uri),
    workspaceSymbols(query) {
      const objects = [...files.keys()].flatMap(uri => sceneOf(uri).written.objectsIn(uri));
      return workspaceSymbolsFor(objects, query);
    },
    foldingRanges: uri => {
      const file = files.get(uri);
      return file ? foldingRangesOf(file) : [];
    },
    selectionRanges: (uri, offset) => selectionRangesAt(sceneOf(uri).snapshot, uri, offset),
  };
}

type Navigation = Pick<Analysis, 'definition' | 'references' | 'renamable' | 'rename' | 'documentLinks'>;

function navigation({ scenesOf, sceneOf }: AnalysisContext): Navigation {
  return {
    definition(uri, offset) {
      const [first, ...others] = scenesOf(uri).flatMap(it => definitionAt(it.written, uri, offset) ?? []);
      return first && { ...first, places: distinctLocations([first, ...others].flatMap(it => it.places)) };
    },
    references: (uri, offset, wanted) =>
      distinctLocations(scenesOf(uri).flatMap(it => referencesAt(it.written, uri, offset, wanted))),
    renamable: (uri, offset) => renamable(sceneOf(uri).written, uri, offset),
    rename(uri, offset, newName) {
      const snapshots = scenesOf(uri).map(it => it.written);
      return renameInAll(snapshots, uri, offset, newName);
    },
    documentLinks: uri => documentLinksOf(sceneOf(uri).written, uri),
  };
}

type Placement = Pick<
  Analysis,
  | 'preview'
  | 'previewWhy'
  | 'previewMovers'
  | 'reschedulerLocations'
  | 'reschedulerTitle'
  | 'previewComparison'
  | 'counterfactuals'
  | 'explanation'
  | 'previewing'
  | 'placing'
  | 'placementTests'
  | 'runPlacementTests'
>;

function placement(view: AnalysisContext, problemsOfFiles: ProblemsOfFiles): Placement {
  const { world, sceneOf, scenesOf } = view;
  const { files } = view.moment;
  const scenesFor = previewScenesIn(view);
  return {
    preview: at => runToEnd(previewSteps(scenesFor(at.uri), at)),
    previewing: at => previewSteps(scenesFor(at.uri), at),
    *placing(uri) {
      for (const { snapshot, placements } of scenesOf(uri)) {
        if (snapshot.objectsIn(uri).some(it => holdsPods(it.group, it.kind))) yield* placements.placing(uri);
      }
      return undefined;
    },
    previewWhy: at => previewWhy(scenesFor(at.uri), at),
    previewMovers: at => previewMovers(scenesFor(at.uri), at),
    reschedulerLocations: uri => reschedulerLocations(sceneOf(uri).snapshot, uri),
    reschedulerTitle: place => reschedulerTitle(sceneOf(place.uri), place),
    previewComparison: at => previewComparison(scenesFor(at.uri), at),
    counterfactuals: at => counterfactualsAt(sceneOf(at.uri), at),
    explanation: at => explanationAt(sceneOf(at.uri), at),
    placementTests: () => testsIn(files),
    runPlacementTests(uri, only) {
      const { settings, kube } = sceneOf(uri);
      const kubeFor = (version = settings.kubernetesVersion) =>
        version === settings.kubernetesVersion ? kube : kubeOf(world, { ...settings, kubernetesVersion: version }).kube;
      return runTestsOf(uri, only, files, { ...world, problemsOfFiles, kubeOf: kubeFor });
    },
  };
}
