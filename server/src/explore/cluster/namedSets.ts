import { t } from '../../base/l10n';
import type { Steps } from '../../base/steps';
import type { ScenarioAnswer } from './answer';
import { blaming } from './blame';
import { controllerMoves } from './controllers';
import { askedOf, nextRevision } from './revision';
import { createScheduler } from './scheduling';
import { type Move, nearestWithout, type SpaceLimits, searchSpace } from './search';
import { type ExploredState, isAvailable, keyOf, startState } from './state';
import { followed, itself } from './trail';
import { type ExploredWorld, madePods, type WorkloadModel, withNewRevision } from './world';

/** The sets of one Pod that its controller names, of the old revision and of the new one. */
export interface NamedSets {
  readonly name: string;
  readonly old: number;
  readonly next: number;
}

/** How a controller exchanges Pods that it names. */
export interface NamedUpdate {
  /** The sets whose Pods it exchanges. */
  readonly isUpdated: (sets: NamedSets) => boolean;
  /** What the controller may do next; empty: it waits. */
  readonly movesFrom: (
    state: ExploredState,
    sets: readonly NamedSets[],
    world: ExploredWorld,
  ) => readonly Move<ExploredState>[];
  /** Why an update never ends while the new Pods of these do not run, a clause. */
  readonly why: (waiting: readonly NamedSets[]) => string;
}

/** Whether an update of Pods that their controller names always ends. */
export function* askNamedUpdate(
  workload: number,
  model: WorkloadModel,
  before: ExploredWorld,
  update: NamedUpdate,
  limits: SpaceLimits,
): Steps<readonly ScenarioAnswer[]> {
  const { title, source } = model;
  const made = madePods(title, yield* nextRevision(model, before));
  const olds = [...before.sets.keys()].filter(it => before.sets[it]!.workload === workload);
  const fresh = olds.flatMap(
    old => made.find(it => it.name === before.kinds[before.sets[old]!.made]!.model.name) ?? [],
  );
  if (olds.length === 0 || fresh.length !== olds.length) return [];
  const world = olds.reduce((it, old, i) => withNewRevision(it, old, fresh[i]!), before);
  const sets = olds.map((old, i) => ({ name: fresh[i]!.name, old, next: before.sets.length + i }));
  const updated = sets.filter(update.isUpdated);
  const scheduler = createScheduler(world);
  const movesFrom = (state: ExploredState): readonly Move<ExploredState>[] => {
    const urgent = controllerMoves(state, world);
    if (urgent.length > 0) return urgent;
    const own = update.movesFrom(state, sets, world);
    return own.length > 0 ? own : scheduler.from(state);
  };
  const searched = yield* searchSpace(
    { starts: [startState(world)], keyOf: it => keyOf(it, world), movesFrom },
    limits,
  );
  const states = searched.states.length;
  const asked = { ...askedOf(model), states };
  const isDone = (it: ExploredState): boolean => updated.every(({ next }) => isRunning(next, it, world));
  const stuck = nearestWithout(searched, isDone, 'end');
  if (stuck === undefined) return [{ ...asked, holds: searched.isComplete ? true : undefined }];
  const end = searched.states[stuck]!;
  const waiting = updated.filter(it => end.wanted[it.next]! > 0 && !isRunning(it.next, end, world));
  const says = t`a rollout of ${title} never ends: ${update.why(waiting)}`;
  const blamed = [blaming(source, 'spec', 'updateStrategy')];
  return [{ ...asked, holds: false, trouble: { says, ...followed(searched, stuck, world, itself), blamed } }];
}

export function isRunning(set: number, state: ExploredState, { kinds }: ExploredWorld): boolean {
  return state.pods.some(it => kinds[it.kind]!.set === set && isAvailable(it, state));
}

/** The old Pod is deleted, and the new one is made. */
export const exchanged = ({ old, next }: NamedSets, state: ExploredState): ExploredState => ({
  ...state,
  wanted: state.wanted.with(old, 0).with(next, 1),
});
