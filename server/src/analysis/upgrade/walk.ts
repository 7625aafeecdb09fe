import { iterateToEnd } from '../../base/asyncIterables';
import { createSharedTexts, type SharedTexts } from '../../base/sharedTexts';
import type { Kube } from '../../kube/kube';
import { knownVersion, supportedMinors, versionText } from '../../kube/version';
import { textWithoutNames } from '../../rules/engine/textWithoutNames';
import type { Category, Problem } from '../../rules/framework/problem';
import { GATE_CONFIGURATIONS } from '../../rules/reading/componentGates';
import type { WorkspaceObject } from '../../workspace/object';
import type { Rendering } from '../../workspace/rendered/render';
import { type AnalysisContext, analysisContext } from '../diagnostics/analysisContext';
import { createStateWorks } from '../diagnostics/environmentAnalysis';
import { admissionIn } from '../diagnostics/policyAdmission';
import { shownProblems } from '../diagnostics/shown';
import { createExplorations } from '../exploring/explorations';
import { type WorkspaceFacts, workspaceFacts } from '../features/workspaceFacts';
import { createPolicyEvaluation } from '../policies/createPolicyEvaluation';
import type { PolicyEvaluation } from '../policies/policyEvaluation';
import { applyChange } from '../state/applyChange';
import type { PolicyTexts } from '../state/policyTexts';
import type { WorkspaceState } from '../state/workspaceState';
import type { AnalysisWorld } from '../state/world';
import { createSystemChecks } from '../systems/systemChecks';
import { appliedChanges, appliedChangesIn } from './appliedChanges';
import { type UpgradeChange, type UpgradeReport, URGENCIES } from './change';
import { defaultChanges, type Facts } from './defaultChanges';
import { gateChangesIn, gateChangesOf } from './gateChanges';
import { helmReleaseNote } from './helmReleases';
import { type PlacedPods, placedPods, placementChanges, withPlacements } from './placementChanges';
import { type ProblemsOfStep, problemChanges, problemsByPlace } from './problemChanges';

export interface UpgradeRequest {
  /** The versions to walk, as `upgradeVersions` gives them. */
  readonly versions: readonly string[];
  /** The files to speak of. */
  readonly uris: readonly string[];
  /** Only changes of these categories; absent: all. */
  readonly only?: readonly Category[];
  /** What kustomizations and charts are rendered to under a version; absent: what is known stays. */
  readonly rendered?: (analysis: StepToRender) => Promise<readonly Rendering[]>;
}

/** What is to be rendered under one version. */
export type StepToRender = Pick<WorkspaceFacts, 'renderJobs' | 'capabilities'>;

/** What the walk starts from. */
export interface UpgradeStart {
  readonly state: WorkspaceState;
  readonly texts: PolicyTexts;
  readonly world: AnalysisWorld;
}

/** What is compared of the workspace under one version. It does not hold the state that this was computed from. */
interface Step extends ProblemsOfStep, PlacedPods {
  /** The facts of the environments of each file, and of all environments. */
  readonly kubesOf: ReadonlyMap<string, readonly Kube[]>;
  readonly kubes: readonly Kube[];
}

/**
 * All versions from one to another: the two as they are written, and each minor between. Undefined if one is not known, or
 * the second is not later.
 */
export function upgradeVersions(from: string, to: string): readonly string[] | undefined {
  const [first, last] = [knownVersion(from), knownVersion(to)];
  if (first === undefined || last === undefined) return undefined;
  const [start, end] = [supportedMinors.indexOf(first.minor), supportedMinors.indexOf(last.minor)];
  const isLater =
    start < end || (start === end && (first.patch ?? 0) < (last.patch ?? Number.POSITIVE_INFINITY) && from !== to);
  if (!isLater) return undefined;
  return [versionText(first), ...supportedMinors.slice(start + 1, end), versionText(last)];
}

/** Policies may change what is placed. */
const arePoliciesWanted = ({ only }: UpgradeRequest): boolean =>
  only === undefined || only.includes('policy') || only.includes('placement');

/** Whether policies change what is placed. Only then they are asked under the versions between, too. */
const mutates = ({ evaluation, state }: AnalysisContext): boolean =>
  state.environmentStates().some(it => evaluation?.mutationsIn(it) !== undefined);

/** What an upgrade changes for some files: the same files under each version, and how these differ. */
export async function upgradeOf(start: UpgradeStart, request: UpgradeRequest): Promise<UpgradeReport> {
  const { versions, uris, only } = request;
  const evaluation = evaluationFor(start, request);
  const from = versions[0] ?? '';
  const first = await contextAt(start, request, from, evaluation);
  const isAlwaysAsked = mutates(first);
  const steps = [stepOf(first, from, uris)];
  for (const [index, version] of versions.entries()) {
    if (index === 0) continue;
    const areAsked = isAlwaysAsked || index === versions.length - 1;
    const context = await contextAt(start, request, version, areAsked ? evaluation : undefined);
    steps.push(stepOf(context, version, uris, steps[0]?.pods));
  }
  const unchanged: UnchangedTexts = new Map();
  const { changes: ofProblems, stillRefused } = problemChanges(steps);
  const changes = [
    ...withPlacements(ofProblems, placementChanges(steps)),
    ...uris.flatMap(uri => objectChanges(uri, first, steps, unchanged)),
    ...settingChanges(first, steps),
  ];
  const wanted = only === undefined ? changes : changes.filter(it => only.includes(it.problem.category));
  const note = helmReleaseNote(first.state.environmentStates());
  return { versions, changes: sorted(wanted), stillRefused, notes: note === undefined ? [] : [note] };
}

/** What evaluates policies under all versions, so that an engine loads once what they share; absent: nobody asks. */
function evaluationFor({ state, world }: UpgradeStart, request: UpgradeRequest): PolicyEvaluation | undefined {
  const { onBug, policyEngine } = world;
  const { only } = state.settings;
  const areWanted = only === undefined || only.includes('policy') || only.includes('placement');
  if (policyEngine === undefined || !areWanted || !arePoliciesWanted(request)) return undefined;
  return createPolicyEvaluation(policyEngine, { onBug, onQuestion: () => undefined });
}

async function contextAt(
  { state: before, texts, world }: UpgradeStart,
  { rendered }: UpgradeRequest,
  version: string,
  evaluation: PolicyEvaluation | undefined,
): Promise<AnalysisContext> {
  const above: WorkspaceState['above'] = it => ({ ...before.above(it), kubernetesVersion: version });
  const unrendered = applyChange(before, { above }, world);
  const renderings = await rendered?.(workspaceFacts(contextOf(unrendered, texts, world)));
  const state = renderings === undefined ? unrendered : applyChange(unrendered, { rendered: renderings }, world);
  const environments = state.environmentStates();
  if (evaluation?.hasPolicies({ environments, texts })) {
    await iterateToEnd(evaluation.run({ environments, texts, first: [], admission: admissionIn(environments, []) }));
  }
  return contextOf(state, texts, world, evaluation);
}

function stepOf(context: AnalysisContext, version: string, uris: readonly string[], before?: PlacedPods['pods']): Step {
  const problems = uris
    .flatMap(it => context.problemsOf(it, 'whole'))
    .filter(it => it.suppressed === undefined && !isOfComponentGate(it));
  const shown = new Set(shownProblems(problems));
  return {
    version,
    problems: problemsByPlace(problems),
    hidden: new Set(problems.filter(it => !shown.has(it))),
    pods: podsIn(context, uris, before),
    kubesOf: new Map(uris.map(uri => [uri, context.environmentsOf(uri).map(it => it.kube)])),
    kubes: context.state.environmentStates().map(it => it.kube),
  };
}

/** `gateChangesIn` tells what becomes of the gates of components. */
const isOfComponentGate = ({ code, object }: Problem): boolean =>
  code === 'decode/unknown-gate' && GATE_CONFIGURATIONS.includes(object?.kind ?? '');

const contextOf = (
  state: WorkspaceState,
  texts: PolicyTexts,
  world: AnalysisWorld,
  evaluation?: PolicyEvaluation,
): AnalysisContext =>
  analysisContext(state, {
    world,
    texts,
    evaluation,
    systems: createSystemChecks(),
    explorations: createExplorations(() => []),
    works: createStateWorks(),
  });

function podsIn(
  { state, environmentsOf }: AnalysisContext,
  uris: readonly string[],
  before: PlacedPods['pods'] | undefined,
): PlacedPods['pods'] {
  const environments = new Set(uris.flatMap(environmentsOf));
  const several = state.environmentStates().length > 1;
  return new Map(
    [...environments].flatMap(it => {
      const keyOf = (pod: string): string => (several ? `${it.environment.name ?? it.environment.id} ${pod}` : pod);
      const placed = placedPods(it, uris, pod => before?.get(keyOf(pod))?.place.node);
      return [...placed].map(([pod, one]) => [keyOf(pod), one] as const);
    }),
  );
}

/** What becomes of the objects of a file beside its problems; once for environments that agree. */
function objectChanges(
  uri: string,
  first: AnalysisContext,
  steps: readonly Step[],
  unchanged: UnchangedTexts,
): readonly UpgradeChange[] {
  const found = first.environmentsOf(uri).flatMap(({ kube, snapshot }, index) => {
    const walk = steps.map(({ version, kubesOf }): Facts => ({ version, kube: kubesOf.get(uri)?.[index] ?? kube }));
    const text = snapshot.files.get(uri)?.text;
    return snapshot.objectsIn(uri).flatMap(it => guarded({ object: it, text }, walk, unchanged, first.world));
  });
  return distinct(found);
}

/** By the facts of the last version: texts without names of objects for which nothing changes. Workloads are often alike. */
type UnchangedTexts = Map<Kube, SharedTexts<'unchanged'>>;

function guarded(
  { object, text: file }: { readonly object: WorkspaceObject; readonly text: string | undefined },
  walk: readonly Facts[],
  unchanged: UnchangedTexts,
  world: AnalysisWorld,
): readonly UpgradeChange[] {
  const { apiVersion, kind, manifest } = object;
  const target = { object, value: manifest.value, kind: walk[0]?.kube.kindOf(apiVersion, kind) };
  const text = textWithoutNames(target)?.text;
  const last = walk.at(-1)?.kube;
  const known = last && (unchanged.get(last) ?? createSharedTexts());
  if (text !== undefined && known?.get(text) === 'unchanged') return [];
  if (last && known) unchanged.set(last, known);
  try {
    const changes = [
      ...defaultChanges(object, walk),
      ...gateChangesIn(object, walk, file),
      ...appliedChangesIn(object, walk),
    ];
    if (text !== undefined && changes.length === 0) known?.set(text, 'unchanged');
    return changes;
  } catch (error) {
    world.onBug('upgrade', error);
    return [];
  }
}

/** Gates that settings choose, and objects of the chosen cluster. */
function settingChanges(first: AnalysisContext, steps: readonly Step[]): readonly UpgradeChange[] {
  const found = first.state.environmentStates().flatMap((state, index) => {
    const { environment } = state;
    const walk = steps.flatMap(({ version, kubes }): readonly Facts[] => {
      const kube = kubes[index];
      return kube === undefined ? [] : [{ version, kube }];
    });
    const [configuration] = first.configurations;
    const gates = gateChangesOf(environment.settings.featureGates, configuration?.uri ?? SETTINGS, walk);
    return [...gates, ...appliedChanges(state, walk)];
  });
  return distinct(found);
}

/** In place of a path, where no file sets the gates. */
const SETTINGS = 'settings';

function distinct(changes: readonly UpgradeChange[]): readonly UpgradeChange[] {
  const keyOf = ({ problem: { uri, document, item, code, fieldPath, message } }: UpgradeChange): string =>
    `${uri} ${document} ${item} ${code} ${fieldPath} ${message}`;
  return [...new Map(changes.map(it => [keyOf(it), it])).values()];
}

function sorted(changes: readonly UpgradeChange[]): readonly UpgradeChange[] {
  const placeOf = ({ problem: { uri, span } }: UpgradeChange): readonly [string, number] => [uri, span.start];
  return [...changes].sort((a, b) => {
    const byUrgency = URGENCIES.indexOf(a.urgency) - URGENCIES.indexOf(b.urgency);
    if (byUrgency !== 0) return byUrgency;
    const [[left, from], [right, to]] = [placeOf(a), placeOf(b)];
    return left === right ? from - to : left < right ? -1 : 1;
  });
}
