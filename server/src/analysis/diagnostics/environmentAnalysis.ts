import type { UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import { lazy } from '../../base/lazy';
import { grouped } from '../../base/multiMap';
import { runToEnd, type Steps } from '../../base/steps';
import type { ClusterIndex } from '../../cluster/sources/clusterIndex';
import type { Kube } from '../../kube/kube';
import type { ManifestFile } from '../../manifest/manifest';
import { NO_FINDINGS_CACHE } from '../../rules/engine/ruleCache';
import type { FindOrMove, RuleOptions } from '../../rules/engine/ruleOptions';
import { problemsOfFile, problemsOfFileInSteps } from '../../rules/engine/run';
import { withFields } from '../../rules/framework/fixes';
import { allOverlays, exactKeyOf, overlayWords, sameKeyOf } from '../../rules/framework/overlays';
import type { Problem } from '../../rules/framework/problem';
import type { RuleContext } from '../../rules/framework/rule';
import { isKustomizationName } from '../../workspace/kustomize';
import type { WorkspaceObject } from '../../workspace/object';
import { baseNameOf } from '../../workspace/paths';
import { EVERYTHING, type Read, recordingReads, schemaRead } from '../../workspace/reads';
import { asDeployed } from '../../workspace/view';
import type { Snapshot } from '../../workspace/workspace';
import { externalCluster } from '../clusters/externalCluster';
import { requestFor } from '../clusters/request';

import type { Settings } from '../configuration/settings';
import type { Explorations } from '../exploring/explorations';
import { type Placements, placementsOf } from '../placement/placements';
import { mayReadPolicyCodes } from '../policies/createPolicyEvaluation';
import type { KnownMutations } from '../policies/knownMutations';
import type { PolicyEvaluation } from '../policies/policyEvaluation';
import type { EnvironmentState } from '../state/environmentState';
import type { PathKinds } from '../state/pathKinds';
import type { PlacementMemory } from '../state/placementMemory';
import { type FoundInObject, type FoundInObjects, problemKey } from '../state/problemCache';
import { problemsOfSources } from '../state/renderings';
import type { AnalysisWorld } from '../state/world';
import { policyProblems } from './propertyRules';

/** Lazy computations about one environment, for features. */
export interface EnvironmentAnalysis
  extends Pick<EnvironmentState, 'kube' | 'snapshot' | 'written' | 'environment' | 'cluster' | 'baseline'> {
  readonly settings: Settings;
  readonly placements: Placements;
  readonly diagnostics: (uri: string, pace?: Pace) => readonly Problem[];
  readonly diagnosticsInSteps: (uri: string, pace: Pace) => Steps<readonly Problem[]>;
  /** The problems in a file that what is rendered from it has, and that it cannot be rendered. */
  readonly problemsRendered: (uri: string, pace: Pace) => readonly Problem[];
  /** Frees the problems of a file. The next request computes them again. */
  readonly release: (uri: string) => void;
}

/** quick: without rules that need a scheduler run, which is slow. */
export type Pace = (typeof PACES)[number];

export const PACES = ['quick', 'whole'] as const;

export function environmentAnalysis(
  state: EnvironmentState,
  world: AnalysisWorld,
  works: StateWorks,
  evaluation?: PolicyEvaluation,
  explorations?: Explorations,
): EnvironmentAnalysis {
  const { environment, documented, snapshot, cache, cluster, problemCache } = state;
  const { settings } = environment;
  const { severity, only, presets, suppressed } = settings;
  const policies = evaluation?.mutationsIn(state);
  const { placements, found: foundBefore } = works(state, policies);
  const reporting = { ...(only && { only }), ...(suppressed && { suppressed }) };
  const options = { severity, presets, ...reporting, onBug: world.onBug, cache };
  const cachedProblems = new Map<string, readonly Problem[]>();
  /** Whoever asks goes on with the same steps. */
  const underWay = new Map<string, Steps<readonly Problem[]>>();
  // A base of many overlays has problems in each of their environments, of which one command tells what all share.
  const isAskedAgain = world.problems !== 'once' || snapshot.roles.rendered.size > 0;
  const sourcesAt = (pace: Pace) => problemsOfSources(state, uri => own.diagnostics(uri, pace));
  const ofSources = { quick: sourcesAt('quick'), whole: sourcesAt('whole') };
  const at = { quick: lazy(() => contextOf(state, snapshot)), whole: lazy(() => wholeContext()) };
  const own: EnvironmentAnalysis = {
    kube: documented,
    snapshot,
    written: state.written,
    environment,
    settings,
    placements,
    cluster,
    baseline: state.baseline,
    diagnostics: (uri, wanted = 'whole') => runToEnd(own.diagnosticsInSteps(uri, wanted)),
    *diagnosticsInSteps(uri, wanted) {
      const pace = paceOf(uri, wanted);
      const key = `${pace} ${uri}`;
      for (let cached = cachedProblems.get(key); ; cached = cachedProblems.get(key)) {
        if (cached) return cached;
        const steps = underWay.get(key) ?? find(uri, pace);
        // After an exception the next question begins anew.
        underWay.delete(key);
        const step = steps.next();
        if (step.done) return step.value;
        underWay.set(key, steps);
        yield;
      }
    },
    problemsRendered(uri, wanted) {
      const file = snapshot.files.get(uri);
      return file === undefined || isSkipped(file, settings) ? [] : ofSources[paceOf(uri, wanted)](file);
    },
    release(uri) {
      for (const pace of PACES) {
        cachedProblems.delete(`${pace} ${uri}`);
        underWay.delete(`${pace} ${uri}`);
        problemCache.release(problemKey(environment.id, pace, uri));
        foundBefore.delete(`${pace} ${uri}`);
      }
    },
  };
  return own;

  function paceOf(uri: string, wanted: Pace): Pace {
    return placements.knowsNodes(uri) ? wanted : 'quick';
  }

  function* find(uri: string, pace: Pace): Steps<readonly Problem[]> {
    const file = snapshot.files.get(uri);
    if (!file || isSkipped(file, settings)) return [];
    const ofPolicies = [
      ...policyProblems(state, settings, uri),
      ...(evaluation?.problemsOf(state, uri) ?? []),
      ...ofSources[pace](file),
      ...(pace === 'whole' ? explored(uri) : []),
    ];
    const suppressesPolicies = evaluation !== undefined && mayReadPolicyCodes(file.text);
    const isCacheable =
      ofPolicies.length === 0 && !isKustomizationName(uri) && !suppressesPolicies && !dependsOnMutations(pace);
    const kept = isCacheable ? problemCache.problemsOf(problemKey(environment.id, pace, uri)) : undefined;
    const isPending = (code: string): boolean => evaluation?.isPending(state, uri, code) === true;
    const found =
      kept ??
      (yield* diagnose(file, pace, {
        ...options,
        policyProblems: ofPolicies,
        ...(suppressesPolicies && { isPending }),
      }));
    if (isAskedAgain) cachedProblems.set(`${pace} ${uri}`, found);
    return found;
  }

  /** What an exploration found that was asked for. */
  function explored(uri: string): readonly Problem[] {
    const found = explorations?.known(() => placements.of(uri));
    if (explorations === undefined || found === undefined) return [];
    const { counts } = placements.of(uri);
    return explorations
      .placed(found, { snapshot, counts })
      .map(it => it.problem)
      .filter(it => it.uri === uri);
  }

  function wholeContext(): RuleContext {
    return { ...contextOf(state, snapshot), placement: it => placements.facts(it) };
  }

  /** Whether placements depend on mutating policies. */
  function dependsOnMutations(pace: Pace): boolean {
    return pace === 'whole' && policies !== undefined;
  }

  function ofCategories(all: readonly Problem[]): readonly Problem[] {
    return only === undefined ? all : all.filter(it => only.includes(it.category));
  }

  function* diagnose(file: ManifestFile, pace: Pace, given: RuleOptions): Steps<readonly Problem[]> {
    if (world.problems === 'once') {
      const isAlone = state.visiblePart === asDeployed;
      const once = isAlone ? { ...given, cache: { ...cache, found: NO_FINDINGS_CACHE } } : given;
      return ofCategories(problemsOfFile(file, snapshot.objectsIn(file.uri), at[pace](), once));
    }
    const key = `${pace} ${file.uri}`;
    const notes = createNotes();
    const known = foundBefore.get(key) ?? new Map<object, FoundInObject>();
    foundBefore.set(key, known);
    const context = contextNoting(state, pace === 'whole' ? placements : undefined, notes.note);
    const keptAs = problemKey(environment.id, pace, file.uri);
    const objects = problemCache.objectsOf(file.uri, keptAs);
    const options: RuleOptions = { ...given, reuse: reusing(known, objects, state.kube, notes) };
    const problems = ofCategories(yield* problemsOfFileInSteps(file, snapshot.objectsIn(file.uri), context, options));
    // Results of policies and renderings may change without a change of files.
    const isChanging = dependsOnMutations(pace);
    const isOfFiles = given.policyProblems?.length === 0 && given.isPending === undefined && !isChanging;
    const dependsOn = isOfFiles ? 'reads' : 'more';
    const found = isChanging ? withoutPlaced(known) : known;
    problemCache.keep(keptAs, { uri: file.uri, problems, reads: notes.end(), dependsOn }, found);
    return problems;
  }
}

interface Notes {
  readonly note: (read: Read) => void;
  /** The result of some work, with the reads that it made. */
  readonly readsOf: <T>(work: Steps<T>) => Steps<{ readonly value: T; readonly reads: readonly Read[] }>;
  /** All reads. Later reads, for a fix, are not recorded. */
  readonly end: () => ReadonlySet<Read>;
}

/** Records reads in one set. Problems keep `note`, so that it must not reference anything after `end`. */
function createNotes(): Notes {
  // New Nodes anywhere may enable placement for the file.
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
    *readsOf(work) {
      own = new Set();
      const value = yield* work;
      const reads = [...own];
      own = undefined;
      return { value, reads };
    },
  };
}

/** Without what was found while rules asked for a placement, which follows answers of policies that may still come. */
const withoutPlaced = (found: FoundInObjects): FoundInObjects =>
  new Map([...found].filter(([, it]) => !it.reads.includes(EVERYTHING)));

/** Computes findings only for objects without cached ones. `found`: those in this state of the files, which it adds to. */
function reusing(
  found: Map<object, FoundInObject>,
  cached: FoundInObjects,
  kube: Kube,
  { note, readsOf }: Notes,
): NonNullable<RuleOptions['reuse']> {
  return function* (object, { find, move }) {
    const here = found.get(object.manifest.contentId);
    const before = here?.findings.object === object ? here : cached.get(object.manifest.contentId);
    const moved = before && move(before.findings);
    for (const it of moved ? before.reads : []) note(it);
    const entry = moved ? { value: moved, reads: before.reads } : yield* readsOf(findNoting(object, find));
    found.set(object.manifest.contentId, { findings: entry.value, reads: entry.reads });
    return entry.value;
  };

  function* findNoting(object: WorkspaceObject, find: FindOrMove['find']): ReturnType<FindOrMove['find']> {
    if (kube.kindOf(object.apiVersion, object.kind)?.origin === 'crd') note(schemaRead(kindKey(object)));
    return yield* find();
  }
}

const kindKey = ({ group, kind }: WorkspaceObject): string => `${group}/${kind}`;

/**
 * The context of rules that records their reads with `note`. Problems keep it for their fixes, so that it must not keep a
 * workspace state alive: each of its functions is created in a scope with only what it needs.
 */
function contextNoting(
  state: EnvironmentState,
  placements: Placements | undefined,
  note: (read: Read) => void,
): RuleContext {
  const { problemCache, visiblePart } = state;
  return {
    ...contextOf(state, visiblePart(recordingReads(problemCache.newest, note))),
    ...(placements && { placement: factsNoting(placements, note) }),
  };
}

function contextOf({ environment, kube, cluster, pathKinds }: EnvironmentState, snapshot: Snapshot): RuleContext {
  const { podSecurity, nodePorts } = environment.settings;
  return {
    kube,
    snapshot,
    pathKind: pathKindIn(pathKinds),
    ...(cluster && inCluster(cluster)),
    ...(podSecurity && { podSecurity }),
    ...(nodePorts && { nodePorts }),
  };
}

const pathKindIn =
  (pathKinds: PathKinds): NonNullable<RuleContext['pathKind']> =>
  uri =>
    pathKinds.get(uri);

const factsNoting =
  (placements: Placements, note: (read: Read) => void): NonNullable<RuleContext['placement']> =>
  object => {
    // Placement may depend on any object.
    note(EVERYTHING);
    return placements.facts(object);
  };

export interface PlacedWith {
  /** Replaces the environment's own cluster. */
  readonly other?: { readonly source: string; readonly known: ClusterIndex } | undefined;
  /** Answers so far of its mutating policies. */
  readonly policies?: KnownMutations | undefined;
}

/** What is computed of an environment in a state of its files, from the answers of its mutating policies so far. */
export interface StateWork {
  readonly placements: Placements;
  /** What rules found in single objects, by pace and file. */
  readonly found: Map<string, Map<object, FoundInObject>>;
}

export type StateWorks = (state: EnvironmentState, policies: KnownMutations | undefined) => StateWork;

/**
 * Results of policies make a new analysis of the same files. Where none of them changes a Pod, placing and checking go on where
 * they were in the last one.
 */
export function createStateWorks(): StateWorks {
  const kept = new WeakMap<EnvironmentState, StateWork & { readonly policies: KnownMutations | undefined }>();
  return (state, policies) => {
    const last = kept.get(state);
    if (last !== undefined && last.policies === policies) return last;
    // Without a placement rules find the same whatever policies change.
    const found = new Map([...(last?.found ?? [])].filter(([key]) => key.startsWith('quick ')));
    const work = { policies, placements: placementsIn(state, { policies }), found };
    kept.set(state, work);
    return work;
  };
}

/** The placements of an environment, on its own cluster or on one from another source. */
export function placementsIn(state: EnvironmentState, { other, policies }: PlacedWith = {}): Placements {
  const { environment, kube, snapshot, placementMemory, readingMemory, cluster } = state;
  const options = {
    readingMemory,
    extent: environment.origin === 'declared' ? ('whole' as const) : ('folders' as const),
    schedulerConfiguration: configurationIn(state.schedulerConfig),
    policies,
  };
  if (other === undefined) {
    const outside = environment.cluster && cluster && externalCluster(environment.cluster, cluster);
    return placementsOf(snapshot, kube, environment.settings, placementMemory, outside, options);
  }
  const { source, known } = other;
  const request = requestFor(source, '', 'settings');
  const settings = { ...environment.settings, cluster: source };
  const memoryOf: PlacementMemory = root => placementMemory(`${source} ${root}`);
  return placementsOf(snapshot, kube, settings, memoryOf, request && externalCluster(request, known), options);
}

function configurationIn(file: ManifestFile | undefined): UnknownObject | undefined {
  const objects = file?.documents.flatMap(it => it.objects.map(object => object.value as UnknownObject));
  return objects?.find(it => it.kind === 'KubeSchedulerConfiguration');
}

/** Facts about the chosen cluster, for rules. */
function inCluster({ content, has, isListed, namesOf, objectsOf }: ClusterIndex): Partial<RuleContext> {
  const { kubernetesVersion: clusterVersion } = content;
  return {
    isInCluster: has,
    isListedInCluster: isListed,
    clusterNames: namesOf,
    clusterObjects: objectsOf,
    ...(clusterVersion !== undefined && { clusterVersion }),
  };
}

const isSkipped = (file: ManifestFile, settings: Settings): boolean =>
  (settings.foreignFiles === 'skip' || file.format === 'json') &&
  !isKustomizationName(file.uri) &&
  baseNameOf(file.uri) !== 'Chart.yaml' &&
  !looksLikeKubernetes(file.text);

const looksLikeKubernetes = (text: string): boolean => /^[ \t{[,-]*["']?(?:apiVersion|kind)["']?[ \t]*:/m.test(text);

/**
 * The distinct problems of a file in all of its environments. A problem of a single declared environment counts and names
 * it. In guessed environments a problem counts only if all of them have it, or if what an overlay renders has it; of a value
 * that some of them replace, if the rest has it.
 */
export function* problemsInAll(
  analyses: readonly EnvironmentAnalysis[],
  uri: string,
  pace: Pace,
): Steps<readonly Problem[]> {
  const [first, ...others] = analyses;
  if (first === undefined) return [];
  const isDeclared = first.environment.origin === 'declared';
  if (!isDeclared && first.snapshot.roles.rendered.size === 0) {
    let found = yield* first.diagnosticsInSteps(uri, pace);
    for (const it of others) {
      if (found.length === 0) break;
      found = inBoth(found, yield* it.diagnosticsInSteps(uri, pace));
    }
    return found.some(isReplaced) ? found.filter(it => !isReplaced(it)) : found;
  }
  const distinct = new Map<string, InEnvironments>();
  for (const [i, { environment, diagnosticsInSteps, problemsRendered }] of analyses.entries()) {
    // What not all have so far counts only if it is rendered: of a hundred overlays most need no look at their base.
    const mayBeInAll = isDeclared || i === 0 || [...distinct.values()].some(it => isInAll(it, i));
    const rendered = mayBeInAll ? undefined : grouped(problemsRendered(uri, pace), sameKeyOf);
    const isKnown = rendered !== undefined && [...rendered.keys()].every(it => isOfOverlays(distinct.get(it)));
    const found = isKnown ? rendered : grouped(yield* diagnosticsInSteps(uri, pace), sameKeyOf);
    for (const [key, problems] of found) {
      const entry = distinct.get(key) ?? { problems: [], environments: [] };
      distinct.set(key, entry);
      const told = problems.filter(it => !isReplaced(it));
      for (const each of told) entry.problems.push(each);
      if (!isDeclared || told.length > 0) entry.environments.push(environment.name ?? '');
    }
  }
  const told = isDeclared ? ofDeclared : ofGuessed;
  const all = [...distinct.values()].flatMap(it => told(it, analyses.length));
  return all.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

/** A problem as each environment that has it tells it. */
interface InEnvironments {
  readonly problems: Problem[];
  readonly environments: string[];
}

const isInAll = (it: InEnvironments, count: number): boolean => it.environments.length === count && !isOfOverlays(it);

/** The key of a problem of overlays is none of another problem. */
const isOfOverlays = (it: InEnvironments | undefined): boolean => it?.problems[0]?.overlays !== undefined;

function ofDeclared({ problems: [problem], environments }: InEnvironments, count: number): readonly Problem[] {
  if (problem === undefined) return [];
  const all = environments.join(', ');
  const where = environments.length === 1 ? t`in the environment ${all}` : t`in the environments ${all}`;
  return [withFields(environments.length === count ? problem : said(problem, where), { environments })];
}

function ofGuessed({ problems, environments }: InEnvironments, count: number): readonly Problem[] {
  const [problem] = problems;
  const overlays = allOverlays(problems);
  if (problem === undefined || (environments.length < count && overlays === undefined)) return [];
  const where = overlays && overlayWords(overlays);
  return [where === undefined ? problem : withFields(said(problem, where), { ...(overlays && { overlays }) })];
}

/** The problem with a clause behind what it says. */
function said(problem: Problem, where: string): Problem {
  const { message, headline = message } = problem;
  return withFields(problem, { message: `${message} (${where})`, headline, where });
}

/** Those of some problems that others have, too; a value that only some environments replace is wrong in the rest. */
function inBoth(found: readonly Problem[], others: readonly Problem[]): readonly Problem[] {
  const there = new Map(others.map(it => [exactKeyOf(it), it]));
  return found.flatMap(it => {
    const other = there.get(exactKeyOf(it));
    if (other === undefined) return [];
    return [isReplaced(it) ? other : it];
  });
}

const isReplaced = (it: Problem): boolean => it.isReplaced === true;
