import { asInteger, objectOrEmpty } from '../../base/json';
import { t } from '../../base/l10n';
import type { Steps } from '../../base/steps';
import type { ScenarioAnswer } from './answer';
import { blaming } from './blame';
import { autoscaledSets } from './horizontal';
import { movesWithin, ownMoves } from './moves';
import type { SchedulerMoves } from './scheduling';
import { type ClusterStep, type Move, type SpaceLimits, searchSpace } from './search';
import { type ExploredState, isAvailable, keyOf, startState } from './state';
import { clusterWithin, followed } from './trail';
import type { ExploredWorld, WorkloadModel } from './world';

interface Applied {
  readonly cluster: ExploredState;
  /** Whether the files were applied again. */
  readonly phase: 'before' | 'after';
}

/** Whether applying the files again leaves replicas alone that an autoscaler has chosen. */
export function* askApplying(
  world: ExploredWorld,
  scheduler: SchedulerMoves,
  limits: SpaceLimits,
): Steps<readonly ScenarioAnswer[]> {
  const answers: ScenarioAnswer[] = [];
  for (const { model, set, bounds } of autoscaledSets(world)) {
    const claim = t`applying the files again leaves the replicas of ${model.title} alone`;
    const asked = { question: 'apply', about: model.title, claim } as const;
    const written = asInteger(objectOrEmpty(model.source.spec).replicas);
    const { name, minReplicas, maxReplicas } = bounds;
    if (written === undefined || written === 0 || written >= maxReplicas) {
      answers.push({ ...asked, holds: true, states: 1 });
    } else if (written < minReplicas) {
      answers.push({
        ...asked,
        ...(yield* belowMinimum(set, { written, minReplicas }, model, world, scheduler, limits)),
      });
    } else {
      const says = t`applying the files again takes ${model.title} from ${maxReplicas} replicas, which its autoscaler may choose, to ${written}`;
      const steps = [
        { actor: `HorizontalPodAutoscaler ${name}`, step: t`scale ${model.title} to ${maxReplicas}` },
        applyStep(model, written),
      ];
      answers.push({
        ...asked,
        holds: false,
        states: steps.length + 1,
        trouble: { says, steps, blamed: [blaming(model.source, 'spec', 'replicas')] },
      });
    }
  }
  return answers;
}

const applyStep = ({ title }: WorkloadModel, written: number): ClusterStep => ({
  actor: 'kubectl apply',
  step: t`replicas ${written} of ${title}`,
});

function* belowMinimum(
  set: number,
  { written, minReplicas }: { readonly written: number; readonly minReplicas: number },
  model: WorkloadModel,
  world: ExploredWorld,
  scheduler: SchedulerMoves,
  limits: SpaceLimits,
): Steps<Pick<ScenarioAnswer, 'holds' | 'trouble' | 'states'>> {
  const searched = yield* searchSpace<Applied>(
    {
      starts: [{ cluster: startState(world), phase: 'before' }],
      keyOf: ({ cluster, phase }) => `${phase}|${keyOf(cluster, world)}`,
      movesFrom: it => movesFrom(it, set, written, model, world, scheduler),
    },
    limits,
  );
  const { states, isComplete } = searched;
  const runningIn = ({ cluster }: Applied): number =>
    cluster.pods.filter(it => world.kinds[it.kind]!.set === set && isAvailable(it, cluster)).length;
  const low = states.findIndex(it => it.phase === 'after' && runningIn(it) < minReplicas);
  if (low < 0) return { holds: isComplete ? true : undefined, states: states.length };
  const says = t`applying the files again takes ${model.title} to ${runningIn(states[low]!)} running, below the ${minReplicas} of its autoscaler, and on to ${written}`;
  return {
    holds: false,
    states: states.length,
    trouble: {
      says,
      ...followed(searched, low, world, clusterWithin),
      blamed: [blaming(model.source, 'spec', 'replicas')],
    },
  };
}

function movesFrom(
  state: Applied,
  set: number,
  written: number,
  model: WorkloadModel,
  world: ExploredWorld,
  scheduler: SchedulerMoves,
): readonly Move<Applied>[] {
  const { cluster, phase } = state;
  const own = ownMoves(cluster, world, scheduler);
  if (own.length > 0 || phase === 'after') return movesWithin(state, own);
  return [
    {
      by: applyStep(model, written),
      to: { cluster: { ...cluster, wanted: cluster.wanted.with(set, written) }, phase: 'after' },
    },
  ];
}
