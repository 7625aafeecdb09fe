import type { Steps } from '../../base/steps';
import type { FieldPath } from '../../manifest/fieldPath';
import type { Fix, Problem } from '../../rules/framework/problem';
import type { Span } from '../../text/span';
import type { WorkspaceObject } from '../../workspace/object';
import { objectAt } from '../../workspace/objectAt';
import { deployedAs } from '../../workspace/rendered/overlays';
import type { Snapshot } from '../../workspace/workspace';
import { type Explanation, explainPlacement } from '../explain/explainPlacement';
import type { EnvironmentPlacement } from '../placement/environmentPlacement';
import type { Placements } from '../placement/placements';
import type { PodAt } from '../placement/podAt';
import { type PodSuggestions, preferencesFor, suggestionsFor } from './suggestions';

interface QuestionEnvironment {
  readonly snapshot: Snapshot;
  readonly placements: Placements;
}

/** What would give a Pod a node, or make it fit on `node`; undefined where there is no such Pod. */
export function counterfactualsAt(
  environment: QuestionEnvironment,
  at: PodAt & { readonly node?: string },
): PodSuggestions | undefined {
  const placement = environment.placements.of(at.uri);
  const pod = podOf(environment, placement, at);
  return pod === undefined ? undefined : suggestionsFor(placement, environment.snapshot, pod, at.node);
}

/** Why a Pod is where it is; undefined where there is no such Pod. */
export function explanationAt(environment: QuestionEnvironment, at: PodAt): Explanation | undefined {
  const placement = environment.placements.of(at.uri);
  const pod = podOf(environment, placement, at);
  return pod === undefined ? undefined : explainPlacement(placement.study(), pod);
}

/** Of a workload's Pods the first without a node, else the first. */
function podOf(
  { snapshot }: QuestionEnvironment,
  placement: EnvironmentPlacement,
  { uri, offset, pod }: PodAt,
): string | undefined {
  if (pod !== undefined) return pod;
  const object = objectAt(snapshot, uri, offset);
  const pods = object ? deployedAs(object, snapshot).flatMap(it => placement.podsOf(it.object)) : [];
  return pods.find(it => isStuck(placement, it)) ?? pods[0];
}

const isStuck = (placement: EnvironmentPlacement, pod: string): boolean =>
  placement.attempts.has(pod) && placement.nodeOf(pod) === undefined && placement.evictedBy(pod) === undefined;

/** In larger environments an editor would wait too long for its quick fixes: Pods times nodes. */
const MOST_WORK = 1_000_000;

/** A Pod of which quick fixes say what would help it. */
interface Asked {
  readonly placement: EnvironmentPlacement;
  readonly pod: string;
}

/** The changes that give the Pod of a placement problem a node, as quick fixes. */
export function placementFixes(environment: QuestionEnvironment, problem: Problem): readonly Fix[] {
  const asked = stuckPodOf(environment, problem);
  return asked === undefined
    ? []
    : asFixes(suggestionsFor(asked.placement, environment.snapshot, asked.pod), asked.placement);
}

/** The changes that bring a Pod where the preference at a place wants it, as quick fixes; they belong to no problem. */
export function preferenceFixes(environment: QuestionEnvironment, uri: string, span: Span): readonly Fix[] {
  const asked = preferringPodAt(environment, uri, span);
  return asked === undefined
    ? []
    : asFixes(preferencesFor(asked.placement, environment.snapshot, asked.pod), asked.placement);
}

/** Tries out, step by step, what the quick fixes of some problems and those at a place will ask for. */
export function* tryingFixes(
  environment: QuestionEnvironment,
  problems: readonly Problem[],
  at: { readonly uri: string; readonly span: Span },
): Steps<undefined> {
  const stuck = new Map(problems.flatMap(it => stuckPodOf(environment, it) ?? []).map(it => [it.pod, it]));
  for (const { placement, pod } of stuck.values()) yield* (yield* placement.studying()).working('counterfactuals', pod);
  const preferring = preferringPodAt(environment, at.uri, at.span);
  if (preferring) yield* (yield* preferring.placement.studying()).working('preferences', preferring.pod);
  return undefined;
}

function stuckPodOf(environment: QuestionEnvironment, { category, uri, span }: Problem): Asked | undefined {
  if (category !== 'placement') return undefined;
  const object = objectAt(environment.snapshot, uri, span.start);
  const placement = object && placementAsWritten(object, environment);
  if (object === undefined || placement === undefined || isTooMuchWork(placement)) return undefined;
  const pod = placement.podsOf(object).find(it => isStuck(placement, it));
  return pod === undefined ? undefined : { placement, pod };
}

function preferringPodAt(environment: QuestionEnvironment, uri: string, { start }: Span): Asked | undefined {
  const object = objectAt(environment.snapshot, uri, start);
  const path = object?.manifest.pathAt(start)?.path;
  if (object === undefined || path === undefined || !isPreference(path)) return undefined;
  const placement = placementAsWritten(object, environment);
  if (placement === undefined || isTooMuchWork(placement)) return undefined;
  // Of equal Pods the last one to be placed finds the least of what it prefers.
  const pod = placement
    .podsOf(object)
    .filter(it => placement.attempts.has(it) && placement.nodeOf(it) !== undefined)
    .at(-1);
  return pod === undefined ? undefined : { placement, pod };
}

/** Where the Pods of an object are placed; undefined for what is rendered, whose text is in no file that could be changed. */
function placementAsWritten(
  object: WorkspaceObject,
  { placements }: QuestionEnvironment,
): EnvironmentPlacement | undefined {
  return placements.ofObject(object).find(it => it.from === undefined)?.placement;
}

const isPreference = ({ segments }: FieldPath): boolean =>
  segments.includes('preferredDuringSchedulingIgnoredDuringExecution') ||
  segments.includes('topologySpreadConstraints');

const isTooMuchWork = ({ pods, cluster }: EnvironmentPlacement): boolean =>
  pods.length * cluster.nodes.length > MOST_WORK;

/** The names of nodes are folded, as a title is one line. */
function asFixes({ suggestions }: PodSuggestions, { cluster, shortNameOf }: EnvironmentPlacement): readonly Fix[] {
  // A name may begin another one.
  const longestFirst = cluster.nodes.map(it => it.name).toSorted((a, b) => b.length - a.length);
  const folded = (text: string): string =>
    longestFirst.reduce((it, name) => it.replaceAll(name, shortNameOf(name)), text);
  return suggestions.flatMap(({ title, effect, fileEdits }): readonly Fix[] =>
    fileEdits ? [{ title: folded(`${title}: ${effect}`), safety: 'unsafe', edits: fileEdits }] : [],
  );
}
