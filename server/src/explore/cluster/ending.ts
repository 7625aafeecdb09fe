import { t } from '../../base/l10n';
import type { Move } from './search';
import { type ExploredPod, type ExploredState, isEnding } from './state';
import type { ExploredWorld } from './world';

/**
 * The state after some Pods were deleted. They hold their room until they have ended; what never started and what has no grace
 * period is gone at once. Upstream: rest.BeforeDelete and the CheckGracefulDelete of Pods.
 */
export function withDeleted(
  state: ExploredState,
  deleted: readonly ExploredPod[],
  world: ExploredWorld,
  phase: 'ends' | 'preempted' = 'ends',
): ExploredState {
  const pods = state.pods.flatMap((pod): readonly ExploredPod[] => {
    if (!deleted.includes(pod)) return [pod];
    return isGoneAtOnce(pod, state, world) ? [] : [{ kind: pod.kind, node: pod.node, phase }];
  });
  return { ...state, pods };
}

function isGoneAtOnce({ kind, node, phase }: ExploredPod, { nodes }: ExploredState, { kinds }: ExploredWorld): boolean {
  const isUnstarted = node < 0 || (phase === 'starts' && nodes[node] !== 'lost');
  return isUnstarted || kinds[kind]!.model.spec.terminationGracePeriodSeconds === 0;
}

/**
 * Whether as many Pods like this one end on its node as its controller keeps: what comes back there at once is not followed further.
 */
export function isCrowded(
  { kind, node }: ExploredPod,
  { pods, wanted }: ExploredState,
  { kinds }: ExploredWorld,
): boolean {
  const ending = pods.filter(it => isEnding(it) && it.kind === kind && it.node === node).length;
  return ending > 0 && ending >= (wanted[kinds[kind]!.set ?? -1] ?? 1);
}

/** Each Pod that ends may be gone next, unless its node does not answer: a kubelet must say so. */
export function endings({ pods, ...state }: ExploredState, world: ExploredWorld): readonly Move<ExploredState>[] {
  const canEnd = (it: ExploredPod): boolean => isEnding(it) && state.nodes[it.node] !== 'lost';
  const ending = new Map(
    pods.flatMap((it, i) => (canEnd(it) ? [[`${it.kind}@${it.node}${it.phase}`, i] as const] : [])),
  );
  return [...ending.values()].map(i => {
    const { kind, node } = pods[i]!;
    const step = t`${world.kinds[kind]!.name} on ${world.scenario.cluster.nodes[node]?.name ?? ''} has ended`;
    return { by: { actor: 'kubelet', step }, to: { ...state, pods: pods.toSpliced(i, 1) } };
  });
}
