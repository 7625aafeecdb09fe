import type { UnknownObject } from '../../base/json';
import { lazy } from '../../base/lazy';
import type { ClusterIndex } from '../../cluster/sources/clusterIndex';
import type { ManifestFile } from '../../manifest/manifest';
import { NO_FINDINGS_CACHE, problemsOfFile, type RuleOptions } from '../../rules/engine/run';
import { withFields } from '../../rules/framework/fixes';
import type { Problem } from '../../rules/framework/problem';
import type { RuleContext } from '../../rules/framework/rule';
import { isKustomizationName } from '../../workspace/kustomize';
import { baseNameOf } from '../../workspace/paths';
import { EVERYTHING, type Read, recordingReads } from '../../workspace/reads';
import { asDeployed } from '../../workspace/view';
import type { Snapshot } from '../../workspace/workspace';
import { externalCluster } from '../clusters/externalCluster';
import { requestFor } from '../clusters/request';
import type { Settings } from '../configuration/settings';
import { type Placements, placementsOf } from '../placement/placements';
import { mayReadPolicyCodes } from '../policies/createPolicyEvaluation';
import type { KnownMutations } from '../policies/knownMutations';
import type { PolicyEvaluation } from '../policies/policyEvaluation';
import type { EnvironmentState } from '../state/environmentState';
import type { PathKinds } from '../state/pathKinds';
import type { PlacementMemory } from '../state/placementMemory';
import type { FoundInObject, FoundInObjects } from '../state/problemCache';
import { problemsOfSources } from '../state/renderings';
import type { AnalysisWorld } from '../state/world';
import { policyProblems } from './propertyRules';

/** What features ask about one environment. */
export interface EnvironmentAnalysis
  extends Pick<EnvironmentState, 'kube' | 'snapshot' | 'written' | 'environment' | 'cluster' | 'baseline'> {
  readonly settings: Settings;
  readonly placements: Placements;
  readonly diagnostics: (uri: string, pace?: Pace) => readonly Problem[];
  /** Forgets the problems of a file; asked again, they are found anew. */
  readonly release: (uri: string) => void;
}

/** quick: without what the scheduler says, which takes long. */
export type Pace = (typeof PACES)[number];

export const PACES = ['quick', 'whole'] as const;

export function environmentAnalysis(
  scene: EnvironmentState,
  world: AnalysisWorld,
  runs?: PolicyEvaluation,
): EnvironmentAnalysis {
  const { environment, kube, snapshot, cache, cluster, problemCache: memory } = scene;
  const { settings } = environment;
  const { severity, only, presets, suppressed } = settings;
  const policies = runs?.mutationsIn(scene);
  const placements = placementsIn(scene, { policies });
  const told = { ...(only && { only }), ...(suppressed && { suppressed }) };
  const options = { severity, presets, ...told, onBug: world.onBug, cache };
  const diagnosed = new Map<string, readonly Problem[]>();
  const sourcesAt = (pace: Pace) => problemsOfSources(scene, uri => own.diagnostics(uri, pace));
  const ofSources = { quick: sourcesAt('quick'), whole: sourcesAt('whole') };
  const at = { quick: lazy(() => contextOf(scene, snapshot)), whole: lazy(() => wholeContext()) };
  const own: EnvironmentAnalysis = {
    kube,
    snapshot,
    written: scene.written,
    environment,
    settings,
    placements,
    cluster,
    baseline: scene.baseline,
    diagnostics(uri, wanted = 'whole') {
      const pace = placements.knowsNodes(uri) ? wanted : 'quick';
      const known = diagnosed.get(`${pace} ${uri}`);
      if (known) return known;
      const file = snapshot.files.get(uri);
      if (!file || isSkipped(file, settings)) return [];
      const ofPolicies = [
        ...policyProblems(scene, settings, uri),
        ...(runs?.problemsOf(scene, uri) ?? []),
        ...ofSources[pace](file),
      ];
      const silencesPolicies = runs !== undefined && mayReadPolicyCodes(file.text);
      const isKept = ofPolicies.length === 0 && !isKustomizationName(uri) && !silencesPolicies && !isOther(pace);
      const kept = isKept ? memory.problemsOf(`${pace} ${uri}`) : undefined;
      const isOpen = (code: string): boolean => runs?.isPending(scene, code) === true;
      const found =
        kept ??
        diagnose(file, pace, {
          ...options,
          policyProblems: ofPolicies,
          ...(silencesPolicies && { isPending: isOpen }),
        });
      diagnosed.set(`${pace} ${uri}`, found);
      return found;
    },
    release(uri) {
      for (const pace of PACES) {
        diagnosed.delete(`${pace} ${uri}`);
        memory.release(`${pace} ${uri}`);
      }
    },
  };
  return own;

  function wholeContext(): RuleContext {
    return { ...contextOf(scene, snapshot), placement: it => placements.facts(it) };
  }

  /** Whether what is placed hangs on what policies change, too. */
  function isOther(pace: Pace): boolean {
    return pace === 'whole' && policies !== undefined;
  }

  function ofAsked(all: readonly Problem[]): readonly Problem[] {
    return only === undefined ? all : all.filter(it => only.includes(it.category));
  }

  function diagnose(file: ManifestFile, pace: Pace, given: RuleOptions): readonly Problem[] {
    if (world.problems === 'once') {
      const isAlone = scene.visiblePart === asDeployed;
      const once = isAlone ? { ...given, cache: { ...cache, found: NO_FINDINGS_CACHE } } : given;
      return ofAsked(problemsOfFile(file, snapshot.objectsIn(file.uri), at[pace](), once));
    }
    const key = `${pace} ${file.uri}`;
    const notes = createNotes();
    const objects = objectsRemembered(memory.objectsOf(key), notes);
    const context = contextNoting(scene, pace === 'whole' ? placements : undefined, notes.note);
    const options = { ...given, remember: objects.remember };
    const problems = ofAsked(problemsOfFile(file, snapshot.objectsIn(file.uri), context, options));
    // What policies and renderings say may change though no file does.
    const isOfFiles = given.policyProblems?.length === 0 && given.isPending === undefined && !isOther(pace);
    const hangsOn = isOfFiles ? 'reads' : 'more';
    memory.keep(key, { uri: file.uri, problems, reads: notes.end(), dependsOn: hangsOn }, objects.found);
    return problems;
  }
}

interface Notes {
  readonly note: (read: Read) => void;
  /** What is done, with what is read meanwhile. */
  readonly readsOf: <T>(work: () => T) => { readonly value: T; readonly reads: readonly Read[] };
  /** All that was read. What is read later, for a fix, is noted no more. */
  readonly end: () => ReadonlySet<Read>;
}

/** Notes what is read, all of it in one set. Problems keep `note`, so that after the end nothing may be in its reach. */
function createNotes(): Notes {
  // Nodes anywhere may give the file a scheduler to ask.
  let all: Set<Read> | undefined = new Set(['kinds /Node']);
  let own: Set<Read> | undefined;
  return {
    note(read) {
      all?.add(read);
      own?.add(read);
    },
    end() {
      const noted = all ?? new Set();
      all = undefined;
      return noted;
    },
    readsOf(work) {
      own = new Set();
      const value = work();
      const reads = [...own];
      own = undefined;
      return { value, reads };
    },
  };
}

interface ObjectsRemembered {
  readonly found: FoundInObjects;
  readonly remember: NonNullable<RuleOptions['reuse']>;
}

/** Finds anew only what is not known of single objects. */
function objectsRemembered(known: FoundInObjects, { note, readsOf }: Notes): ObjectsRemembered {
  const found = new Map<object, FoundInObject>();
  return {
    found,
    remember({ manifest: { contentId } }, { find, move }) {
      const before = known.get(contentId);
      const moved = before && move(before.findings);
      for (const it of moved ? before.reads : []) note(it);
      const { value: told, reads } = moved ? { value: moved, reads: before.reads } : readsOf(find);
      found.set(contentId, { findings: told, reads });
      return told;
    },
  };
}

/**
 * What rules see of an environment; `note` is told of what they look at. Problems keep it for their fixes, so that nothing in
 * it may hold a state: each function of it is made where no more is in reach than it needs.
 */
function contextNoting(
  scene: EnvironmentState,
  placements: Placements | undefined,
  note: (read: Read) => void,
): RuleContext {
  const { problemCache: memory, visiblePart: view } = scene;
  return {
    ...contextOf(scene, view(recordingReads(memory.newest, note))),
    ...(placements && { placement: factsNoting(placements, note) }),
  };
}

function contextOf(
  { environment, kube, cluster, pathKinds: places }: EnvironmentState,
  snapshot: Snapshot,
): RuleContext {
  const { podSecurity } = environment.settings;
  return {
    kube,
    snapshot,
    pathKind: lookingIn(places),
    ...(cluster && inCluster(cluster)),
    ...(podSecurity && { podSecurity }),
  };
}

const lookingIn =
  (places: PathKinds): NonNullable<RuleContext['pathKind']> =>
  uri =>
    places.get(uri);

const factsNoting =
  (placements: Placements, note: (read: Read) => void): NonNullable<RuleContext['placement']> =>
  object => {
    // Any object may matter to the scheduler.
    note(EVERYTHING);
    return placements.facts(object);
  };

export interface PlacedWith {
  /** In place of the environment's own cluster. */
  readonly other?: { readonly source: string; readonly known: ClusterIndex } | undefined;
  /** What is known of its mutating policies. */
  readonly policies?: KnownMutations | undefined;
}

/** What is placed in an environment, on its own cluster or on one from another source. */
export function placementsIn(scene: EnvironmentState, { other, policies }: PlacedWith = {}): Placements {
  const { environment, kube, snapshot, placementMemory: placed, cluster } = scene;
  const options = {
    extent: environment.origin === 'declared' ? ('whole' as const) : ('folders' as const),
    schedulerConfiguration: configurationIn(scene.schedulerConfig),
    policies,
  };
  if (other === undefined) {
    const outside = environment.cluster && cluster && externalCluster(environment.cluster, cluster);
    return placementsOf(snapshot, kube, environment.settings, placed, outside, options);
  }
  const { source, known } = other;
  const wish = requestFor(source, '', 'settings');
  const settings = { ...environment.settings, cluster: source };
  const memoryOf: PlacementMemory = root => placed(`${source} ${root}`);
  return placementsOf(snapshot, kube, settings, memoryOf, wish && externalCluster(wish, known), options);
}

function configurationIn(file: ManifestFile | undefined): UnknownObject | undefined {
  const objects = file?.documents.flatMap(it => it.objects.map(object => object.value as UnknownObject));
  return objects?.find(it => it.kind === 'KubeSchedulerConfiguration');
}

/** What rules may ask about the chosen cluster. */
function inCluster({ has, isListed, namesOf, objectsOf }: ClusterIndex): Partial<RuleContext> {
  return { isInCluster: has, isListedInCluster: isListed, clusterNames: namesOf, clusterObjects: objectsOf };
}

const isSkipped = (file: ManifestFile, settings: Settings): boolean =>
  (settings.foreignFiles === 'skip' || file.format === 'json') &&
  !isKustomizationName(file.uri) &&
  baseNameOf(file.uri) !== 'Chart.yaml' &&
  !looksLikeKubernetes(file.text);

const looksLikeKubernetes = (text: string): boolean => /^[\s{[,-]*["']?(?:apiVersion|kind)["']?\s*:/m.test(text);

/**
 * The problems of a file in all environments that it belongs to, each told once. Where berth.yaml lists environments, a
 * problem of one of them counts, and says which; where Berth only guesses at them, a problem must be one in all.
 */
export function problemsInAll(
  scenes: readonly EnvironmentAnalysis[],
  uri: string,
  pace: Pace = 'whole',
): readonly Problem[] {
  const [first, ...others] = scenes;
  if (first === undefined) return [];
  const isDeclared = first.environment.origin === 'declared';
  if (!isDeclared)
    return others.reduce(
      (found, it) => (found.length === 0 ? found : inBoth(found, it.diagnostics(uri, pace))),
      first.diagnostics(uri, pace),
    );
  const told = new Map<string, { readonly problem: Problem; readonly environments: string[] }>();
  for (const { environment, diagnostics } of scenes) {
    for (const problem of diagnostics(uri, pace)) {
      const known = told.get(keyOf(problem)) ?? { problem, environments: [] };
      told.set(keyOf(problem), known);
      known.environments.push(environment.name ?? '');
    }
  }
  const all = [...told.values()].map(({ problem, environments }) => {
    const { message } = problem;
    const where = `in the environment${environments.length === 1 ? '' : 's'} ${environments.join(', ')}`;
    return withFields(problem, {
      environments,
      message: environments.length === scenes.length ? message : `${message} (${where})`,
    });
  });
  return all.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

function inBoth(found: readonly Problem[], others: readonly Problem[]): readonly Problem[] {
  const there = new Set(others.map(keyOf));
  return found.filter(it => there.has(keyOf(it)));
}

function keyOf({ code, span, message }: Problem): string {
  return `${code} ${span.start} ${span.end} ${message}`;
}
