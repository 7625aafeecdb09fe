import type {
  PreviewModel,
  PreviewNode,
  PreviewPod,
  PreviewRefusal,
  PreviewResource,
} from '../../../../server/src/analysis/previewModel';
import type { Attempt, NodeVerdict, PluginScore, QueueName } from '../../../../server/src/scheduler/result';
import { listed, strings } from '../text/strings';
import { amount } from '../text/units';
import { shareOf } from './timeline';

/** Pods by NAMESPACE/NAME. */
export type Pods = ReadonlyMap<string, PreviewPod>;

export const podsById = (model: PreviewModel): Pods => new Map(model.pods.map(pod => [pod.id, pod]));

export interface Zone {
  readonly name: string;
  readonly nodes: readonly PreviewNode[];
}

/** Nodes by zone, zones in order of name, nodes without a zone last. */
export function zonesOf(nodes: readonly PreviewNode[]): readonly Zone[] {
  const names = [...new Set(nodes.map(node => node.zone))].sort(
    (a, b) => Number(a === '') - Number(b === '') || byName(a, b),
  );
  return names.map(name => ({
    name,
    nodes: nodes.filter(node => node.zone === name).sort((a, b) => byName(a.name, b.name)),
  }));
}

export type GroupName = 'refused' | 'pending' | 'evicted' | 'placed';

export interface PodListGroup {
  readonly group: GroupName;
  /** How many Pods are in the groups before it. */
  readonly start: number;
  readonly pods: readonly PreviewPod[];
}

/** The Pods that this simulation tried or evicted, along a trail all without a node, pending first, inside a group in the order tried; without empty groups. */
export function podGroups(model: PreviewModel, filter = ''): readonly PodListGroup[] {
  const pods = podsById(model);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const evicted = model.pods.filter(pod => pod.state === 'victim' && model.attempts[pod.id] === undefined);
  const waiting = model.trail
    ? model.pods.filter(pod => pod.state === 'pending' && model.attempts[pod.id] === undefined)
    : [];
  const tried = [...Object.keys(model.attempts).flatMap(id => pods.get(id) ?? []), ...waiting, ...evicted].filter(pod =>
    words.every(word => `${pod.id} ${pod.node ?? ''} ${pod.owner ?? ''}`.toLowerCase().includes(word)),
  );
  const groups = (['pending', 'evicted', 'placed'] as const).map(group => ({
    group,
    pods: tried.filter(pod => groupOf(pod) === group),
  }));
  const startOf = (at: number): number => groups.slice(0, at).reduce((sum, it) => sum + it.pods.length, 0);
  return groups.map((it, at) => ({ ...it, start: startOf(at) })).filter(it => it.pods.length > 0);
}

/** The refusals that a filter leaves. */
export function refusedPods(model: PreviewModel, filter = ''): readonly PreviewRefusal[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return model.refused.filter(({ id, owner, reason }) =>
    words.every(word => `${id} ${owner ?? ''} ${reason}`.toLowerCase().includes(word)),
  );
}

function groupOf(pod: PreviewPod): GroupName {
  if (pod.state === 'pending') return 'pending';
  return pod.state === 'victim' ? 'evicted' : 'placed';
}

export interface Counts {
  readonly placed: number;
  readonly pending: number;
  readonly evicted: number;
  readonly refused: number;
}

export function countsOf(model: PreviewModel): Counts {
  const count = (state: PreviewPod['state']) => model.pods.filter(pod => pod.state === state).length;
  const refused = model.refused.reduce((sum, it) => sum + it.pods, 0);
  return { placed: count('placed'), pending: count('pending'), evicted: count('victim'), refused };
}

/** How many Pods each queue of kube-scheduler holds in the end; undefined: none holds any. */
export function queuesOf(model: PreviewModel): Readonly<Record<QueueName, number>> | undefined {
  const waiting = model.pods.flatMap(it => (it.state === 'pending' && it.queued ? [it.queued.queue] : []));
  const count = (queue: QueueName) => waiting.filter(it => it === queue).length;
  if (waiting.length === 0) return undefined;
  return {
    active: count('active'),
    backoff: count('backoff'),
    unschedulable: count('unschedulable'),
    gated: count('gated'),
  };
}

/** Pods drawn on a node: evicted ones first, then those placed now, then those that ran before; each by name. */
export function tilesOf(node: PreviewNode, pods: Pods, victims: readonly PreviewPod[]): readonly PreviewPod[] {
  const ids = new Set([...node.pods, ...victims.map(pod => pod.id)]);
  return [...ids]
    .flatMap(id => pods.get(id) ?? [])
    .sort((a, b) => TILE_ORDER.indexOf(a.state) - TILE_ORDER.indexOf(b.state) || byName(a.name, b.name));
}

const TILE_ORDER: readonly PreviewPod['state'][] = ['victim', 'placed', 'pending', 'running'];

/** At most `limit` tiles, the chosen Pod always among them. */
export function firstTiles(
  tiles: readonly PreviewPod[],
  chosen: string | undefined,
  limit: number,
): readonly PreviewPod[] {
  if (tiles.length <= limit + 1) return tiles;
  const first = tiles.slice(0, limit);
  const hidden = tiles.slice(limit).find(pod => pod.id === chosen);
  return hidden === undefined ? first : [...first.slice(0, -1), hidden];
}

/** Evicted Pods by the node they were on. */
export function victimsByNode(model: PreviewModel): ReadonlyMap<string, readonly PreviewPod[]> {
  return groupBy(
    model.pods.filter(pod => pod.state === 'victim'),
    pod => pod.node ?? '',
  );
}

export interface BarSegment {
  readonly kind: 'running' | 'placed' | 'chosen';
  readonly amount: number;
}

/** The parts of one capacity bar. */
export function segmentsOf(resource: PreviewResource, chosenHere: PreviewPod | undefined): readonly BarSegment[] {
  const share = chosenHere === undefined ? 0 : shareOf(resource.name, chosenHere);
  const ofRunning = chosenHere?.state === 'running' ? Math.min(share, resource.running) : 0;
  const ofPlaced = chosenHere?.state === 'placed' ? Math.min(share, resource.placed) : 0;
  const segments: readonly BarSegment[] = [
    { kind: 'running', amount: resource.running - ofRunning },
    { kind: 'placed', amount: resource.placed - ofPlaced },
    { kind: 'chosen', amount: ofRunning + ofPlaced },
  ];
  return segments.filter(segment => segment.amount > 0);
}

/** cpu, memory, pods, then the others by name; without those that the node does not have. */
export function resourcesOf(node: PreviewNode): readonly PreviewResource[] {
  const rank = (name: string) => RESOURCE_ORDER.indexOf(name) + 1 || RESOURCE_ORDER.length + 1;
  return node.resources
    .filter(resource => resource.allocatable > 0 || resource.running + resource.placed > 0)
    .sort((a, b) => rank(a.name) - rank(b.name) || byName(a.name, b.name));
}

const RESOURCE_ORDER: readonly string[] = ['cpu', 'memory', 'pods'];

/** What a Pod asks for, in words. */
export function asksOf(pod: PreviewPod): string {
  const amounts = [
    ...(pod.cpuMilli > 0 ? [amount('cpu', pod.cpuMilli, 'up')] : []),
    ...(pod.memoryBytes > 0 ? [amount('memory', pod.memoryBytes, 'up')] : []),
  ];
  return amounts.length === 0 ? strings.details.asksNothing : strings.details.asks(listed(amounts));
}

export type VerdictKind =
  | 'winner'
  | 'tied'
  | 'feasible'
  | 'rejected'
  | 'excluded'
  | 'nominated'
  | 'here'
  | 'evicted'
  | 'none';

export interface CardVerdict {
  readonly kind: VerdictKind;
  readonly title: string;
  readonly detail: string;
  /** Upstream's words behind the detail. */
  readonly words?: string;
}

/** Why nodes reject a Pod in a few words, by node, where that is known of it. */
export const reasonsFor = ({ chosen, reasons }: PreviewModel, pod: PreviewPod): PreviewModel['reasons'] =>
  chosen === pod.id ? reasons : undefined;

/** A simulation, or the way to a finding of an exploration. */
export const shownIn = ({ trail }: Pick<PreviewModel, 'trail'>): 'simulation' | 'trail' =>
  trail ? 'trail' : 'simulation';

/** What became of the chosen Pod on one node, in a title and a line of detail. */
export function verdictOn(
  node: string,
  pod: PreviewPod,
  attempt: Attempt | undefined,
  pods: Pods,
  victims: readonly string[],
  shortReasons: PreviewModel['reasons'] = {},
  shown: 'simulation' | 'trail' = 'simulation',
): CardVerdict {
  const words = strings.verdict;
  if (pod.state === 'victim' && pod.node === node) {
    return { kind: 'evicted', title: words.evictedHere, detail: byWhom(pod, pods, words.evictedFor) };
  }
  if (pod.state === 'running' && pod.node === node)
    return { kind: 'here', title: words.runsHere, detail: shown === 'trail' ? words.runsAfterStep : words.ranBefore };
  if (attempt === undefined && pod.state === 'pending')
    return { kind: 'none', title: words.undecided, detail: words.undecidedWhy };
  if (attempt === undefined) return { kind: 'none', title: words.notTried, detail: words.notTriedWhy };
  if (attempt.preemption?.nominatedNode === node && attempt.node === undefined) {
    return { kind: 'nominated', title: words.nominated, detail: words.nominatedWhy(victims.length) };
  }
  const verdict = attempt.nodes?.find(each => each.node === node);
  if (verdict === undefined) {
    if (attempt.node === node) return { kind: 'winner', title: words.placedHere, detail: '' };
    return { kind: 'none', title: words.none, detail: attempt.nodes === undefined ? words.noneWhy : '' };
  }
  if (verdict.verdict === 'excluded') return { kind: 'excluded', title: words.excluded, detail: words.excludedWhy };
  if (verdict.verdict === 'rejected') {
    const { plugin, reasons } = verdict;
    const said = reasons.join('; ');
    const short = shortReasons[node];
    if (short === undefined || short === said) return { kind: 'rejected', title: words.rejected(plugin), detail: said };
    return { kind: 'rejected', title: words.no, detail: short, words: words.behind(plugin, said) };
  }
  return feasibleVerdict(verdict, attempt);
}

type Feasible = Extract<NodeVerdict, { verdict: 'feasible' }>;

function feasibleVerdict(verdict: Feasible, attempt: Attempt): CardVerdict {
  const words = strings.verdict;
  const feasible = feasibleOf(attempt);
  const detail = (() => {
    if (verdict.total !== undefined) {
      return `${words.score(verdict.total)} · ${words.rank(rankOf(verdict.total, feasible), feasible.length)}`;
    }
    return feasible.length === 1 ? words.onlyFit : words.unscored;
  })();
  const isTied = tiesOf(attempt).includes(verdict.node);
  if (attempt.node === verdict.node) return { kind: 'winner', title: isTied ? words.winnerTied : words.winner, detail };
  return isTied ? { kind: 'tied', title: words.tied, detail } : { kind: 'feasible', title: words.feasible, detail };
}

const feasibleOf = (attempt: Attempt): readonly Feasible[] =>
  (attempt.nodes ?? []).filter((each): each is Feasible => each.verdict === 'feasible');

/** Nodes that share the highest total; empty when one node is best alone. */
export function tiesOf(attempt: Attempt): readonly string[] {
  const tied = attempt.tiedNodes ?? [];
  return tied.length > 1 ? tied : [];
}

/** 1 for the highest total; equal totals share a rank. */
function rankOf(total: number, feasible: readonly Feasible[]): number {
  return 1 + feasible.filter(each => (each.total ?? 0) > total).length;
}

/** At most this many equal nodes are named. */
const NAMES_DRAWN = 12;

/** How one of equally good nodes is chosen; empty where one is best alone. */
export function drawOf(attempt: Attempt | undefined, nodeName: (node: string) => string): string {
  const tied = attempt?.status === 'scheduled' ? tiesOf(attempt) : [];
  return tied.length === 0 ? '' : strings.decision.draw(listed(tied.map(nodeName), NAMES_DRAWN));
}

/** When the scheduler looks at a Pod again that waits; empty: nobody knows, or it need not. */
export function againOf({ queued, state }: PreviewPod): string {
  const words = strings.decision;
  if (queued === undefined || state !== 'pending') return '';
  if (queued.queue === 'backoff') return words.backoff;
  return queued.waitsFor === '' ? '' : words.comesBack(queued.waitsFor);
}

/** The decision about a Pod in one or two sentences; `nodeName` writes the name of a node. */
export function decisionOf(
  pod: PreviewPod,
  attempt: Attempt | undefined,
  victims: readonly string[],
  pods: Pods,
  nodeName: (node: string) => string = it => it,
  shown: 'simulation' | 'trail' = 'simulation',
): string {
  const words = strings.decision;
  const { name, state, evictedBy } = pod;
  const node = pod.node === undefined ? undefined : nodeName(pod.node);
  if (state === 'victim') return words.victim(name, node ?? '?', evictedBy && nameOf(evictedBy, pods));
  if (attempt === undefined) {
    if (node === undefined) return shown === 'trail' ? words.waitsAfterStep(name) : words.pending(name);
    if (shown === 'trail') return words.runsAfterStep(name, node);
    return state === 'running' ? words.running(name, node) : words.plain(name, node);
  }
  switch (attempt.status) {
    case 'scheduled':
      return [landing(name, attempt, nodeName), ...(victims.length > 0 ? [words.room(victims.length)] : [])].join(' ');
    case 'unschedulable':
      return unschedulable(name, attempt, victims, nodeName);
    case 'gated':
      return attempt.preFilterRejection === undefined
        ? words.gated(name)
        : words.gatedBy(name, attempt.preFilterRejection.plugin);
    case 'rejected':
      return words.rejected(name);
    case 'ignored':
      return words.ignored(name);
    case 'superseded':
      return words.superseded(name);
    case 'error':
      return words.error(name);
  }
}

function landing(name: string, attempt: Attempt, nodeName: (node: string) => string): string {
  const words = strings.decision;
  const node = nodeName(attempt.node ?? '?');
  const tied = tiesOf(attempt).length;
  if (tied > 0) return words.tie(name, node, tied);
  const feasible = feasibleOf(attempt).length;
  // After a preemption the node that was promised is looked at alone.
  if (attempt.attempt > 1 && attempt.nodes?.length === 1) return words.promised(name, node);
  if (feasible > 1) return words.best(name, node, feasible);
  return feasible === 1 ? words.only(name, node, attempt.nodes?.length ?? 1) : words.plain(name, node);
}

function unschedulable(
  name: string,
  attempt: Attempt,
  victims: readonly string[],
  nodeName: (node: string) => string,
): string {
  const words = strings.decision;
  const nominated = attempt.preemption?.nominatedNode;
  if (nominated !== undefined && victims.length > 0) return words.nominated(name, nodeName(nominated), victims.length);
  if (attempt.preFilterRejection !== undefined) return words.turnedAway(name, attempt.preFilterRejection.plugin);
  const looked = attempt.nodes?.length ?? 0;
  return looked > 0 ? words.noNode(name, looked) : words.pending(name);
}

/** Pods evicted for this one: those its last attempt names, then those an earlier attempt evicted. */
export function victimsOf(pod: PreviewPod, attempt: Attempt | undefined, model: PreviewModel): readonly string[] {
  const evicted = model.pods.filter(each => each.state === 'victim' && each.evictedBy === pod.id).map(each => each.id);
  return [...new Set([...(attempt?.preemption?.victims ?? []), ...evicted])];
}

/** The name of a Pod without its namespace when it is known. */
export const nameOf = (id: string, pods: Pods): string => pods.get(id)?.name ?? id;

const byWhom = (pod: PreviewPod, pods: Pods, say: (by: string) => string): string =>
  pod.evictedBy === undefined ? '' : say(nameOf(pod.evictedBy, pods));

export interface RejectedGroup {
  /** Absent for nodes that a PreFilter result left out. */
  readonly plugin?: string;
  readonly reason: string;
  /** Whether evicting Pods could not help on any of these nodes. */
  readonly unresolvable: boolean;
  readonly nodes: readonly string[];
}

/** Rejected nodes by plugin and reason, the most frequent first. A node with two reasons is in two groups, as upstream counts. */
export function rejectedGroups(attempt: Attempt | undefined): readonly RejectedGroup[] {
  const single = (attempt?.nodes ?? []).flatMap((each): readonly RejectedGroup[] => {
    if (each.verdict === 'feasible') return [];
    if (each.verdict === 'excluded')
      return [{ reason: strings.details.excluded, unresolvable: true, nodes: [each.node] }];
    const { plugin, code, node } = each;
    return each.reasons.map(reason => ({
      plugin,
      reason,
      unresolvable: code === 'UnschedulableAndUnresolvable',
      nodes: [node],
    }));
  });
  return [...groupBy(single, each => JSON.stringify([each.plugin, each.reason])).values()]
    .map(same => ({
      ...same[0]!,
      unresolvable: same.every(each => each.unresolvable),
      nodes: same.flatMap(each => each.nodes),
    }))
    .sort((a, b) => b.nodes.length - a.nodes.length || byName(a.reason, b.reason));
}

/** How many nodes were rejected or left out. */
export const rejectedCount = (attempt: Attempt | undefined): number =>
  (attempt?.nodes ?? []).filter(each => each.verdict !== 'feasible').length;

export interface ScoreRow {
  readonly node: string;
  readonly total: number;
  readonly rank: number;
  readonly mark: 'winner' | 'tied' | undefined;
  readonly scores: Readonly<Record<string, PluginScore>>;
}

export interface ScoreTable {
  /** Plugins that scored at least one node, in the order the scheduler gives. */
  readonly plugins: readonly string[];
  readonly rows: readonly ScoreRow[];
}

/** The scores of the feasible nodes; no rows when the scheduler did not score. */
export function scoreTable(attempt: Attempt | undefined): ScoreTable {
  if (attempt === undefined) return { plugins: [], rows: [] };
  const feasible = feasibleOf(attempt);
  const tied = tiesOf(attempt);
  const rows = feasible.flatMap(({ node, total, scores }): readonly ScoreRow[] => {
    if (total === undefined) return [];
    const mark = node === attempt.node ? 'winner' : tied.includes(node) ? 'tied' : undefined;
    return [{ node, total, rank: rankOf(total, feasible), mark, scores: scores ?? {} }];
  });
  return { plugins: [...new Set(rows.flatMap(row => Object.keys(row.scores)))], rows };
}

/** `column` is "node", "total" or a plugin. */
export interface Sorting {
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
}

/** Rows sorted; equal ones by name, the winner before those it is equal to. */
export function sortRows(rows: readonly ScoreRow[], { column, direction }: Sorting): readonly ScoreRow[] {
  const sign = direction === 'ascending' ? 1 : -1;
  const value = (row: ScoreRow) => (column === 'total' ? row.total : (row.scores[column]?.weighted ?? -1));
  const compare = (a: ScoreRow, b: ScoreRow) => (column === 'node' ? byName(a.node, b.node) : value(a) - value(b));
  return [...rows].sort(
    (a, b) =>
      sign * compare(a, b) || Number(b.mark === 'winner') - Number(a.mark === 'winner') || byName(a.node, b.node),
  );
}

/** The sorting after a click on a column's header: names start ascending, numbers descending. */
export function nextSorting(now: Sorting, column: string): Sorting {
  if (now.column !== column) return { column, direction: column === 'node' ? 'ascending' : 'descending' };
  return { column, direction: now.direction === 'ascending' ? 'descending' : 'ascending' };
}

/** A short word for the right edge of the list: the node, or why there is none. */
export function outcomeOf(pod: PreviewPod, attempt: Attempt | undefined): string {
  if (pod.state === 'placed' || pod.state === 'running') return pod.node ?? '';
  if (pod.state === 'victim') return pod.node ?? '';
  if (attempt === undefined) return strings.list.state.pending;
  return mainReason(attempt) || strings.status[attempt.status];
}

/** The reason of most nodes in a FailedScheduling text: "3 Insufficient cpu" of "0/4 nodes are available: …"; '' for none. */
export function mainReason(attempt: Attempt | undefined): string {
  const [, reasons = ''] = /^\d+\/\d+ nodes are available: (.*?)\.(?: |$)/s.exec(attempt?.message ?? '') ?? [];
  const counted = reasons.split(', ').flatMap(it => {
    const [, count, reason] = /^(\d+) (.+)$/s.exec(it) ?? [];
    return count === undefined || reason === undefined ? [] : [{ count: Number(count), reason }];
  });
  return counted.sort((a, b) => b.count - a.count)[0]?.reason.replace(/^node\(s\) /, '') ?? '';
}

/** What a screen reader says of a Pod in the list. */
export function podInWords(pod: PreviewPod, attempt: Attempt | undefined): string {
  const { state } = strings.list;
  const where = (() => {
    if (pod.state === 'pending')
      return [state.pending, attempt && strings.status[attempt.status], mainReason(attempt)].filter(Boolean).join(', ');
    if (pod.state === 'victim' && pod.evictedBy !== undefined)
      return `${state.victim(pod.node ?? '?')}, ${strings.tile.evictedFor(pod.evictedBy)}`;
    return state[pod.state](pod.node ?? '?');
  })();
  return `${pod.id}, ${where}`;
}

/** The beginning and the end of a name: what is cut for want of room is the middle, since Pods of one owner differ at the end. */
export function headAndTail(name: string): readonly [head: string, tail: string] {
  const cut = name.length - Math.min(6, Math.floor(name.length / 2));
  return [name.slice(0, cut), name.slice(cut)];
}

/** A plugin's name in parts between which a line may break: "Node", "Resources", "Fit". */
export const words = (name: string): readonly string[] => name.split(/(?<=[a-z])(?=[A-Z])/);

/** Sorts numbers inside names by value, so that node-9 comes before node-10. */
const collator = new Intl.Collator('en', { numeric: true });
const byName = (a: string, b: string): number => collator.compare(a, b);

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Index of the box nearest below (or above) `from`, sideways distance counting double; undefined when there is none. */
export function nearest(boxes: readonly Box[], from: Box, direction: 'up' | 'down'): number | undefined {
  const middle = (box: Box) => (box.left + box.right) / 2;
  const away = (box: Box) => (direction === 'down' ? box.top - from.bottom : from.top - box.bottom);
  return boxes
    .map((box, index) => ({ index, ahead: away(box), distance: away(box) + 2 * Math.abs(middle(box) - middle(from)) }))
    .filter(each => each.ahead >= -1)
    .sort((a, b) => a.distance - b.distance)[0]?.index;
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}
