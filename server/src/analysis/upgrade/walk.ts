import { iterateToEnd } from '../../base/asyncIterables';
import type { Kube } from '../../kube/kube';
import { knownVersion, supportedMinors, versionText } from '../../kube/version';
import { type CleanTexts, createCleanTexts, textWithoutNames } from '../../rules/engine/textWithoutNames';
import type { Category } from '../../rules/framework/problem';
import type { WorkspaceObject } from '../../workspace/object';
import type { Rendering } from '../../workspace/rendered/render';
import { type AnalysisContext, analysisContext } from '../diagnostics/analysisContext';
import { admissionIn } from '../diagnostics/policyAdmission';
import { shownProblems } from '../diagnostics/shown';
import { type WorkspaceFacts, workspaceFacts } from '../features/workspaceFacts';
import { createPolicyEvaluation } from '../policies/createPolicyEvaluation';
import type { PolicyEvaluation } from '../policies/policyEvaluation';
import { applyChange } from '../state/applyChange';
import type { PolicyTexts } from '../state/policyTexts';
import type { WorkspaceState } from '../state/workspaceState';
import type { AnalysisWorld } from '../state/world';
import { createSystemChecks } from '../systems/systemChecks';
import { appliedChanges } from './appliedChanges';
import { type UpgradeChange, type UpgradeReport, URGENCIES } from './change';
import { defaultChanges, type Facts } from './defaultChanges';
import { gateChangesIn, gateChangesOf } from './gateChanges';
import { type PlacedPods, placedPods, placementChanges } from './placementChanges';
import { countStillRefused, keyedProblems, type ProblemsOfStep, problemChanges } from './problemChanges';

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

/** The workspace under one version. */
interface Step extends ProblemsOfStep, PlacedPods {
  readonly context: AnalysisContext;
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
function mutates(step: Step | undefined): boolean {
  const { evaluation, state } = step?.context ?? {};
  return state?.environmentStates.some(it => evaluation?.mutationsIn(it) !== undefined) === true;
}

/** What an upgrade changes for some files: the same files under each version, and how these differ. */
export async function upgradeOf(start: UpgradeStart, request: UpgradeRequest): Promise<UpgradeReport> {
  const { versions, uris, only } = request;
  const steps: Step[] = [];
  for (const [index, version] of versions.entries()) {
    const isEnd = index === 0 || index === versions.length - 1;
    const areAsked = arePoliciesWanted(request) && (isEnd || mutates(steps[0]));
    steps.push(await stepAt(start, request, version, areAsked ? 'asked' : 'left out'));
  }
  const unchanged: UnchangedTexts = new Map();
  const changes = [
    ...problemChanges(steps),
    ...uris.flatMap(uri => objectChanges(uri, steps, unchanged, start.world)),
    ...settingChanges(steps),
    ...placementChanges(steps),
  ];
  const wanted = only === undefined ? changes : changes.filter(it => only.includes(it.problem.category));
  return { versions, changes: sorted(wanted), stillRefused: countStillRefused(steps) };
}

async function stepAt(
  { state: before, texts, world }: UpgradeStart,
  { uris, rendered }: UpgradeRequest,
  version: string,
  policies: 'asked' | 'left out',
): Promise<Step> {
  const above: WorkspaceState['above'] = it => ({ ...before.above(it), kubernetesVersion: version });
  const unrendered = applyChange(before, { above }, world);
  const renderings = await rendered?.(workspaceFacts(contextOf(unrendered, texts, world)));
  const state = renderings === undefined ? unrendered : applyChange(unrendered, { rendered: renderings }, world);
  const context = policies === 'asked' ? await evaluatedContext(state, texts, world) : contextOf(state, texts, world);
  const problems = uris.flatMap(it => context.problemsOf(it, 'whole')).filter(it => it.suppressed === undefined);
  const shown = new Set(shownProblems(problems));
  const hidden = new Set(problems.filter(it => !shown.has(it)));
  return { version, context, problems: keyedProblems(problems), hidden, pods: podsIn(context, uris) };
}

/** The state with what policies say of it. */
async function evaluatedContext(
  state: WorkspaceState,
  texts: PolicyTexts,
  world: AnalysisWorld,
): Promise<AnalysisContext> {
  const { onBug, policyEngine } = world;
  const { only } = state.settings;
  if (only !== undefined && !only.includes('policy') && !only.includes('placement'))
    return contextOf(state, texts, world);
  const evaluation = policyEngine && createPolicyEvaluation(policyEngine, { onBug, onQuestion: () => undefined });
  const environments = state.environmentStates;
  if (evaluation?.hasPolicies({ environments, texts })) {
    await iterateToEnd(evaluation.run({ environments, texts, first: [], admission: admissionIn(environments, []) }));
  }
  return contextOf(state, texts, world, evaluation);
}

const contextOf = (
  state: WorkspaceState,
  texts: PolicyTexts,
  world: AnalysisWorld,
  evaluation?: PolicyEvaluation,
): AnalysisContext => analysisContext(state, { world, texts, evaluation, systems: createSystemChecks() });

function podsIn({ state, environmentsOf }: AnalysisContext, uris: readonly string[]): PlacedPods['pods'] {
  const environments = new Set(uris.flatMap(environmentsOf));
  const several = state.environmentStates.length > 1;
  return new Map(
    [...environments].flatMap(it =>
      [...placedPods(it, uris)].map(
        ([pod, placed]) => [several ? `${it.environment.name ?? it.environment.id} ${pod}` : pod, placed] as const,
      ),
    ),
  );
}

/** What becomes of the objects of a file beside its problems; once for environments that agree. */
function objectChanges(
  uri: string,
  steps: readonly Step[],
  unchanged: UnchangedTexts,
  world: AnalysisWorld,
): readonly UpgradeChange[] {
  const environments = steps[0]?.context.environmentsOf(uri) ?? [];
  const found = environments.flatMap((environment, index) => {
    const walk = steps.map(({ version, context }): Facts => {
      const { kube } = context.environmentsOf(uri)[index] ?? environment;
      return { version, kube };
    });
    return environment.snapshot.objectsIn(uri).flatMap(it => guarded(it, walk, unchanged, world));
  });
  return distinct(found);
}

/** By the facts of the last version: texts without names of objects for which nothing changes. Workloads are often alike. */
type UnchangedTexts = Map<Kube, CleanTexts>;

function guarded(
  object: WorkspaceObject,
  walk: readonly Facts[],
  unchanged: UnchangedTexts,
  world: AnalysisWorld,
): readonly UpgradeChange[] {
  const { apiVersion, kind, manifest } = object;
  const text = textWithoutNames({ object, value: manifest.value, kind: walk[0]?.kube.kindOf(apiVersion, kind) });
  const last = walk.at(-1)?.kube;
  const known = last && (unchanged.get(last) ?? createCleanTexts());
  if (text !== undefined && known?.has(text)) return [];
  if (last && known) unchanged.set(last, known);
  try {
    const changes = [...defaultChanges(object, walk), ...gateChangesIn(object, walk)];
    if (text !== undefined && changes.length === 0) known?.add(text);
    return changes;
  } catch (error) {
    world.onBug('upgrade', error);
    return [];
  }
}

/** Gates that settings choose, and objects of the chosen cluster. */
function settingChanges(steps: readonly Step[]): readonly UpgradeChange[] {
  const [first] = steps;
  const environments = first?.context.state.environmentStates ?? [];
  const found = environments.flatMap((state, index) => {
    const { environment } = state;
    const walk = steps.flatMap(({ version, context }): readonly Facts[] => {
      const kube = context.state.environmentStates[index]?.kube;
      return kube === undefined ? [] : [{ version, kube }];
    });
    const [configuration] = first?.context.configurations ?? [];
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
