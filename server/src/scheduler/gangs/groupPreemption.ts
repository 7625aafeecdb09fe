import type { PodModel } from '../../cluster/pods/podModel';
import { mapStates } from '../framework/cycle';
import type {
  FilterRun,
  GroupPostFilterAnswer,
  GroupPostFilterContext,
  GroupSnapshot,
  PodGroups,
  PodScheduler,
} from '../framework/interface';
import { type NodeInfo, withoutNomination, withoutPod, withPod } from '../framework/nodeInfo';
import { isPlaced } from './groupRun';
import { NO_VICTIMS } from './groupStatus';
import {
  byImportance,
  isTerminatingByPreemption,
  priorityAmong,
  splitByBudgets,
  type Victim,
  victimsAmong,
} from './victims';

/**
 * Makes room for a whole group anywhere in the cluster: removes all Pods of lower priority hypothetically, places the
 * group, then restores the victims one by one, protected and important ones first, as long as each Pod of the group
 * still fits its node. Upstream: PodGroupEvaluator.Preempt.
 */
export function preemptForGroup(context: GroupPostFilterContext, groups: PodGroups): GroupPostFilterAnswer {
  const answer = preempt(context, groups);
  return { ...answer, message: answer.message && `pod group preemption: ${answer.message}` };
}

function preempt(context: GroupPostFilterContext, groups: PodGroups): GroupPostFilterAnswer {
  const { group, pods, at, podScheduler } = context;
  const policy = group.preemptionPolicy ?? (pods.some(isNeverPreempting) ? 'Never' : 'PreemptLowerPriority');
  if (policy === 'Never') {
    return { code: 'Unschedulable', message: 'not eligible due to preemptionPolicy=Never.', ...NO_VICTIMS };
  }
  if (isOngoing(context, groups)) {
    const nominations = new Map(pods.map(it => [it.id, it.nominatedNodeName ?? '']));
    return { code: 'Success', message: 'ongoing preemption on nominated nodes', victims: [], nominations };
  }
  const potential = victimsAmong(at.nodes, at.nodes, groups).filter(it => it.priority < group.priority);
  if (potential.length === 0) {
    const message = 'No preemption victims found for incoming preemptor';
    return { code: 'UnschedulableAndUnresolvable', message, ...NO_VICTIMS };
  }
  const cleared = { ...at, nodes: withoutVictims(at.nodes, potential).map(withoutImages) };
  const run = context.schedule(cleared);
  if (run.status.code !== 'Success') {
    const code = run.status.code === 'Wait' ? 'Unschedulable' : run.status.code;
    return { code, message: run.status.reasons.join(', '), ...NO_VICTIMS };
  }
  const assignments = run.results
    .filter(isPlaced)
    .map(
      ({ pod, decision }): Assignment => ({ pod, node: decision.attempt.node!, run: decision.run ?? { active: [] } }),
    );
  const victims = reprieve([...potential].sort(byImportance), assignments, cleared, podScheduler);
  const leaving = victims.flatMap(it => it.pods);
  return {
    code: 'Success',
    message: `found a placement for podgroup, preempting ${leaving.length} victims`,
    victims: leaving,
    nominations: new Map(assignments.map(it => [it.pod.id, it.node])),
  };
}

function isNeverPreempting(pod: PodModel): boolean {
  return pod.spec.preemptionPolicy === 'Never';
}

/** Upstream: isOngoingPreemption. */
function isOngoing({ group, pods, at }: GroupPostFilterContext, groups: PodGroups): boolean {
  const nominated = new Set(pods.flatMap(it => it.nominatedNodeName ?? []));
  return at.nodes.some(
    it =>
      nominated.has(it.name) &&
      it.pods.some(pod => priorityAmong(pod, groups) < group.priority && isTerminatingByPreemption(pod)),
  );
}

function withoutVictims(nodes: readonly NodeInfo[], victims: readonly Victim[]): readonly NodeInfo[] {
  const ids = new Set(victims.flatMap(it => it.pods.map(pod => pod.id)));
  return nodes.map(node => node.pods.filter(it => ids.has(it.id)).reduce(withoutPod, node));
}

/**
 * Upstream tries this on a copy of its snapshot, and copies lose the information which nodes have an image:
 * ImageLocality scores none.
 */
function withoutImages(info: NodeInfo): NodeInfo {
  return info.node.images.size === 0 ? info : { ...info, node: { ...info.node, images: NO_IMAGES } };
}

const NO_IMAGES: NodeInfo['node']['images'] = new Map();

/** A Pod of the group, its node, and the filter states of its evaluation. */
interface Assignment {
  readonly pod: PodModel;
  readonly node: string;
  readonly run: FilterRun;
}

/** The victims that cannot be spared, most important first. */
function reprieve(
  potential: readonly Victim[],
  assignments: readonly Assignment[],
  cleared: GroupSnapshot,
  podScheduler: PodScheduler,
): readonly Victim[] {
  let nodes = cleared.nodes;
  let preemptors = assignments;
  const victims: Victim[] = [];
  for (const victim of splitByBudgets(potential, cleared.cluster.budgets).inOrder) {
    const back = broughtBack(victim, nodes, preemptors);
    if (!allFit(back.preemptors, { ...cleared, nodes: back.nodes }, podScheduler)) {
      victims.push(victim);
      continue;
    }
    nodes = back.nodes;
    preemptors = back.preemptors;
  }
  return victims.sort(byImportance);
}

function broughtBack(
  victim: Victim,
  nodes: readonly NodeInfo[],
  preemptors: readonly Assignment[],
): { readonly nodes: readonly NodeInfo[]; readonly preemptors: readonly Assignment[] } {
  let there = nodes;
  let states = preemptors;
  for (const pod of victim.pods) {
    there = there.map(it => (it.name === pod.nodeName ? withPod(it, pod) : it));
    const node = there.find(it => it.name === pod.nodeName);
    if (!node) continue;
    states = states.map(it => ({
      ...it,
      run: mapStates(it.run, ({ plugin, state }) => (plugin.addPod ? plugin.addPod(state, it.pod, pod, node) : state)),
    }));
  }
  return { nodes: there, preemptors: states };
}

/** Each Pod is filtered in a cluster where the group's previous Pods have their nodes. */
function allFit(assignments: readonly Assignment[], at: GroupSnapshot, podScheduler: PodScheduler): boolean {
  const nodes = [...at.nodes];
  let here: GroupSnapshot = { ...at, nodes };
  for (const { pod, node, run } of assignments) {
    const index = nodes.findIndex(it => it.name === node);
    const info = nodes[index];
    if (!info || !podScheduler.fits(run, pod, info, here)) return false;
    const taken = podScheduler.reserve(pod, node, here);
    nodes[index] = withPod(info, { ...withoutNomination(pod), nodeName: node });
    here = { ...here, cluster: taken?.cluster ?? here.cluster };
  }
  return true;
}
