import { t } from '../../base/l10n';
import type { Steps } from '../../base/steps';
import type { ScenarioAnswer } from './answer';
import { blaming } from './blame';
import { autoscaledSets, type HorizontalBounds } from './horizontal';
import { ownMoves } from './moves';
import type { SchedulerMoves } from './scheduling';
import { type Move, type SpaceLimits, searchSpace } from './search';
import { type ExploredState, keyOf, startState } from './state';
import { followed, itself } from './trail';
import type { ExploredWorld } from './world';

/** Whether all replicas that an autoscaler may ask for have nodes, however ties are broken on the way. */
export function* askMaximum(
  world: ExploredWorld,
  scheduler: SchedulerMoves,
  limits: SpaceLimits,
): Steps<readonly ScenarioAnswer[]> {
  const answers: ScenarioAnswer[] = [];
  for (const { model, set, bounds } of autoscaledSets(world)) {
    const isWaiting = ({ pods }: ExploredState): boolean =>
      pods.some(it => it.phase === 'waits' && world.kinds[it.kind]!.set === set);
    const searched = yield* searchSpace(
      {
        starts: [startState(world)],
        keyOf: it => keyOf(it, world),
        movesFrom: it => (isWaiting(it) ? scheduler.from(it) : movesFrom(it, set, bounds, world, scheduler)),
      },
      limits,
    );
    const { states, edges, isComplete } = searched;
    const { maxReplicas } = bounds;
    const claim = t`${maxReplicas} replicas of ${model.title}, the most that its autoscaler may ask for, have nodes`;
    const asked = { question: 'maximum', about: model.title, claim, states: states.length } as const;
    const found = states.findIndex((it, i) => edges[i]?.length === 0 && isWaiting(it));
    if (found < 0) {
      answers.push({ ...asked, holds: isComplete ? true : undefined });
      continue;
    }
    const placed = states[found]!.wanted[set]! - 1;
    const says = t`of ${maxReplicas} replicas that its autoscaler may ask for, ${model.title} gets nodes for ${placed}`;
    const blamed = [blaming(bounds.source, 'spec', 'maxReplicas')];
    const way = followed(searched, found, world, itself);
    answers.push({ ...asked, holds: false, trouble: { says, ...way, blamed, fits: placed } });
  }
  return answers;
}

/** One replica more, once all have their nodes. */
function movesFrom(
  state: ExploredState,
  set: number,
  { name, maxReplicas }: HorizontalBounds,
  world: ExploredWorld,
  scheduler: SchedulerMoves,
): readonly Move<ExploredState>[] {
  const own = ownMoves(state, world, scheduler);
  const wanted = state.wanted[set]! + 1;
  if (own.length > 0 || wanted > maxReplicas) return own;
  const by = { actor: `HorizontalPodAutoscaler ${name}`, step: t`scale to ${wanted}` };
  return [{ by, to: { ...state, wanted: state.wanted.with(set, wanted) } }];
}
