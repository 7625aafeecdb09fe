import { objectOrEmpty } from '../../base/json';
import type { Steps } from '../../base/steps';
import type { ScenarioAnswer } from './answer';
import { blaming } from './blame';
import { controllerMoves } from './controllers';
import { nextRevision } from './revision';
import { createScheduler, type SchedulerMoves } from './scheduling';
import { type Move, nearestWithout, type SpaceLimits, searchSpace } from './search';
import { type ExploredState, isAvailable, keyOf, startState } from './state';
import { followed, itself } from './trail';
import { type ExploredWorld, madePods, type WorkloadModel, withNewRevision } from './world';

/** The sets of one ordinal of a StatefulSet, of the old revision and of the new one. */
interface OrdinalSets {
  readonly name: string;
  readonly old: number;
  readonly next: number;
}

/** Whether a rolling update of a StatefulSet always ends. */
export function* askOrdinals(
  workload: number,
  model: WorkloadModel,
  before: ExploredWorld,
  limits: SpaceLimits,
): Steps<readonly ScenarioAnswer[]> {
  const { title, source } = model;
  const { type = 'RollingUpdate' } = objectOrEmpty(objectOrEmpty(source.spec).updateStrategy);
  if (type !== 'RollingUpdate') return [];
  const made = madePods(title, yield* nextRevision(model, before));
  const olds = [...before.sets.keys()].filter(it => before.sets[it]!.workload === workload);
  const fresh = olds.flatMap(
    old => made.find(it => it.name === before.kinds[before.sets[old]!.made]!.model.name) ?? [],
  );
  if (olds.length === 0 || fresh.length !== olds.length) return [];
  const world = olds.reduce((it, old, i) => withNewRevision(it, old, fresh[i]!), before);
  const ordinals = olds.map((old, i) => ({ name: fresh[i]!.name, old, next: before.sets.length + i }));
  const scheduler = createScheduler(world);
  const searched = yield* searchSpace(
    {
      starts: [startState(world)],
      keyOf: it => keyOf(it, world),
      movesFrom: it => movesFrom(it, title, ordinals, world, scheduler),
    },
    limits,
  );
  const states = searched.states.length;
  const asked = { question: 'rollout', about: title, claim: `every rollout of ${title} ends`, states } as const;
  const isDone = (it: ExploredState): boolean => ordinals.every(({ next }) => isRunning(next, it, world));
  const stuck = nearestWithout(searched, isDone, 'end');
  if (stuck === undefined) return [{ ...asked, holds: searched.isComplete ? true : undefined }];
  const waiting = ordinals.filter(
    it => !isRunning(it.old, searched.states[stuck]!, world) && !isRunning(it.next, searched.states[stuck]!, world),
  );
  const says = `a rollout of ${title} never ends: ${waiting.map(it => it.name).join(', ')} has no node, and the Pods are updated one after the other`;
  return [
    {
      ...asked,
      holds: false,
      trouble: {
        says,
        ...followed(searched, stuck, world, itself),
        blamed: [blaming(source, 'spec', 'updateStrategy')],
      },
    },
  ];
}

function isRunning(set: number, state: ExploredState, { kinds }: ExploredWorld): boolean {
  return state.pods.some(it => kinds[it.kind]!.set === set && isAvailable(it, state));
}

/** The highest ordinal first, and the next one once all Pods are available. Upstream: defaultStatefulSetControl.updateStatefulSet. */
function movesFrom(
  state: ExploredState,
  title: string,
  ordinals: readonly OrdinalSets[],
  world: ExploredWorld,
  scheduler: SchedulerMoves,
): readonly Move<ExploredState>[] {
  const urgent = controllerMoves(state, world);
  if (urgent.length > 0) return urgent;
  const isHealthy = ordinals.every(({ old, next }) => isRunning(old, state, world) || isRunning(next, state, world));
  const ordinal = ordinals.findLast(it => state.wanted[it.old]! > 0);
  if (!isHealthy || ordinal === undefined) return scheduler.from(state);
  const wanted = state.wanted.with(ordinal.old, 0).with(ordinal.next, 1);
  return [{ by: { actor: title, step: `replace ${ordinal.name}` }, to: { ...state, wanted } }];
}
