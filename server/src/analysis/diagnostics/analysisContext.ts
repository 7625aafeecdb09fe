import { lazy, lazyByObject } from '../../base/lazy';
import { runToEnd, type Steps } from '../../base/steps';
import { forgetTrees } from '../../manifest/file';
import type { ManifestFile } from '../../manifest/manifest';
import type { MutationPreview } from '../../policy/mutation';
import { reportedOfOwnFormat } from '../../rules/engine/ownFormat';
import { syntaxProblems } from '../../rules/engine/syntax';
import type { Problem } from '../../rules/framework/problem';
import { SYSTEM_FINDING } from '../../rules/metas/system';
import { EVERYWHERE, isTouching, type Span } from '../../text/span';
import type { WorkspaceObject } from '../../workspace/object';
import { folderOf } from '../../workspace/paths';
import { isRenderedUri } from '../../workspace/rendered/names';
import { checkedConfiguration } from '../configuration/checks';
import { CONFIGURATION_NAMES, type Configuration, configurationProblems } from '../configuration/configuration';
import type { Explorations } from '../exploring/explorations';
import { isPlacementTest } from '../placementTests/format';
import { placementTestProblems } from '../placementTests/problems';
import type { PolicyEvaluation, ResultsByPolicy } from '../policies/policyEvaluation';
import type { EnvironmentState } from '../state/environmentState';
import type { PolicyTexts } from '../state/policyTexts';
import { environmentsAllowed } from '../state/reach';
import { configurationsOf, type WorkspaceState } from '../state/workspaceState';
import type { AnalysisWorld } from '../state/world';
import type { SystemChecks } from '../systems/systemChecks';
import { type BaselineCache, beyondBaseline } from './baseline';
import { checkedEnvironments } from './checkedEnvironments';
import {
  type EnvironmentAnalysis,
  environmentAnalysis,
  PACES,
  type Pace,
  problemsInAll,
  type StateWorks,
} from './environmentAnalysis';

/** Changes by mutating policies. */
export interface PolicyMutations {
  /** The changes of mutating policies to the objects of a file that touch `within` (absent: all), from the answers so far. */
  mutations(uri: string, within?: Span): readonly (MutationPreview & { readonly object: WorkspaceObject })[];
}

/** One state of the workspace with its lazy computations: what all features are computed from. */
export interface AnalysisContext extends PolicyMutations {
  readonly state: WorkspaceState;
  readonly world: AnalysisWorld;
  readonly texts: PolicyTexts;
  readonly evaluation: PolicyEvaluation | undefined;
  readonly systems: SystemChecks;
  readonly explorations: Explorations;
  readonly works: StateWorks;
  readonly uris: () => readonly string[];
  readonly configurations: readonly Configuration[];
  readonly configurationAt: (uri: string) => Configuration | undefined;
  /** One for each environment of the file. */
  readonly environmentsOf: (uri: string) => readonly EnvironmentAnalysis[];
  /** The first environment of the file; where it has none, the first of the workspace. */
  readonly environmentOf: (uri: string) => EnvironmentAnalysis;
  /** The environment of the first folder, for information about the whole workspace. */
  readonly firstEnvironment: () => EnvironmentAnalysis;
  readonly problemsOf: (uri: string, pace: Pace) => readonly Problem[];
  /** The same, found in steps. */
  readonly problemsInSteps: (uri: string, pace: Pace) => Steps<readonly Problem[]>;
  /** Frees cached problems and syntax trees of a file. */
  readonly release: (uri: string) => void;
  /** Results of each policy so far. */
  readonly resultsIn: (environment: EnvironmentAnalysis) => ResultsByPolicy;
}

export function analysisContext(
  state: WorkspaceState,
  given: Pick<AnalysisContext, 'world' | 'texts' | 'evaluation' | 'systems' | 'explorations' | 'works'>,
): AnalysisContext {
  const { files, environments } = state;
  const { world, texts, evaluation, explorations, works } = given;
  // A repository may have thousands of environments, and each answer of policies makes a new analysis: only those that are asked are made.
  const analysed = lazyByObject((it: EnvironmentState) =>
    environmentAnalysis(it, world, works, evaluation, explorations),
  );
  const statesOf = (uri: string): readonly EnvironmentState[] => environments.of(uri).map(state.stateOf);
  const environmentsOf: AnalysisContext['environmentsOf'] = uri => statesOf(uri).map(analysed);
  const environmentOf: AnalysisContext['environmentOf'] = uri =>
    analysed(state.stateOf(environments.of(uri)[0] ?? environments.all[0]!));
  const configurations = configurationsOf(state);
  const cachedResults = new Map<EnvironmentAnalysis, ResultsByPolicy>();
  const parts = {
    state,
    ...given,
    uris: lazy(() => [...files.keys(), ...texts.keys()].filter(it => !isRenderedUri(it))),
    configurations,
    configurationAt: (uri: string) => configurations.find(it => it.uri === uri),
    environmentsOf,
    environmentOf,
    firstEnvironment: () => environmentOf(`${state.folders[0]?.uri ?? ''}/${CONFIGURATION_NAMES[0]}`),
  };
  return {
    ...parts,
    ...createDiagnostics(parts),
    mutations(uri, within = EVERYWHERE) {
      const [first] = statesOf(uri);
      if (first === undefined || evaluation === undefined) return [];
      const objects = first.snapshot.objectsIn(uri).filter(it => isTouching(it.manifest.span, within));
      return objects.flatMap(object => evaluation.mutationsOf(first, object).map(it => ({ ...it, object })));
    },
    resultsIn(environment) {
      const results = cachedResults.get(environment) ?? evaluation?.resultsIn(environment) ?? (() => undefined);
      cachedResults.set(environment, results);
      return results;
    },
  };
}

type ContextParts = Omit<AnalysisContext, 'problemsOf' | 'problemsInSteps' | 'release' | 'mutations' | 'resultsIn'>;

/** Problems of a file, cached per pace. */
function createDiagnostics(context: ContextParts): Pick<AnalysisContext, 'problemsOf' | 'problemsInSteps' | 'release'> {
  const { state, texts, evaluation, environmentsOf, environmentOf } = context;
  const diagnosed = new Map<string, readonly Problem[]>();
  /** How often each file was released. */
  const releases = new Map<string, number>();
  const baselines: BaselineCache = new WeakMap();
  const allowed = lazy(() => environmentsAllowed(state.reach));
  function* find(uri: string, pace: Pace): Steps<readonly Problem[]> {
    const configuration = context.configurationAt(uri);
    if (configuration)
      return [...syntaxProblems(configuration.file), ...configurationProblems(checkedAt(configuration, context))];
    const own = yield* ownProblems(state.files.get(uri), pace, context);
    const found = own ?? (yield* findInEnvironments(uri, pace));
    return beyondBaseline(found, uri, environmentOf(uri), baselines);
  }
  function* findInEnvironments(uri: string, pace: Pace): Steps<readonly Problem[]> {
    const { checked, problems } = checkedEnvironments(environmentsOf(uri), uri, state.files.get(uri), allowed());
    const found = yield* problemsInAll(checked, uri, pace);
    // Unchanged problems stay the same list.
    return problems.length === 0 ? found : [...problems, ...found];
  }
  function* problemsInSteps(uri: string, pace: Pace): Steps<readonly Problem[]> {
    if (texts.has(uri)) return evaluation?.problemsOfText(uri) ?? [];
    for (;;) {
      const known = diagnosed.get(`${pace} ${uri}`);
      if (known !== undefined) return known;
      const before = releases.get(uri);
      const found = yield* find(uri, pace);
      // Whoever released the file meanwhile has something new for it.
      if (releases.get(uri) === before) diagnosed.set(`${pace} ${uri}`, found);
    }
  }
  return {
    problemsInSteps,
    problemsOf: (uri, pace) => runToEnd(problemsInSteps(uri, pace)),
    release(uri) {
      releases.set(uri, (releases.get(uri) ?? 0) + 1);
      for (const pace of PACES) diagnosed.delete(`${pace} ${uri}`);
      for (const it of environmentsOf(uri)) it.release(uri);
      const file = state.files.get(uri);
      if (file) forgetTrees(file);
    },
  };
}

/** Problems of a file in one of Berth's own formats; undefined for other files. */
function* ownProblems(
  file: ManifestFile | undefined,
  pace: Pace,
  { systems, environmentOf }: ContextParts,
): Steps<readonly Problem[] | undefined> {
  const isTest = file !== undefined && isPlacementTest(file.uri);
  if (file === undefined || (!isTest && !systems.isSystem(file))) return undefined;
  const { environment, snapshot } = environmentOf(file.uri);
  const { severity, only, suppressed } = environment.settings;
  const ofSystem = pace === 'quick' ? systems.problems : systems.problemsExplored;
  const found = isTest ? yield* placementTestProblems(file) : ofSystem(file);
  yield;
  return reportedOfOwnFormat(found, file, snapshot.objectsIn(file.uri), snapshot, {
    severity,
    ...(only && { only }),
    ...(suppressed && { suppressed }),
    isNotRun: code => code === SYSTEM_FINDING.code && !isTest && (pace === 'quick' || !systems.isExhausted(file)),
  });
}

function checkedAt(configuration: Configuration, { state, world }: ContextParts): Configuration {
  const { uri = '' } = state.folders.find(it => it.read === configuration) ?? {};
  const absolute = world.absolute ?? ((it: string) => it);
  const named = (name: string | undefined): EnvironmentState | undefined =>
    state.environmentStates().find(it => it.environment.id.startsWith(`${uri} `) && it.environment.name === name);
  return checkedConfiguration(configuration, {
    folder: absolute(folderOf(configuration.uri)),
    files: lazy(() => [...state.files.keys()].map(absolute)),
    kubeOf: name => named(name)?.kube,
    unreachable(name) {
      const { environment, cluster } = named(name) ?? {};
      const isOwn = environment?.cluster?.origin === 'configuration' && cluster?.content.state === 'unreachable';
      return isOwn ? cluster.content.reason : undefined;
    },
  });
}
