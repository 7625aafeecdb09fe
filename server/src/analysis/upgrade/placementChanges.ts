import { t } from '../../base/l10n';
import { grouped } from '../../base/multiMap';
import { isSameValue } from '../../base/sameValue';
import { FieldPath } from '../../manifest/fieldPath';
import { identityOf } from '../../rules/framework/identity';
import type { Problem } from '../../rules/framework/problem';
import type { WorkspaceObject } from '../../workspace/object';
import type { EnvironmentAnalysis } from '../diagnostics/environmentAnalysis';
import type { PodChange, PodPlace, UpgradeChange, Urgency } from './change';

/** Where a Pod lands under one version, and the object that makes it. */
export interface PlacedPod {
  readonly place: PodPlace;
  /** The scheduler's own words; absent: it has a node. */
  readonly message?: string;
  readonly source: WorkspaceObject | undefined;
}

/** The Pods of a version by environment and id. */
export interface PlacedPods {
  readonly version: string;
  readonly pods: ReadonlyMap<string, PlacedPod>;
}

/** Where the Pods of some files land, for environments whose nodes are known. */
export function placedPods(environment: EnvironmentAnalysis, uris: readonly string[]): ReadonlyMap<string, PlacedPod> {
  const { placements, snapshot } = environment;
  const known = uris.filter(it => snapshot.files.has(it) && placements.knowsNodes(it));
  const runs = new Set(known.map(it => placements.of(it)));
  return new Map(
    [...runs].flatMap(run =>
      run.pods.map(pod => {
        const attempt = run.attempts.get(pod.id);
        const [node, evictedBy] = [run.nodeOf(pod.id), run.evictedBy(pod.id)];
        const plugins = node === undefined ? attempt?.rejectedBy : undefined;
        const place: PodPlace = {
          ...(node !== undefined && { node }),
          ...(plugins !== undefined && plugins.length > 0 && { plugins }),
          ...(evictedBy !== undefined && { evictedBy }),
        };
        const message = attempt?.message;
        const source = run.sourceOf(pod, snapshot);
        return [pod.id, { place, source, ...(message !== undefined && { message }) }] as const;
      }),
    ),
  );
}

interface MovedPod extends PodChange {
  readonly effect: Effect;
  readonly since: string;
  readonly source: WorkspaceObject;
  readonly message: string | undefined;
}

type Effect = 'evicted' | 'unplaced' | 'moved' | 'placed';

const URGENCY: Readonly<Record<Effect, Urgency>> = {
  evicted: 'run',
  unplaced: 'run',
  moved: 'silent',
  placed: 'silent',
};

/** Pods that land elsewhere, stop fitting, or are pushed out. The Pods of one workload with the same fate are one change. */
export function placementChanges(walk: readonly PlacedPods[]): readonly UpgradeChange[] {
  const moved = [...(walk.at(-1)?.pods ?? [])].flatMap(([key, after]) => movedPod(key, after, walk));
  const fates = grouped(
    moved,
    ({ source, effect, since }) =>
      `${source.manifest.uri} ${source.manifest.document} ${source.manifest.item} ${effect} ${since}`,
  );
  return [...fates.values()].map(changeOf);
}

function movedPod(pod: string, after: PlacedPod, walk: readonly PlacedPods[]): readonly MovedPod[] {
  const before = walk[0]?.pods.get(pod);
  const { source } = after;
  if (before === undefined || source === undefined) return [];
  const effect = effectOf(before.place, after.place);
  if (effect === undefined) return [];
  const other = walk.findLastIndex(it => !isSameValue(it.pods.get(pod)?.place, after.place));
  const since = walk[other + 1]?.version ?? walk.at(-1)?.version ?? '';
  return [{ pod, before: before.place, after: after.place, effect, since, source, message: after.message }];
}

function effectOf(before: PodPlace, after: PodPlace): Effect | undefined {
  if (after.node === before.node) return undefined;
  if (after.evictedBy !== undefined) return 'evicted';
  if (after.node === undefined) return 'unplaced';
  return before.node === undefined ? 'placed' : 'moved';
}

function changeOf(pods: readonly MovedPod[]): UpgradeChange {
  const [first] = pods as readonly [MovedPod, ...MovedPod[]];
  const { source, effect, since } = first;
  const { manifest } = source;
  const problem: Problem = {
    code: 'upgrade/placement',
    category: 'placement',
    severity: URGENCY[effect] === 'run' ? 'error' : 'info',
    message: sentenceOf(first, pods.length),
    uri: manifest.uri,
    document: manifest.document,
    ...(manifest.item !== undefined && { item: manifest.item }),
    object: identityOf(source),
    fieldPath: 'metadata.name',
    span: manifest.spanOf(FieldPath.of('metadata', 'name'), 'value'),
    related: [],
    fixes: [],
  };
  const told = pods.map(({ pod, before, after }) => ({ pod, before, after }));
  return { change: 'placement', urgency: URGENCY[effect], since, pods: told, problem };
}

function sentenceOf({ pod, before, after, effect, message }: MovedPod, count: number): string {
  const who = count === 1 ? pod : t`${pod} and ${count - 1} more`;
  const why = after.plugins === undefined ? '' : ` (${after.plugins.join(', ')})`;
  if (effect === 'evicted') return t`${who} is pushed off node ${before.node} by ${after.evictedBy}`;
  if (effect === 'unplaced') {
    const words = t`${who} no longer fits on any node${why}; before, it was on ${before.node}`;
    return message === undefined ? words : `${words}: ${message}`;
  }
  if (effect === 'placed') return t`${who} fits now, on node ${after.node}`;
  return t`${who} lands on node ${after.node}; before, on ${before.node}`;
}
