import { t } from '../../base/l10n';
import { grouped } from '../../base/multiMap';
import { isSameValue } from '../../base/sameValue';
import { FieldPath } from '../../manifest/fieldPath';
import { withLazyFixes } from '../../rules/framework/fixes';
import { identityOf } from '../../rules/framework/identity';
import type { Problem } from '../../rules/framework/problem';
import type { NodeVerdict, PluginScore } from '../../scheduler/result';
import type { WorkspaceObject } from '../../workspace/object';
import type { EnvironmentAnalysis } from '../diagnostics/environmentAnalysis';
import type { PodChange, PodPlace, UpgradeChange, Urgency } from './change';

/** Where a Pod lands under one version, and the object that makes it. */
export interface PlacedPod {
  readonly place: PodPlace;
  /** The scheduler's own words; absent: it has a node. */
  readonly message?: string;
  /** Which plugin decided against the node that it had before; absent: none did, or it had none. */
  readonly against?: Decision;
  readonly source: WorkspaceObject | undefined;
}

interface Decision {
  readonly plugin: string;
  readonly how: 'rejects' | 'scores';
}

/** The Pods of a version by environment and id. */
export interface PlacedPods {
  readonly version: string;
  readonly pods: ReadonlyMap<string, PlacedPod>;
}

/** How many verdicts of nodes are looked at for why Pods land elsewhere: those of a Pod stay in memory. */
const MOST_VERDICTS = 400_000;

/**
 * Where the Pods of some files land, for environments whose nodes are known.
 * @param nodeBefore the node of a Pod under the first version
 */
export function placedPods(
  environment: EnvironmentAnalysis,
  uris: readonly string[],
  nodeBefore: (pod: string) => string | undefined,
): ReadonlyMap<string, PlacedPod> {
  const { placements, snapshot } = environment;
  const known = uris.filter(it => snapshot.files.has(it) && placements.knowsNodes(it));
  const runs = new Set(known.map(it => placements.of(it)));
  const looked = { verdicts: 0 };
  return new Map(
    [...runs].flatMap(run =>
      run.pods.map(pod => {
        const attempt = run.attempts.get(pod.id);
        const [node, evictedBy] = [run.nodeOf(pod.id), run.evictedBy(pod.id)];
        const before = nodeBefore(pod.id);
        const isElsewhere = node !== undefined && before !== undefined && before !== node;
        if (isElsewhere) looked.verdicts += run.cluster.nodes.length;
        const isTold = isElsewhere && looked.verdicts <= MOST_VERDICTS;
        const against = isTold ? decisionAgainst(before, node, attempt?.nodes) : undefined;
        const plugins =
          against === undefined ? (node === undefined ? attempt?.rejectedBy : undefined) : [against.plugin];
        const place: PodPlace = {
          ...(node !== undefined && { node }),
          ...(plugins !== undefined && plugins.length > 0 && { plugins }),
          ...(evictedBy !== undefined && { evictedBy }),
        };
        const message = attempt?.message;
        const source = run.sourceOf(pod, snapshot);
        const placed = { place, source, ...(message !== undefined && { message }), ...(against && { against }) };
        return [pod.id, placed] as const;
      }),
    ),
  );
}

/** Of two nodes the one that a Pod had is rejected, or some plugin scores the other highest above it. */
function decisionAgainst(before: string, node: string, verdicts: readonly NodeVerdict[] = []): Decision | undefined {
  const verdict = verdicts.find(it => it.node === before);
  if (verdict?.verdict === 'rejected') return { plugin: verdict.plugin, how: 'rejects' };
  const [lost, won] = [scoresOf(verdict), scoresOf(verdicts.find(it => it.node === node))];
  const leads = Object.entries(won).map(([plugin, score]) => ({
    plugin,
    by: score.weighted - (lost[plugin]?.weighted ?? 0),
  }));
  const [first] = leads.filter(it => it.by > 0).sort((a, b) => b.by - a.by);
  return first && { plugin: first.plugin, how: 'scores' };
}

const scoresOf = (verdict: NodeVerdict | undefined): Readonly<Record<string, PluginScore>> =>
  (verdict?.verdict === 'feasible' ? verdict.scores : undefined) ?? {};

const UNSCHEDULABLE = 'placement/unschedulable';

/**
 * The changes of an upgrade, where Pods that stop fitting are told once: that they find no node is a problem of the last
 * version, too, and its fixes are kept.
 */
export function withPlacements(
  changes: readonly UpgradeChange[],
  placements: readonly UpgradeChange[],
): readonly UpgradeChange[] {
  const unplaced = new Map(
    changes.flatMap(it => (it.change === 'placement' && it.problem.code === UNSCHEDULABLE ? [[objectOf(it), it]] : [])),
  );
  const merged = new Map(
    placements.flatMap(it => {
      const same = it.urgency === 'run' ? unplaced.get(objectOf(it)) : undefined;
      return same === undefined ? [] : [[it, same]];
    }),
  );
  const told = new Set(merged.values());
  return [
    ...changes.filter(it => !told.has(it)),
    ...placements.map(it => {
      const same = merged.get(it);
      return same === undefined ? it : { ...it, problem: withLazyFixes(it.problem, () => same.problem.fixes) };
    }),
  ];
}

const objectOf = ({ problem: { uri, document, item } }: UpgradeChange): string => `${uri} ${document} ${item}`;

interface MovedPod extends PodChange, Pick<PlacedPod, 'against'> {
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
  const { place, message, against } = after;
  return [{ pod, before: before.place, after: place, effect, since, source, message, ...(against && { against }) }];
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

function sentenceOf({ pod, before, after, effect, message, against }: MovedPod, count: number): string {
  const who = count === 1 ? pod : t`${pod} (and ${count - 1} more)`;
  const why = after.plugins === undefined ? '' : ` (${after.plugins.join(', ')})`;
  if (effect === 'evicted') return t`${who} is pushed off node ${before.node} by ${after.evictedBy}`;
  if (effect === 'unplaced') {
    const words = t`${who} no longer fits on any node${why}; before, it was on ${before.node}`;
    return message === undefined ? words : `${words}: ${message}`;
  }
  if (effect === 'placed') return t`${who} fits now, on node ${after.node}`;
  if (against === undefined) return t`${who} lands on node ${after.node}; before, on ${before.node}`;
  return against.how === 'rejects'
    ? t`${who} lands on node ${after.node}; before, on ${before.node}, which ${against.plugin} rejects`
    : t`${who} lands on node ${after.node}, which ${against.plugin} scores higher; before, on ${before.node}`;
}
