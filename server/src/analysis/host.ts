import type { Kube } from '../kube/kube';
import { gateProblems, loadKube, newestMinor, supportedMinors } from '../kube/load';
import type { ManifestFile } from '../manifest/manifest';
import { parseManifests } from '../manifest/parse';
import { reparseManifests } from '../manifest/reparse';
import { problemsOfFile, type RuleCache } from '../rules/run';
import { emptySnapshot, type FileChange, withFiles, withOptions } from '../workspace/snapshot';
import type { Snapshot } from '../workspace/workspace';
import {
  type Analysis,
  type AnalysisHost,
  type AnalysisWorld,
  type Change,
  defaultSettings,
  type Settings,
} from './analysis';
import { codeLensesOf } from './codeLenses';
import { completionAt, completionDocs } from './completion/complete';
import { definitionAt, referencesAt } from './definition';
import { documentLinksOf } from './documentLinks';
import { foldingRangesOf } from './folding';
import { hoverAt } from './hover';
import { inlayHintsOf } from './inlayHints';
import { placementsOf } from './placements';
import { previewOf } from './previewModel';
import { renamable, rename } from './rename';
import { selectionRangesAt } from './selection';
import { semanticTokensOf } from './semanticTokens';
import { shownProblems } from './shown';
import { documentSymbolsOf, workspaceSymbolsFor } from './symbols';

/** Everything one moment stands on. Replaced as a whole, never changed. */
interface Moment {
  readonly settings: Settings;
  readonly kube: Kube;
  /** Settings that could not be followed, one sentence each. */
  readonly problems: readonly string[];
  readonly snapshot: Snapshot;
  /** Findings that hold as long as `kube` does. */
  readonly cache: RuleCache;
}

export function createAnalysisHost(world: AnalysisWorld): AnalysisHost {
  let moment = firstMoment(world, defaultSettings);
  let analysis = analysisOf(moment, world);
  return {
    apply(change) {
      moment = after(moment, change, world);
      analysis = analysisOf(moment, world);
    },
    analysis: () => analysis,
  };
}

function firstMoment(world: AnalysisWorld, settings: Settings): Moment {
  const { kube, problems } = kubeOf(world, settings);
  return {
    settings,
    kube,
    problems,
    snapshot: emptySnapshot(isNamespacedIn(kube), completeness(settings)),
    cache: new WeakMap(),
  };
}

function after(moment: Moment, change: Change, world: AnalysisWorld): Moment {
  const settled = change.settings ? withSettings(moment, change.settings, world) : moment;
  const files = change.files ?? [];
  if (files.length === 0) return settled;
  const changes = files.map(
    ({ uri, text }): FileChange => ({ uri, file: parsed(settled.snapshot.files.get(uri), uri, text) }),
  );
  return { ...settled, snapshot: withFiles(settled.snapshot, changes) };
}

function withSettings(moment: Moment, settings: Settings, world: AnalysisWorld): Moment {
  const { kube, problems } = kubeOf(world, settings);
  const snapshot = withOptions(moment.snapshot, isNamespacedIn(kube), completeness(settings));
  return { settings, kube, problems, snapshot, cache: new WeakMap() };
}

const completeness = (settings: Settings): { readonly complete: boolean } => ({ complete: settings.completeSources });

/** The facts of the version that the settings name, or of the newest one with a sentence about that. */
export function kubeOf(
  world: Pick<AnalysisWorld, 'readPack'>,
  settings: Pick<Settings, 'kubernetesVersion' | 'featureGates'>,
): { readonly kube: Kube; readonly problems: readonly string[] } {
  const wanted = settings.kubernetesVersion.replace(/^v/, '');
  const known = supportedMinors.find(it => wanted === it || wanted.startsWith(`${it}.`));
  const kube = loadKube(known ?? newestMinor, settings.featureGates, world.readPack);
  const unknown = `Kubernetes ${settings.kubernetesVersion} is not known to Berth; ${newestMinor} is used instead. Known: ${supportedMinors.join(', ')}.`;
  return { kube, problems: [...(known === undefined ? [unknown] : []), ...gateProblems(kube, settings.featureGates)] };
}

const isNamespacedIn =
  (kube: Kube) =>
  (group: string, version: string, kind: string): boolean | undefined =>
    kube.kindOf(group === '' ? version : `${group}/${version}`, kind)?.namespaced;

function parsed(previous: ManifestFile | undefined, uri: string, text: string | undefined): ManifestFile | undefined {
  if (text === undefined) return undefined;
  if (previous?.text === text) return previous;
  return previous ? reparseManifests(previous, text) : parseManifests(uri, text);
}

function analysisOf(moment: Moment, world: AnalysisWorld): Analysis {
  const { settings, kube, snapshot, problems, cache } = moment;
  const placements = placementsOf(snapshot, kube, settings);
  const { podSecurity } = settings;
  const context = { kube, snapshot, ...(podSecurity && { podSecurity }) };
  const diagnosed = new Map<string, ReturnType<typeof problemsOfFile>>();
  const diagnostics: Analysis['diagnostics'] = uri => {
    const known = diagnosed.get(uri);
    if (known) return known;
    const file = snapshot.files.get(uri);
    if (!file || isSkipped(file, settings)) return [];
    const { severity, only } = settings;
    const options = { severity, ...(only && { only }), onBug: world.onBug, cache };
    const all = problemsOfFile(file, snapshot.objectsIn(uri), context, options);
    const found = only === undefined ? all : all.filter(it => only.includes(it.category));
    diagnosed.set(uri, found);
    return found;
  };
  return {
    settings,
    diagnostics,
    uris: [...snapshot.files.keys()],
    get status() {
      return { cluster: placements.label(), problems };
    },
    text: uri => snapshot.files.get(uri)?.text,
    documentCount: uri => snapshot.files.get(uri)?.documents.length ?? 0,
    hover: (uri, offset) => hoverAt({ kube, snapshot, placements, problems: diagnostics(uri) }, uri, offset),
    fixes: (uri, span) =>
      shownProblems(diagnostics(uri))
        .filter(it => it.span.start <= span.end && span.start <= it.span.end)
        .flatMap(problem => problem.fixes.map(fix => ({ problem, fix }))),
    completion: (uri, offset, typed) =>
      completionAt({ kube, snapshot, nodes: placements.nodes }, { uri, offset, typed }),
    completionDocs: field => completionDocs(kube, field),
    inlayHints: uri => (settings.inlayHints ? inlayHintsOf(snapshot, kube, placements, uri) : []),
    documentSymbols: uri => documentSymbolsOf(snapshot, uri),
    workspaceSymbols: query => workspaceSymbolsFor(snapshot, query),
    foldingRanges: uri => {
      const file = snapshot.files.get(uri);
      return file ? foldingRangesOf(file) : [];
    },
    semanticTokens: (uri, within) => semanticTokensOf(snapshot, kube, uri, within),
    selectionRanges: (uri, offset) => selectionRangesAt(snapshot, uri, offset),
    codeLenses: uri => codeLensesOf(snapshot, placements, uri),
    definition: (uri, offset) => definitionAt(snapshot, uri, offset),
    references: (uri, offset, wanted) => referencesAt(snapshot, uri, offset, wanted),
    renamable: (uri, offset) => renamable(snapshot, uri, offset),
    rename: (uri, offset, newName) => rename(snapshot, uri, offset, newName),
    documentLinks: uri => documentLinksOf(snapshot, uri),
    preview: at => previewOf(snapshot, kube, placements, at),
  };
}

const isSkipped = (file: ManifestFile, settings: Settings): boolean =>
  (settings.foreignFiles === 'skip' || file.format === 'json') && !looksLikeKubernetes(file.text);

const looksLikeKubernetes = (text: string): boolean => /^[\s{[,-]*["']?(?:apiVersion|kind)["']?\s*:/m.test(text);
