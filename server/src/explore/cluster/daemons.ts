import { objectOrEmpty } from '../../base/json';
import { t } from '../../base/l10n';
import type { Steps } from '../../base/steps';
import { daemonBounds } from '../../cluster/controllers/rolloutBounds';
import type { ScenarioAnswer } from './answer';
import { askNamedUpdate, exchanged, isRunning, type NamedSets } from './namedSets';
import type { Move, SpaceLimits } from './search';
import type { ExploredState } from './state';
import type { ExploredWorld, WorkloadModel } from './world';

/** Whether a rolling update of a DaemonSet always ends. Upstream: DaemonSetsController.rollingUpdate. */
export function* askDaemons(
  workload: number,
  model: WorkloadModel,
  world: ExploredWorld,
  limits: SpaceLimits,
): Steps<readonly ScenarioAnswer[]> {
  const { type = 'RollingUpdate' } = objectOrEmpty(objectOrEmpty(model.source.spec).updateStrategy);
  const bounds = daemonBounds(model.source, world.sets.filter(it => it.workload === workload).length);
  if (type !== 'RollingUpdate' || bounds === undefined) return [];
  const { surge, unavailable } = bounds;
  return yield* askNamedUpdate(
    workload,
    model,
    world,
    {
      isUpdated: () => true,
      movesFrom: (state, sets, its) =>
        surge > 0
          ? surging(model.title, surge, state, sets, its)
          : replacing(model.title, unavailable, state, sets, its),
      why(waiting) {
        const names = waiting.map(it => it.name).join(', ');
        const without = waiting.length === 1 ? t`${names} has no room` : t`${names} have no room`;
        return surge > 0
          ? t`${without} beside the old Pod (maxSurge ${surge}, maxUnavailable ${unavailable})`
          : t`${without} on its node (maxSurge ${surge}, maxUnavailable ${unavailable})`;
      },
    },
    limits,
  );
}

/** Old Pods go as long as few enough nodes are without a Pod; those that do not run go at once. */
function replacing(
  actor: string,
  most: number,
  state: ExploredState,
  sets: readonly NamedSets[],
  world: ExploredWorld,
): readonly Move<ExploredState>[] {
  const left = sets.filter(it => state.wanted[it.old]! > 0);
  const isUp = ({ old, next }: NamedSets): boolean => isRunning(old, state, world) || isRunning(next, state, world);
  const down = sets.filter(it => !isUp(it));
  const able = down.some(it => left.includes(it))
    ? left.filter(it => down.includes(it))
    : down.length < most
      ? left
      : [];
  return able.map(it => ({ by: { actor, step: t`replace ${it.name}` }, to: exchanged(it, state) }));
}

/** A new Pod is made beside the old one, which goes once the new one runs. */
function surging(
  actor: string,
  most: number,
  state: ExploredState,
  sets: readonly NamedSets[],
  world: ExploredWorld,
): readonly Move<ExploredState>[] {
  const left = sets.filter(it => state.wanted[it.old]! > 0);
  const [over] = left.filter(it => isRunning(it.next, state, world));
  if (over) return [{ by: { actor, step: t`delete the old ${over.name}` }, to: exchanged(over, state) }];
  const begun = left.filter(it => state.wanted[it.next]! > 0);
  const fresh = left.filter(it => state.wanted[it.next] === 0);
  const down = fresh.filter(it => !isRunning(it.old, state, world));
  const able = down.length > 0 ? down : begun.length < most ? fresh : [];
  return able.map(it => ({
    by: { actor, step: t`make a new ${it.name}` },
    to: { ...state, wanted: state.wanted.with(it.next, 1) },
  }));
}
