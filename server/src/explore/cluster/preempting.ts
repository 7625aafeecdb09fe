import { t } from '../../base/l10n';
import type { Decision } from '../../scheduler/framework/interface';
import { withDeleted } from './ending';
import type { Move } from './search';
import type { SeenState } from './seen';
import type { ExploredPod, ExploredState } from './state';
import type { ExploredWorld } from './world';

/**
 * What preemption may do for the Pod of an index that fits nowhere: victims begin to end, and the Pod waits, nominated to
 * their node. Others may take the room meanwhile. Upstream: preemption.Executor.prepareCandidate.
 */
export function preemptions(
  at: number,
  decisions: readonly Decision[],
  { state, models, cycle, world }: SeenState,
): readonly Move<ExploredState>[] {
  const { kinds } = world;
  const own = state.pods[at]!;
  const { model, name } = kinds[own.kind]!;
  const candidates = decisions.flatMap(({ nomination }) =>
    nomination === undefined || nomination === 'none' ? [] : (nomination.tied ?? [nomination]),
  );
  const chosen = new Map(candidates.map(it => [it.node, it]));
  if (chosen.size === 0) return decisions.some(it => it.nomination === 'none') ? withdrawn(at, state, world) : [];
  return [...chosen.values()].flatMap((it): readonly Move<ExploredState>[] => {
    const node = cycle.nodes.findIndex(other => other.name === it.node);
    const victims = new Set(it.victims.filter(victim => !victim.terminating).map(victim => victim.id));
    if (victims.size === 0 && own.nominated === node) return [];
    const deleted = state.pods.filter((_, i) => victims.has(models[i]!.id));
    const names = new Set(deleted.map(pod => kinds[pod.kind]!.name));
    const pods = state.pods.map((pod, i): ExploredPod => {
      if (i === at) return { ...pod, nominated: node };
      const isLower = pod.nominated === node && kinds[pod.kind]!.model.priority < model.priority;
      return isLower ? withoutNomination(pod) : pod;
    });
    const step =
      names.size === 0
        ? t`nominate ${name} to ${it.node}`
        : t`nominate ${name} to ${it.node}, evicting ${[...names].join(', ')}`;
    const by = { actor: 'scheduler', step };
    return [{ by, to: withDeleted({ ...state, pods }, deleted, world, 'preempted') }];
  });
}

/** Where preemption is of no use any more, the Pod is not nominated any more. */
function withdrawn(
  at: number,
  state: ExploredState,
  { kinds, scenario }: ExploredWorld,
): readonly Move<ExploredState>[] {
  const pod = state.pods[at]!;
  const node = scenario.cluster.nodes[pod.nominated ?? -1];
  if (node === undefined) return [];
  const by = { actor: 'scheduler', step: t`nominate ${kinds[pod.kind]!.name} to ${node.name} no more` };
  return [{ by, to: { ...state, pods: state.pods.with(at, withoutNomination(pod)) } }];
}

const withoutNomination = ({ kind, node, phase }: ExploredPod): ExploredPod => ({ kind, node, phase });
