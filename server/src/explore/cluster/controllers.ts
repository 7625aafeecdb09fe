import { t } from '../../base/l10n';
import { largest, smallest } from '../../base/manyItems';
import { isTolerated } from '../../cluster/pods/tolerations';
import type { Taint } from '../../kube/types';
import { isCrowded, withDeleted } from './ending';
import { bound } from './scheduling';
import type { Move } from './search';
import { clusterOf, type ExploredPod, type ExploredState, isEnding } from './state';
import type { ExploredWorld } from './world';

/**
 * What controllers and kubelets do next of themselves; empty: nothing. They are quick beside a scheduler, a drain or a
 * person, so that nothing else happens before they are done.
 */
export function controllerMoves(state: ExploredState, world: ExploredWorld): readonly Move<ExploredState>[] {
  const started = startedPods(state, world);
  if (started !== undefined) return [started];
  for (const set of world.sets.keys()) {
    const moves = replicaMoves(set, state, world);
    if (moves.length > 0) return moves;
  }
  return [];
}

/** A Pod starts once no Pod on another node holds its volume. */
function startedPods(state: ExploredState, world: ExploredWorld): Move<ExploredState> | undefined {
  for (const [i, pod] of state.pods.entries()) {
    if (pod.phase !== 'starts') continue;
    const others = state.pods.filter(it => it !== pod && it.phase !== 'starts');
    const now = bound(pod, pod.node, { pods: others }, world);
    if (now.phase !== 'runs') continue;
    const step = t`start ${world.kinds[pod.kind]!.name} on ${nodeName(pod, world)}`;
    return { by: { actor: 'kubelet', step }, to: { ...state, pods: state.pods.with(i, now) } };
  }
  return undefined;
}

/** Upstream: ReplicaSetController.manageReplicas. */
function replicaMoves(set: number, state: ExploredState, world: ExploredWorld): readonly Move<ExploredState>[] {
  const { kinds, sets } = world;
  const own = state.pods.filter(it => !isEnding(it) && kinds[it.kind]!.set === set);
  const missing = missingOf(set, own.length, state, world);
  if (missing === 0) return [];
  const actor = titleOf(set, world);
  if (missing < 0) {
    return surplus(own, state, world).map(pod => ({
      by: { actor, step: t`delete ${placedName(pod, kinds[pod.kind]!.name, world)}` },
      to: withDeleted(state, [pod], world),
    }));
  }
  const { made } = sets[set]!;
  const { namedNode, name } = kinds[made]!;
  const waiting: ExploredPod = { kind: made, node: -1, phase: 'waits' };
  const fresh = namedNode === undefined || namedNode < 0 ? waiting : bound(waiting, namedNode, state, world);
  const count = missing === 1 ? '' : `${missing} × `;
  const pods = [...state.pods, ...Array.from({ length: missing }, () => fresh)];
  return [{ by: { actor, step: t`make ${count}${placedName(fresh, name, world)}` }, to: { ...state, pods } }];
}

/** How many Pods a controller makes next; negative: so many are too many. */
function missingOf(
  set: number,
  active: number,
  { pods, wanted }: ExploredState,
  { kinds, sets }: ExploredWorld,
): number {
  const missing = wanted[set]! - active;
  const { place } = sets[set]!;
  if (missing <= 0 || place === undefined) return missing;
  const ending = pods.filter(it => isEnding(it) && sets[kinds[it.kind]!.set ?? -1]?.place === place);
  return Math.max(0, missing - ending.length);
}

/** The Pods that may go first, one of each kind and node. Upstream: controller.ActivePodsWithRanks. */
function surplus(
  own: readonly ExploredPod[],
  state: ExploredState,
  { kinds, sets }: ExploredWorld,
): readonly ExploredPod[] {
  const workloadOf = (it: ExploredPod): number | undefined => sets[kinds[it.kind]!.set ?? -1]?.workload;
  const rankOf = (it: ExploredPod): number =>
    state.pods.filter(other => !isEnding(other) && other.node === it.node && workloadOf(other) === workloadOf(it))
      .length;
  const orderOf = (it: ExploredPod): number => {
    if (it.node < 0) return 0;
    return it.phase === 'starts' ? 1 : 2;
  };
  const least = smallest(own.map(orderOf));
  const first = own.filter(it => orderOf(it) === least);
  const most = largest(first.map(it => (it.node < 0 ? 0 : rankOf(it))));
  const chosen = first.filter(it => it.node < 0 || rankOf(it) === most);
  return [...new Map(chosen.map(it => [`${it.kind}@${it.node}`, it])).values()];
}

/** Pods that a NoExecute taint drives off their nodes, sooner or later. Upstream: tainteviction.Controller.processPodOnNode. */
export function taintMoves(state: ExploredState, world: ExploredWorld): readonly Move<ExploredState>[] {
  const { nodes } = clusterOf(state, world);
  const seen = new Set<string>();
  return state.pods.flatMap((pod): readonly Move<ExploredState>[] => {
    const taints = nodes[pod.node]?.taints.filter(it => it.effect === 'NoExecute') ?? [];
    const { model, name } = world.kinds[pod.kind]!;
    const stays = taints.every(it => isBorne(it, model.spec.tolerations ?? []));
    const sign = `${pod.kind}@${pod.node}`;
    if (stays || isEnding(pod) || isCrowded(pod, state, world) || seen.has(sign)) return [];
    seen.add(sign);
    const by = { actor: 'taint eviction', step: t`evict ${name} from ${nodeName(pod, world)}` };
    return [{ by, to: withDeleted(state, [pod], world) }];
  });
}

/** Whether a taint is tolerated for ever. */
function isBorne(taint: Taint, tolerations: Parameters<typeof isTolerated>[1]): boolean {
  const own = tolerations.filter(it => isTolerated(taint, [it], 'on'));
  return own.length > 0 && own.every(it => it.tolerationSeconds === undefined);
}

export function titleOf(set: number, { sets, workloads, kinds }: ExploredWorld): string {
  const { workload, made } = sets[set]!;
  return workload === undefined ? t`controller of ${kinds[made]!.name}` : workloads[workload]!.title;
}

/** The name of the Pod, with its node where it has one. */
function placedName(pod: ExploredPod, name: string, world: ExploredWorld): string {
  return pod.node < 0 ? name : t`${name} on ${nodeName(pod, world)}`;
}

export function nodeName({ node }: Pick<ExploredPod, 'node'>, { scenario }: ExploredWorld): string {
  return scenario.cluster.nodes[node]?.name ?? '';
}
