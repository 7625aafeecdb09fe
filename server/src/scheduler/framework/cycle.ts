import { compareText } from '../../cluster/fromObjects';
import type { ClusterModel, PodModel } from '../../cluster/model';
import type { NodeVerdict, PluginScore } from '../result';
import { type NodeInfo, withPod } from './nodeInfo';
import { type Cycle, isRefusal, type Refusal, type SchedulerPlugin, unresolvable } from './plugin';
import type { Profile } from './profile';

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

export function makeCycle(cluster: ClusterModel, nodes: readonly NodeInfo[]): Cycle {
  return { cluster, nodes, nodeNamed: name => nodes.find(it => it.name === name) };
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
export function runFilter(run: FilterRun, pod: PodModel, node: NodeInfo, cycle: Cycle): FilterRefusal | undefined {
  for (const { plugin, state } of run.active) {
    const status = plugin.filter!(state, pod, node, cycle);
    if (isRefusal(status)) return { plugin: plugin.name, status };
  }
  return undefined;
}

/** The states and the node as if `added` ran there, too. */
export function addPodTo(run: FilterRun, pod: PodModel, added: PodModel, node: NodeInfo): [FilterRun, NodeInfo] {
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

export interface ScoredNode {
  readonly node: NodeInfo;
  readonly scores: Readonly<Record<string, PluginScore>>;
  readonly total: number;
}

/** Upstream: RunPreScorePlugins and RunScorePlugins over the feasible nodes. */
export function runScore(
  profile: Profile,
  pod: PodModel,
  cycle: Cycle,
  feasible: readonly NodeInfo[],
): readonly ScoredNode[] {
  const states = new Map<string, unknown>();
  const skipped = new Set<string>();
  for (const plugin of profile.preScore) {
    const answer = plugin.preScore!(pod, cycle, feasible);
    if (answer.status.code === 'Skip') skipped.add(plugin.name);
    else states.set(plugin.name, answer.state);
  }
  const columns = profile.score
    .filter(it => !skipped.has(it.plugin.name))
    .map(({ plugin, weight }) => {
      const state = states.get(plugin.name);
      const raw = feasible.map(it => plugin.score!(state, pod, it, cycle));
      const normalized = plugin.normalizeScore?.(raw, state, feasible) ?? raw;
      return { name: plugin.name, weight, raw, normalized };
    });
  return feasible.map((node, i) => {
    const scores: Record<string, PluginScore> = {};
    let total = 0;
    for (const { name, weight, raw, normalized } of columns) {
      const weighted = normalized[i]! * weight;
      scores[name] = { raw: raw[i]!, normalized: normalized[i]!, weighted };
      total += weighted;
    }
    return { node, scores, total };
  });
}

export function verdictOf(scored: ScoredNode): NodeVerdict {
  return { node: scored.node.name, verdict: 'feasible', total: scored.total, scores: scored.scores };
}
