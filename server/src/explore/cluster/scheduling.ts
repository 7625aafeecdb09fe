import type { PodModel } from '../../cluster/pods/podModel';
import { schedulePod } from '../../scheduler/cycle/schedulePod';
import { reserve } from '../../scheduler/cycle/schedulingCycle';
import { makeCycle, noNominatedPods } from '../../scheduler/framework/cycle';
import type { Cycle, Decision, PreemptionCandidate } from '../../scheduler/framework/interface';
import { nodeInfos } from '../../scheduler/framework/nodeInfo';
import { sharedWork } from '../../scheduler/framework/sharedWork';
import type { Move } from './search';
import { clusterOf, type ExploredPod, type ExploredState, keyOf, podModels } from './state';
import type { ExploredWorld } from './world';

/** Decisions of the scheduler, kept by the state of the cluster. */
export interface SchedulerMoves {
  /** Each Pod that may be placed next, with each node that the scheduler may choose; those of the highest priority alone. */
  from(state: ExploredState): readonly Move<ExploredState>[];
}

/** `describe` names a Pod of a kind in a step. */
export function createScheduler(world: ExploredWorld): SchedulerMoves {
  const known = new Map<string, readonly Move<ExploredState>[]>();
  return {
    from(state) {
      if (!state.pods.some(it => it.phase === 'waits')) return [];
      const key = keyOf(state, world);
      // States with one key may have the names of equal nodes exchanged, so that their moves differ in names.
      const exact = `${key}|${state.pods.map(it => `${it.kind}@${it.node}`).join()}`;
      const found = known.get(exact) ?? movesFrom(state, world);
      known.set(exact, found);
      return found;
    },
  };
}

function movesFrom(state: ExploredState, world: ExploredWorld): readonly Move<ExploredState>[] {
  const { kinds } = world;
  const waiting = [...new Set(state.pods.flatMap(it => (it.phase === 'waits' ? it.kind : [])))];
  const able = waiting.filter(it => !kinds[it]!.isHeld && kinds[it]!.namedNode === undefined);
  const priorities = [...new Set(able.map(it => kinds[it]!.model.priority))].sort((a, b) => b - a);
  const models = podModels(state, world);
  const cluster = clusterOf(state, world, models);
  const nodes = nodeInfos(cluster);
  const cycle = makeCycle(cluster, nodes, sharedWork(nodes.length));
  for (const priority of priorities) {
    const ofPriority = able.filter(it => kinds[it]!.model.priority === priority);
    const moves = ofPriority.flatMap(it => placements(it, state, models, cycle, world));
    if (moves.length > 0) return moves;
  }
  return [];
}

function placements(
  kind: number,
  state: ExploredState,
  models: readonly PodModel[],
  cycle: Cycle,
  world: ExploredWorld,
): readonly Move<ExploredState>[] {
  const at = state.pods.findIndex(it => it.kind === kind && it.phase === 'waits');
  const model = models[at]!;
  const profile = world.profiles.get(model.schedulerName)!;
  const starts = profile.score.length === 0 ? cycle.nodes.keys() : [0];
  const decisions = [...starts].map(start =>
    schedulePod(model, { ...cycle, nominated: noNominatedPods, start }, profile),
  );
  const chosen = new Map(decisions.flatMap(candidatesOf).map(it => [it.node, it]));
  const { name } = world.kinds[kind]!;
  return [...chosen.values()].flatMap((it): readonly Move<ExploredState>[] => {
    const node = cycle.nodes.findIndex(other => other.name === it.node);
    const taken = reserve(model, it.node, cycle, profile);
    if (taken?.failed) return [];
    const gone = new Set(it.victims.map(victim => victim.id));
    const after: ExploredState = {
      ...state,
      ...(taken?.cluster && {
        storage: taken.cluster.storage,
        devices: taken.cluster.devices,
        taken: `${state.taken}${kind}@${node};`,
      }),
      pods: state.pods.flatMap((pod, i) =>
        i === at ? bound(pod, node, state, world) : gone.has(models[i]!.id) ? [] : pod,
      ),
    };
    const victims = [
      ...new Set(state.pods.flatMap((pod, i) => (gone.has(models[i]!.id) ? world.kinds[pod.kind]!.name : []))),
    ];
    const evicting = victims.length === 0 ? '' : `, evicting ${victims.join(', ')}`;
    return [{ by: { actor: 'scheduler', step: `${name} to ${it.node}${evicting}` }, to: after }];
  });
}

/** A volume that is attached to another node keeps the Pod from starting. Upstream: the attach detach controller's Multi-Attach error. */
export function bound(
  pod: ExploredPod,
  node: number,
  { pods }: Pick<ExploredState, 'pods'>,
  { kinds }: ExploredWorld,
): ExploredPod {
  const claims = kinds[pod.kind]!.oneNodeClaims;
  const isElsewhere = pods.some(
    it => it.node >= 0 && it.node !== node && kinds[it.kind]!.oneNodeClaims.some(claim => claims.includes(claim)),
  );
  return { ...pod, node, phase: isElsewhere ? 'starts' : 'runs' };
}

function candidatesOf({ attempt: { node, tiedNodes }, nomination }: Decision): readonly PreemptionCandidate[] {
  if (node !== undefined) return (tiedNodes ?? [node]).map(it => ({ node: it, victims: [] }));
  if (nomination === undefined || nomination === 'none') return [];
  return nomination.tied ?? [nomination];
}
