import type { ClusterModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import { compareText } from '../../cluster/scenario';
import type { Cycle, FilterRefusal, FilterRun, PreFilterAnswer, Profile, Refusal, SchedulerPlugin } from './interface';
import { type NodeInfo, withPod } from './nodeInfo';
import { signatureOf } from './podSignature';
import type { Dependency, SharedWork } from './sharedWork';
import { failure, isRefusal, unresolvable } from './status';

export type PreFilterOutcome =
  | {
      readonly run: FilterRun;
      /** Absent: all nodes. */
      readonly nodeNames?: ReadonlySet<string>;
      /** The plugins that narrowed the nodes, sorted by name. */
      readonly narrowedBy: readonly string[];
    }
  | { readonly rejection: Refusal; readonly plugin: string; readonly ran: readonly string[] };

/** The Pods nominated to a node. Upstream: the queue's nominator. */
export type NominatedPods = (node: string) => readonly PodModel[];

const NO_PODS: readonly PodModel[] = [];
export const noNominatedPods: NominatedPods = () => NO_PODS;

export function makeCycle(cluster: ClusterModel, nodes: readonly NodeInfo[], work: SharedWork): Cycle {
  const indexes = work.always('indexes', () => new Map(nodes.map((it, i) => [it.name, i])));
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
  const shared = sharedPreFilterAnswers(profile, pod, cycle);
  for (const [i, plugin] of profile.preFilter.entries()) {
    const answer = shared[i] ?? plugin.preFilter!(pod, cycle);
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
      // Preemption runs later in this cycle and needs the states of all other plugins.
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
    const plugins: readonly string[] = [...narrowedBy].sort(compareText);
    const reason =
      plugins.length === 1
        ? `node(s) didn't satisfy plugin ${plugins[0]}`
        : `node(s) didn't satisfy plugin(s) [${plugins.join(' ')}] simultaneously`;
    return { rejection: unresolvable(reason), plugin: plugin.name, ran };
  }
  if (later) return { ...later, ran };
  const active: FilterRun['active'][number][] = [];
  for (const plugin of profile.filter) {
    if (!skipped.has(plugin.name)) active.push({ plugin, state: states.get(plugin.name) });
  }
  const run = { active };
  return nodeNames ? { run, nodeNames, narrowedBy: narrowedBy.sort(compareText) } : { run, narrowedBy };
}

/**
 * PreFilter answers of the plugins that read the Pod alone, by index in the profile; undefined for the other plugins.
 */
export function sharedPreFilterAnswers(
  { preFilter }: Pick<Profile, 'preFilter'>,
  pod: PodModel,
  cycle: Cycle,
): readonly (PreFilterAnswer<unknown> | undefined)[] {
  const isShared = (it: SchedulerPlugin): boolean => signatureOf(it, pod, cycle.work) !== undefined;
  const ask = () => preFilter.map(it => (isShared(it) ? it.preFilter!(pod, cycle) : undefined));
  return cycle.work.alwaysForClass(pod)(preFilter, ask);
}

/** Upstream: RunFilterPlugins. The first plugin that rejects decides. */
export function runFilter(run: FilterRun, pod: PodModel, node: NodeInfo, cycle: Cycle): FilterRefusal | undefined {
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

/** The filter states and the node as if `added` ran there as well. */
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
 * Upstream: RunFilterPluginsWithNominatedPods. Filters once with the Pods of equal or higher priority that are
 * nominated to the node and, if that passes, once without them, since they may still go elsewhere.
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
  let runWithNominated = run;
  let nodeWithNominated = node;
  for (const other of others)
    [runWithNominated, nodeWithNominated] = addPodTo(runWithNominated, pod, other, nodeWithNominated);
  return runFilter(runWithNominated, pod, nodeWithNominated, cycle) ?? runFilter(run, pod, node, cycle);
}

/**
 * The refusal of each node, by its index in `nodes`; undefined where the Pod fits. The same result as
 * `runFilterWithNominated` node by node, but computed plugin by plugin, so that answers about unchanged nodes come from
 * earlier cycles.
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
  for (let i = 0; i < nodes.length && nominated !== noNominatedPods; i++) {
    const node = nodes[i]!;
    if (nominated(node.name).length > 0) refusals[i] = runFilterWithNominated(run, pod, node, cycle, nominated);
  }
  // A node that accepts the Pod together with its nominated Pods is filtered a second time below; it accepts the Pod
  // without them, too.
  for (const { run: group, dependsOn } of filterGroups(run, pod, cycle.work)) {
    const ask = (node: NodeInfo): FilterRefusal | undefined => runFilter(group, pod, node, cycle);
    if (dependsOn === undefined) {
      for (let i = 0; i < nodes.length; i++) refusals[i] ??= ask(nodes[i]!);
      continue;
    }
    const key = `${schedulerName}/filter/${runSignature(group, pod, cycle.work)}`;
    const shared = cycle.work.answers(key, dependsOn, ask, nodes);
    if (nodes === cycle.nodes) for (let i = 0; i < nodes.length; i++) refusals[i] ??= shared[i];
    else for (let i = 0; i < nodes.length; i++) refusals[i] ??= shared[nodes[i]!.index];
  }
  return refusals;
}

/** Adjacent plugins with the same dependency form one group, whose answers are cached together. */
function filterGroups(
  { active }: FilterRun,
  pod: PodModel,
  work: SharedWork,
): readonly { readonly run: FilterRun; readonly dependsOn: Dependency | undefined }[] {
  const groups: { readonly run: { readonly active: (typeof active)[number][] }; dependsOn: Dependency | undefined }[] =
    [];
  for (const it of active) {
    const last = groups.at(-1);
    const dependsOn = signatureOf(it.plugin, pod, work) === undefined ? undefined : it.plugin.shares?.dependsOn;
    if (dependsOn !== undefined && last?.dependsOn === dependsOn) last.run.active.push(it);
    else groups.push({ run: { active: [it] }, dependsOn });
  }
  return groups;
}

/** Everything of a Pod that a run's filters read; undefined unless all of them share their answers. */
export function runSignature({ active }: FilterRun, pod: PodModel, work: SharedWork): string | undefined {
  const signatures = active.map(({ plugin }) => signatureOf(plugin, pod, work));
  return signatures.includes(undefined)
    ? undefined
    : active.map((it, i) => `${it.plugin.name}=${signatures[i]}`).join('\n');
}

/**
 * For a node whose Pods were changed hypothetically and whose Node object was not: filters that read the Node object
 * alone have passed already.
 */
export function withoutNodeFilters(run: FilterRun, pod: PodModel, work: SharedWork): FilterRun {
  const needsMoreThanNode = ({ plugin }: { readonly plugin: SchedulerPlugin }): boolean =>
    plugin.shares?.dependsOn !== 'node' || signatureOf(plugin, pod, work) === undefined;
  return { active: run.active.filter(needsMoreThanNode) };
}
