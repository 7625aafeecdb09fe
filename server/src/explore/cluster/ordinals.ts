import { asInteger, objectOrEmpty } from '../../base/json';
import type { Steps } from '../../base/steps';
import type { ScenarioAnswer } from './answer';
import { askNamedUpdate, exchanged, isRunning, type NamedSets } from './namedSets';
import type { SpaceLimits } from './search';
import type { ExploredState } from './state';
import type { ExploredWorld, WorkloadModel } from './world';

/** Whether a rolling update of a StatefulSet always ends. The podManagementPolicy does not change how Pods are updated. */
export function* askOrdinals(
  workload: number,
  model: WorkloadModel,
  world: ExploredWorld,
  limits: SpaceLimits,
): Steps<readonly ScenarioAnswer[]> {
  const { updateStrategy } = objectOrEmpty(model.source.spec);
  const { type = 'RollingUpdate', rollingUpdate } = objectOrEmpty(updateStrategy);
  if (type !== 'RollingUpdate') return [];
  const partition = asInteger(objectOrEmpty(rollingUpdate).partition) ?? 0;
  const isUpdated = ({ name }: NamedSets): boolean => ordinalOf(name) >= partition;
  return yield* askNamedUpdate(
    workload,
    model,
    world,
    {
      isUpdated,
      movesFrom: (state, sets, its) => nextOrdinal(model.title, state, sets, isUpdated, its),
      why: waiting =>
        `${waiting.map(it => it.name).join(', ')} has no node, and the Pods are updated one after the other`,
    },
    limits,
  );
}

const ordinalOf = (name: string): number => Number(name.slice(name.lastIndexOf('-') + 1));

/** The highest ordinal first, and the next one once all Pods are available. Upstream: defaultStatefulSetControl.updateStatefulSet. */
function nextOrdinal(
  actor: string,
  state: ExploredState,
  sets: readonly NamedSets[],
  isUpdated: (sets: NamedSets) => boolean,
  world: ExploredWorld,
) {
  const isHealthy = sets.every(({ old, next }) => isRunning(old, state, world) || isRunning(next, state, world));
  const ordinal = sets.findLast(it => isUpdated(it) && state.wanted[it.old]! > 0);
  if (!isHealthy || ordinal === undefined) return [];
  return [{ by: { actor, step: `replace ${ordinal.name}` }, to: exchanged(ordinal, state) }];
}
