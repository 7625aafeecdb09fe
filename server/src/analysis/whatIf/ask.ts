import type { Fix, Problem } from '../../rules/problem';
import type { Snapshot } from '../../workspace/workspace';
import { type Explanation, explainPlacement } from '../explain/explainPlacement';
import { type EnvironmentPlacement, objectAt, type Placements, podsOf } from '../placements';
import { type PodSuggestions, suggestionsFor } from './suggestions';

/** A Pod by its name, or by a place in the text of the object that is it or makes it. */
export interface PodAt {
  readonly uri: string;
  readonly offset: number;
  /** NAMESPACE/NAME; wins over the place. */
  readonly pod?: string;
}

interface Scene {
  readonly snapshot: Snapshot;
  readonly placements: Placements;
}

/** What would give a Pod a node, or make it fit on `node`; undefined where there is no such Pod. */
export function counterfactualsAt(scene: Scene, at: PodAt & { readonly node?: string }): PodSuggestions | undefined {
  const placement = scene.placements.of(at.uri);
  const pod = podOf(scene, placement, at);
  return pod === undefined ? undefined : suggestionsFor(placement.study(), scene.snapshot, pod, at.node);
}

/** Why a Pod is where it is; undefined where there is no such Pod. */
export function explanationAt(scene: Scene, at: PodAt): Explanation | undefined {
  const placement = scene.placements.of(at.uri);
  const pod = podOf(scene, placement, at);
  return pod === undefined ? undefined : explainPlacement(placement.study(), pod);
}

/** Of a workload's Pods the first without a node, else the first. */
function podOf({ snapshot }: Scene, placement: EnvironmentPlacement, { uri, offset, pod }: PodAt): string | undefined {
  if (pod !== undefined) return pod;
  const object = objectAt(snapshot, uri, offset);
  const pods = object ? podsOf(placement, object) : [];
  return pods.find(it => isStuck(placement, it)) ?? pods[0];
}

const isStuck = (placement: EnvironmentPlacement, pod: string): boolean =>
  placement.attempts.has(pod) && placement.nodeOf(pod) === undefined && placement.evictedBy(pod) === undefined;

/** In larger environments an editor would wait too long for its quick fixes: Pods times nodes. */
const MOST_WORK = 1_000_000;

/** The changes that give the Pod of a placement problem a node, as quick fixes. */
export function placementFixes(scene: Scene, { category, uri, span }: Problem): readonly Fix[] {
  if (category !== 'placement') return [];
  const object = objectAt(scene.snapshot, uri, span.start);
  const placement = object && scene.placements.forObject(object);
  if (object === undefined || placement === undefined) return [];
  const pod = podsOf(placement, object).find(it => isStuck(placement, it));
  if (pod === undefined || placement.pods.length * placement.cluster.nodes.length > MOST_WORK) return [];
  const { suggestions } = suggestionsFor(placement.study(), scene.snapshot, pod);
  return suggestions.flatMap(({ title, effect, fileEdits }): readonly Fix[] =>
    fileEdits ? [{ title: `${title}: ${effect}`, safety: 'unsafe', edits: fileEdits }] : [],
  );
}
