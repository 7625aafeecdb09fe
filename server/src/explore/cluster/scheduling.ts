import { t } from '../../base/l10n';
import { schedulePod } from '../../scheduler/cycle/schedulePod';
import { reserve } from '../../scheduler/cycle/schedulingCycle';
import type { Profile } from '../../scheduler/framework/interface';
import { endings } from './ending';
import { preemptions } from './preempting';
import type { Move } from './search';
import { createSight, type SeenState } from './seen';
import { type ExploredPod, type ExploredState, isEnding, placeOf } from './state';
import type { ExploredWorld, PodKind } from './world';

/** Decisions of the scheduler, kept by the state of the cluster. */
export interface SchedulerMoves {
  /** Each Pod that may be placed next, with each node that the scheduler may choose; those of the highest priority alone. */
  from(state: ExploredState): readonly Move<ExploredState>[];
}

export function createScheduler(world: ExploredWorld): SchedulerMoves {
  const known = new Map<string, readonly Move<ExploredState>[]>();
  const see = createSight(world);
  return {
    from(state) {
      if (!state.pods.some(it => it.phase === 'waits' || isEnding(it))) return [];
      // Not the key of the state: with the names of equal nodes exchanged, moves differ in names.
      const { pods, nodes, wanted, taken } = state;
      const exact = [pods.map(placeOf), nodes, wanted, taken].join('|');
      const found = known.get(exact) ?? [...movesFrom(state, world, see), ...endings(state, world)];
      known.set(exact, found);
      return found;
    },
  };
}

function movesFrom(
  state: ExploredState,
  world: ExploredWorld,
  see: (state: ExploredState) => SeenState,
): readonly Move<ExploredState>[] {
  const { kinds } = world;
  // Pods of one kind that wait are equal unless they are nominated to different nodes.
  const waiting = new Map<string, number>();
  for (const [i, { kind, phase, nominated }] of state.pods.entries()) {
    const sign = `${kind}@${nominated ?? ''}`;
    if (phase === 'waits' && !waiting.has(sign)) waiting.set(sign, i);
  }
  const kindAt = (i: number): PodKind => kinds[state.pods[i]!.kind]!;
  const able = [...waiting.values()].filter(i => !kindAt(i).isHeld && kindAt(i).namedNode === undefined);
  if (able.length === 0) return [];
  const priorities = [...new Set(able.map(i => kindAt(i).model.priority))].sort((a, b) => b - a);
  const seen = see(state);
  for (const priority of priorities) {
    const ofPriority = able.filter(i => kindAt(i).model.priority === priority);
    const moves = ofPriority.flatMap(i => decisionsFor(i, seen));
    if (moves.length > 0) return moves;
  }
  return [];
}

/** What the scheduler may do with the Pod of an index. */
function decisionsFor(at: number, seen: SeenState): readonly Move<ExploredState>[] {
  const { models, cycle, world } = seen;
  const model = models[at]!;
  const profile = world.profiles.get(model.schedulerName)!;
  const starts = profile.score.length === 0 ? cycle.nodes.keys() : [0];
  const decisions = [...starts].map(start => schedulePod(model, { ...cycle, start }, profile));
  const nodes = new Set(
    decisions.flatMap(({ attempt: { node, tiedNodes } }) => (node === undefined ? [] : (tiedNodes ?? [node]))),
  );
  if (nodes.size > 0) return [...nodes].flatMap(it => placed(at, it, profile, seen));
  return preemptions(at, decisions, seen);
}

function placed(
  at: number,
  chosen: string,
  profile: Profile,
  { state, models, cycle, world }: SeenState,
): readonly Move<ExploredState>[] {
  const node = cycle.nodes.findIndex(it => it.name === chosen);
  const taken = reserve(models[at]!, chosen, cycle, profile);
  if (taken?.failed) return [];
  const { kind } = state.pods[at]!;
  const to: ExploredState = {
    ...state,
    ...(taken?.cluster && {
      storage: taken.cluster.storage,
      devices: taken.cluster.devices,
      taken: `${state.taken}${kind}@${node};`,
    }),
    pods: state.pods.with(at, bound({ kind, node, phase: 'waits' }, node, state, world)),
  };
  return [{ by: { actor: 'scheduler', step: `${world.kinds[kind]!.name}${t(' to ')}${chosen}` }, to }];
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
