import { compareText } from '../../cluster/fromObjects';
import type { ClusterModel, PodModel } from '../../cluster/model';
import type { NodeVerdict, PluginScore } from '../result';
import { type NodeInfo, withPod } from './nodeInfo';
import { type Cycle, failure, isRefusal, type Refusal, type SchedulerPlugin, unresolvable } from './plugin';
import type { Profile } from './profile';
import type { LooksAt, SharedWork } from './sharedWork';

/** The filter states of one cycle, beside the profile's plugins. A plugin that skips has no entry in `active`. */
export interface FilterRun {
  readonly active: readonly { readonly plugin: SchedulerPlugin; readonly state: unknown }[];
}

export type PreFilterOutcome =
  | {
      readonly run: FilterRun;
      /** Absent: all nodes. */
      readonly nodeNames?: ReadonlySet<string>;
      /** The plugins that narrowed the nodes, sorted. */
      readonly narrowedBy: readonly string[];
    }
  | { readonly rejection: Refusal; readonly plugin: string; readonly ran: readonly string[] };

/** Who is nominated to a node. Upstream: the queue's nominator. */
export type NominatedPods = (node: string) => readonly PodModel[];

const NOBODY: readonly PodModel[] = [];
export const nobodyNominated: NominatedPods = () => NOBODY;

export function makeCycle(cluster: ClusterModel, nodes: readonly NodeInfo[], work: SharedWork): Cycle {
  const indexes = work.once('indexes', () => new Map(nodes.map((it, i) => [it.name, i])));
  return { cluster, nodes, work, nodeNamed: name => nodes[indexes.get(name) ?? -1] };
}

/** Upstream: RunPreFilterPlugins. */
export function runPreFilter(profile: Profile, pod: PodModel, cycle: Cycle): PreFilterOutcome {
  const states = new Map<string, unknown>();
  const skipped = new Set<string>();
  const ran: string[] = [];
  const narrowedBy: string[] = [];
  let nodeNames: ReadonlySet<string> | undefined;
  let later: { rejection: Refusal; plugin: string } | undefined;
  for (const plugin of profile.preFilter) {
    const answer = plugin.preFilter!(pod, cycle);
    ran.push(plugin.name);
    if (answer.status.code === 'Skip') {
      skipped.add(plugin.name);
      continue;
    }
    if (isRefusal(answer.status)) {
      if (answer.status.code === 'Error') {
        const rejection = failure(`running PreFilter plugin "${plugin.name}": ${answer.status.reasons.join(', ')}`);
        return { rejection, plugin: plugin.name, ran };
      }
      if (answer.status.code !== 'Unschedulable') return { rejection: answer.status, plugin: plugin.name, ran };
      // Preemption comes later in this cycle and needs the states of all the others.
      later ??= { rejection: answer.status, plugin: plugin.name };
      continue;
    }
    states.set(plugin.name, answer.state);
    if (!answer.nodeNames) continue;
    narrowedBy.push(plugin.name);
    const names: ReadonlySet<string> = answer.nodeNames;
    const before: ReadonlySet<string> | undefined = nodeNames;
    nodeNames = before === undefined ? names : new Set([...before].filter(it => names.has(it)));
    if (nodeNames.size > 0) continue;
    const who: readonly string[] = [...narrowedBy].sort(compareText);
    const reason =
      who.length === 1
        ? `node(s) didn't satisfy plugin ${who[0]}`
        : `node(s) didn't satisfy plugin(s) [${who.join(' ')}] simultaneously`;
    return { rejection: unresolvable(reason), plugin: plugin.name, ran };
  }
  if (later) return { ...later, ran };
  return {
    run: {
      active: profile.filter
        .filter(it => !skipped.has(it.name))
        .map(plugin => ({ plugin, state: states.get(plugin.name) })),
    },
    ...(nodeNames && { nodeNames }),
    narrowedBy: narrowedBy.sort(compareText),
  };
}

export interface FilterRefusal {
  readonly plugin: string;
  readonly status: Refusal;
}

/** Upstream: RunFilterPlugins. The first plugin that rejects ends the node. */
function runFilter(run: FilterRun, pod: PodModel, node: NodeInfo, cycle: Cycle): FilterRefusal | undefined {
  for (const { plugin, state } of run.active) {
    const status = plugin.filter!(state, pod, node, cycle);
    if (!isRefusal(status)) continue;
    if (status.code !== 'Error') return { plugin: plugin.name, status };
    return {
      plugin: plugin.name,
      status: failure(`running "${plugin.name}" filter plugin: ${status.reasons.join(', ')}`),
    };
  }
  return undefined;
}

/** The states and the node as if `added` ran there, too. */
function addPodTo(run: FilterRun, pod: PodModel, added: PodModel, node: NodeInfo): [FilterRun, NodeInfo] {
  const after = withPod(node, added);
  return [
    mapStates(run, ({ plugin, state }) => (plugin.addPod ? plugin.addPod(state, pod, added, after) : state)),
    after,
  ];
}

export function mapStates(
  run: FilterRun,
  change: (it: { readonly plugin: SchedulerPlugin; readonly state: unknown }) => unknown,
): FilterRun {
  return { active: run.active.map(it => ({ plugin: it.plugin, state: change(it) })) };
}

/**
 * Upstream: RunFilterPluginsWithNominatedPods. Once with the Pods of equal or higher priority that are nominated to the
 * node, and, if that passes, once without: they may yet go elsewhere.
 */
export function runFilterWithNominated(
  run: FilterRun,
  pod: PodModel,
  node: NodeInfo,
  cycle: Cycle,
  nominated: NominatedPods,
): FilterRefusal | undefined {
  const others = nominated(node.name).filter(it => it.priority >= pod.priority && it.id !== pod.id);
  if (others.length === 0) return runFilter(run, pod, node, cycle);
  let crowdedRun = run;
  let crowded = node;
  for (const other of others) [crowdedRun, crowded] = addPodTo(crowdedRun, pod, other, crowded);
  return runFilter(crowdedRun, pod, crowded, cycle) ?? runFilter(run, pod, node, cycle);
}

/**
 * What each of some nodes says, by its place among them; undefined where the Pod fits. The same as `runFilterWithNominated`
 * node by node, but asks plugin by plugin, so that answers about unchanged nodes come from the work of earlier cycles.
 */
export function filterNodes(
  run: FilterRun,
  pod: PodModel,
  nodes: readonly NodeInfo[],
  cycle: Cycle,
  { schedulerName }: Profile,
  nominated: NominatedPods,
): readonly (FilterRefusal | undefined)[] {
  const refusals = new Array<FilterRefusal | undefined>(nodes.length).fill(undefined);
  for (let i = 0; i < nodes.length && nominated !== nobodyNominated; i++) {
    const node = nodes[i]!;
    if (nominated(node.name).length > 0) refusals[i] = runFilterWithNominated(run, pod, node, cycle, nominated);
  }
  // A node that takes the Pod with those who are nominated takes it without them, too: it is asked again for nothing.
  for (const { asked, looksAt } of questionsOf(run)) {
    const ask = (node: NodeInfo): FilterRefusal | undefined => runFilter(asked, pod, node, cycle);
    if (looksAt) {
      cycle.work.fill(`${schedulerName}/filter/${signOf(asked, pod)}`, looksAt, ask, nodes, refusals);
      continue;
    }
    for (let i = 0; i < nodes.length; i++) refusals[i] ??= ask(nodes[i]!);
  }
  return refusals;
}

/** Plugins that follow each other and look equally far are one question, so that their answers are kept together. */
function questionsOf({ active }: FilterRun): readonly { readonly asked: FilterRun; readonly looksAt?: LooksAt }[] {
  const groups: (typeof active)[number][][] = [];
  for (const it of active) {
    const last = groups.at(-1);
    const looksAt = it.plugin.shares?.looksAt;
    if (looksAt !== undefined && last?.[0]?.plugin.shares?.looksAt === looksAt) last.push(it);
    else groups.push([it]);
  }
  return groups.map(active => {
    const asked = { active };
    const looksAt = active[0]?.plugin.shares?.looksAt;
    return looksAt === undefined ? { asked } : { asked, looksAt };
  });
}

/** All of a Pod that the filters of a run look at, where each looks at one node only; else undefined. */
export function signOf({ active }: FilterRun, pod: PodModel): string | undefined {
  const signs = active.map(({ plugin }) => plugin.shares && `${plugin.name}=${plugin.shares.sign(pod)}`);
  return signs.includes(undefined) ? undefined : signs.join('\n');
}

/** Filters a node whose Pods were changed in thought, and nothing of its Node object: what looks at that alone has passed. */
export function withoutNodeOnly(run: FilterRun): FilterRun {
  return { active: run.active.filter(it => it.plugin.shares?.looksAt !== 'node') };
}

/** A number for each of some nodes, in as few bytes as they need. */
export type Numbers = Uint8Array | Int32Array | Float64Array;

/** The scores of one plugin, by place among the feasible nodes. */
export interface ScoreColumn {
  readonly plugin: string;
  readonly weight: number;
  readonly raw: Numbers;
  readonly normalized: Numbers;
}

export interface Scores {
  readonly columns: readonly ScoreColumn[];
  readonly totals: Numbers;
}

/** Upstream: RunPreScorePlugins and RunScorePlugins over the feasible nodes. */
export function runScore(profile: Profile, pod: PodModel, cycle: Cycle, feasible: readonly NodeInfo[]): Scores {
  const states = new Map<string, unknown>();
  const skipped = new Set<string>();
  for (const plugin of profile.preScore) {
    const answer = plugin.preScore!(pod, cycle, feasible);
    if (answer.status.code === 'Skip') skipped.add(plugin.name);
    else states.set(plugin.name, answer.state);
  }
  // Every column is worked out in the same place and then kept in fewer bytes.
  const place = cycle.work.once('scores', () => new Float64Array(cycle.nodes.length)).subarray(0, feasible.length);
  const columns = profile.score
    .filter(it => !skipped.has(it.plugin.name))
    .map(({ plugin, weight }): ScoreColumn => {
      const state = states.get(plugin.name);
      const ask = (node: NodeInfo): number => plugin.score!(state, pod, node, cycle);
      const { shares } = plugin;
      if (shares) {
        const key = `${profile.schedulerName}/${plugin.name}/score/${shares.sign(pod)}`;
        cycle.work.numbers(key, shares.looksAt, ask, feasible, place);
      } else {
        for (let i = 0; i < feasible.length; i++) place[i] = ask(feasible[i]!);
      }
      const raw = compact(place);
      if (!plugin.normalizeScore) return { plugin: plugin.name, weight, raw, normalized: raw };
      plugin.normalizeScore(place, state, feasible);
      return { plugin: plugin.name, weight, raw, normalized: compact(place) };
    });
  place.fill(0);
  for (const { weight, normalized } of columns) {
    for (let i = 0; i < place.length; i++) place[i]! += normalized[i]! * weight;
  }
  return { columns, totals: compact(place) };
}

/** A copy in as few bytes as the numbers need: every attempt keeps its scores until somebody asks for them. */
function compact(numbers: Float64Array): Numbers {
  let min = 0;
  let max = 0;
  for (let i = 0; i < numbers.length; i++) {
    const it = numbers[i]!;
    if (it < min) min = it;
    if (it > max) max = it;
  }
  if (min >= 0 && max <= 255) return new Uint8Array(numbers);
  return min >= -(2 ** 31) && max < 2 ** 31 ? new Int32Array(numbers) : new Float64Array(numbers);
}

export function verdictOf(node: string, { columns, totals }: Scores, i: number): NodeVerdict {
  const scores: Record<string, PluginScore> = {};
  for (const { plugin, weight, raw, normalized } of columns) {
    scores[plugin] = { raw: raw[i]!, normalized: normalized[i]!, weighted: normalized[i]! * weight };
  }
  return { node, verdict: 'feasible', total: totals[i]!, scores };
}
