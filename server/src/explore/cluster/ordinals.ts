import { asInteger, objectOrEmpty } from '../../base/json';
import { t } from '../../base/l10n';
import type { Steps } from '../../base/steps';
import { mostUnavailableOrdinals } from '../../cluster/controllers/rolloutBounds';
import type { ScenarioAnswer } from './answer';
import { askNamedUpdate, exchanged, isRunning, type NamedSets } from './namedSets';
import type { Move, SpaceLimits } from './search';
import type { ExploredState } from './state';
import type { ExploredWorld, WorkloadModel } from './world';

/** How a StatefulSet exchanges its Pods. */
interface OrdinalUpdate {
  readonly title: string;
  readonly order: 'ordered' | 'parallel';
  /** How many may be unavailable; one: the gate MaxUnavailableStatefulSet is off. */
  readonly most: number | 'one';
  readonly isUpdated: (sets: NamedSets) => boolean;
}

/** Whether a rolling update of a StatefulSet always ends. Upstream: defaultStatefulSetControl.updateStatefulSet. */
export function* askOrdinals(
  workload: number,
  model: WorkloadModel,
  world: ExploredWorld,
  limits: SpaceLimits,
): Steps<readonly ScenarioAnswer[]> {
  const { updateStrategy, podManagementPolicy } = objectOrEmpty(model.source.spec);
  const { type = 'RollingUpdate', rollingUpdate } = objectOrEmpty(updateStrategy);
  if (type !== 'RollingUpdate') return [];
  const partition = asInteger(objectOrEmpty(rollingUpdate).partition) ?? 0;
  const replicas = world.sets.filter(it => it.workload === workload).length;
  const isUpdated = ({ name }: NamedSets): boolean => ordinalOf(name) >= partition;
  const update: OrdinalUpdate = {
    title: model.title,
    order: podManagementPolicy === 'Parallel' ? 'parallel' : 'ordered',
    most: world.gates.isOn('MaxUnavailableStatefulSet') ? mostUnavailableOrdinals(model.source, replicas) : 'one',
    isUpdated,
  };
  return yield* askNamedUpdate(
    workload,
    model,
    world,
    {
      isUpdated,
      movesFrom: (state, sets, its) =>
        update.order === 'ordered' ? inOrder(update, state, sets, its) : inParallel(update, state, sets, its),
      why(waiting) {
        const names = waiting.map(it => it.name).join(', ');
        const without = waiting.length === 1 ? t`${names} has no node` : t`${names} have no node`;
        return update.most === 'one' || update.most === 1
          ? t`${without}, and the Pods are updated one after the other`
          : t`${without}, and the Pods are updated at most ${update.most} at a time`;
      },
    },
    limits,
  );
}

const ordinalOf = (name: string): number => Number(name.slice(name.lastIndexOf('-') + 1));

/** Once all Pods are available the highest ordinals go; they are made again from the lowest one on. Upstream: processReplica. */
function inOrder(
  { title, most, isUpdated }: OrdinalUpdate,
  state: ExploredState,
  sets: readonly NamedSets[],
  world: ExploredWorld,
): readonly Move<ExploredState>[] {
  const waiting = sets.find(it => !isUp(it, state, world));
  if (waiting !== undefined) {
    const isGone = state.wanted[waiting.old] === 0 && state.wanted[waiting.next] === 0;
    return isGone ? [{ by: { actor: title, step: t`make ${waiting.name} again` }, to: exchanged(waiting, state) }] : [];
  }
  const left = sets.filter(it => isUpdated(it) && state.wanted[it.old]! > 0);
  const [lowest, ...others] = left.slice(-Number(most === 'one' ? 1 : most));
  if (lowest === undefined) return [];
  const without = others.reduce((wanted, { old }) => wanted.with(old, 0), state.wanted);
  return [replacing(title, [lowest, ...others], exchanged(lowest, { ...state, wanted: without }))];
}

/** Upstream: updateStatefulSetAfterInvariantEstablished with ParallelPodManagement. */
function inParallel(
  { title, most, isUpdated }: OrdinalUpdate,
  state: ExploredState,
  sets: readonly NamedSets[],
  world: ExploredWorld,
): readonly Move<ExploredState>[] {
  const isOld = ({ old }: NamedSets): boolean => state.wanted[old]! > 0;
  if (most === 'one') {
    const next = sets.findLast(it => isUpdated(it) && (isOld(it) || !isUp(it, state, world)));
    return next !== undefined && isOld(next) ? [replacing(title, [next], exchanged(next, state))] : [];
  }
  const down = sets.filter(it => !isUp(it, state, world));
  const left = sets.filter(it => isUpdated(it) && isOld(it));
  const room = Math.max(0, most - down.length);
  const able = left.filter(it => !down.includes(it));
  const gone = [...left.filter(it => down.includes(it)), ...able.slice(able.length - Math.min(room, able.length))];
  return gone.length === 0
    ? []
    : [
        replacing(
          title,
          gone,
          gone.reduce((it, set) => exchanged(set, it), state),
        ),
      ];
}

const isUp = ({ old, next }: NamedSets, state: ExploredState, world: ExploredWorld): boolean =>
  isRunning(old, state, world) || isRunning(next, state, world);

function replacing(actor: string, sets: readonly NamedSets[], to: ExploredState): Move<ExploredState> {
  return { by: { actor, step: t`replace ${sets.map(it => it.name).join(', ')}` }, to };
}
