import { objectOrEmpty, type UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import type { Steps } from '../../base/steps';
import { rolloutBounds } from '../../cluster/controllers/rolloutBounds';
import type { ClusterTrouble, ScenarioAnswer } from './answer';
import { blaming } from './blame';
import { controllerMoves } from './controllers';
import { askDaemons } from './daemons';
import { askOrdinals } from './ordinals';
import { askedOf, nextRevision } from './revision';
import { createScheduler, type SchedulerMoves } from './scheduling';
import { type Move, nearestWithout, type SearchedSpace, type SpaceLimits, searchSpace, shareOf } from './search';
import { type ExploredState, isAvailable, keyOf, startState } from './state';
import { followed, itself } from './trail';
import { type ExploredWorld, madePods, type WorkloadModel, withNewRevision } from './world';

/** Numbers of the two sets of a Deployment, and how it exchanges their Pods. */
interface Rollout {
  readonly title: string;
  readonly replicas: number;
  readonly strategy: 'Recreate' | { readonly surge: number; readonly unavailable: number };
  readonly oldSet: number;
  readonly newSet: number;
}

/** The kinds of which a rollout is followed. */
const ROLLED_OUT: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);

/** Whether a rollout of each Deployment, StatefulSet and DaemonSet always ends; of those for which no time is left it is open. */
export function* askRollouts(world: ExploredWorld, limits: SpaceLimits): Steps<readonly ScenarioAnswer[]> {
  const answers: ScenarioAnswer[] = [];
  for (const [workload, it] of world.workloads.entries()) {
    const share = shareOf(limits, world.workloads.length - workload);
    // Before a search begins, all that there is is read again with the new revision.
    if (limits.timeUsed() > 1) {
      if (ROLLED_OUT.has(it.kind)) answers.push({ ...askedOf(it), holds: undefined, states: 0 });
      continue;
    }
    if (it.kind === 'Deployment') answers.push(...(yield* askRollout(workload, it, world, share)));
    if (it.kind === 'StatefulSet') answers.push(...(yield* askOrdinals(workload, it, world, share)));
    if (it.kind === 'DaemonSet') answers.push(...(yield* askDaemons(workload, it, world, share)));
  }
  return answers;
}

function* askRollout(
  workload: number,
  model: WorkloadModel,
  before: ExploredWorld,
  limits: SpaceLimits,
): Steps<readonly ScenarioAnswer[]> {
  const { source, title } = model;
  const oldSet = before.sets.findIndex(it => it.workload === workload);
  const replicas = before.sets[oldSet]?.wanted ?? 0;
  const { strategy } = objectOrEmpty(source.spec);
  const bounds = rolloutBounds({ ...source, spec: { ...objectOrEmpty(source.spec), replicas } });
  const isRecreate = objectOrEmpty(strategy).type === 'Recreate';
  if (replicas === 0 || (bounds === undefined && !isRecreate)) return [];
  const fresh = yield* nextRevision(model, before);
  const [made] = madePods(title, fresh);
  if (made === undefined) return [];
  const world = withNewRevision(before, oldSet, made);
  const newSet = world.sets.length - 1;
  const rollout: Rollout = { title, replicas, strategy: bounds ?? 'Recreate', oldSet, newSet };
  const scheduler = createScheduler(world);
  const searched = yield* searchSpace(
    {
      starts: [startState(world)],
      keyOf: it => keyOf(it, world),
      movesFrom: it => movesFrom(it, rollout, world, scheduler),
    },
    limits,
  );
  const isDone = (it: ExploredState): boolean =>
    it.wanted[oldSet] === 0 && podsOf(oldSet, it, world).all === 0 && podsOf(newSet, it, world).available === replicas;
  const stuck = nearestWithout(searched, isDone, 'end');
  const holds = stuck === undefined ? (searched.isComplete ? true : undefined) : false;
  const trouble = stuck === undefined ? undefined : wedge(stuck, rollout, source, searched, world);
  return [{ ...askedOf(model), holds, states: searched.states.length, ...(trouble && { trouble }) }];
}

function movesFrom(
  state: ExploredState,
  rollout: Rollout,
  world: ExploredWorld,
  scheduler: SchedulerMoves,
): readonly Move<ExploredState>[] {
  const urgent = controllerMoves(state, world);
  if (urgent.length > 0) return urgent;
  const scaled = scaledBy(rollout, state, world);
  return scaled === undefined ? scheduler.from(state) : [scaled];
}

interface SetPods {
  readonly all: number;
  readonly available: number;
}

function podsOf(set: number, state: ExploredState, { kinds }: ExploredWorld): SetPods {
  const own = state.pods.filter(it => kinds[it.kind]!.set === set);
  return { all: own.length, available: own.filter(it => isAvailable(it, state)).length };
}

/** The deployment controller's next change of a ReplicaSet. Upstream: DeploymentController.rolloutRolling, rolloutRecreate. */
function scaledBy(rollout: Rollout, state: ExploredState, world: ExploredWorld): Move<ExploredState> | undefined {
  const { title, oldSet, newSet } = rollout;
  const scaleTo = (set: number, count: number): Move<ExploredState> => ({
    by: {
      actor: title,
      step: set === newSet ? t`scale the new ReplicaSet to ${count}` : t`scale the old ReplicaSet to ${count}`,
    },
    to: { ...state, wanted: state.wanted.with(set, count) },
  });
  const wanted = { old: state.wanted[oldSet]!, new: state.wanted[newSet]! };
  const pods = { old: podsOf(oldSet, state, world), new: podsOf(newSet, state, world) };
  const { replicas, strategy } = rollout;
  if (strategy === 'Recreate') {
    if (wanted.old > 0) return scaleTo(oldSet, 0);
    return wanted.new < replicas && pods.old.all === 0 ? scaleTo(newSet, replicas) : undefined;
  }
  const room = replicas + strategy.surge - wanted.old - wanted.new;
  const up = Math.min(room, replicas - wanted.new);
  if (up > 0) return scaleTo(newSet, wanted.new + up);
  const down = scaledDown(replicas - strategy.unavailable, wanted, pods);
  return down > 0 ? scaleTo(oldSet, wanted.old - down) : undefined;
}

/** By how much the old ReplicaSet is scaled down. Upstream: reconcileOldReplicaSets. */
function scaledDown(
  minAvailable: number,
  wanted: { readonly old: number; readonly new: number },
  pods: { readonly old: SetPods; readonly new: SetPods },
): number {
  const most = wanted.old + wanted.new - minAvailable - (wanted.new - pods.new.available);
  if (most <= 0) return 0;
  const unhealthy = Math.min(most, wanted.old - pods.old.available);
  if (unhealthy > 0) return unhealthy;
  return Math.min(wanted.old, Math.max(0, pods.old.available + pods.new.available - minAvailable));
}

function wedge(
  stuck: number,
  { title, newSet, replicas, strategy }: Rollout,
  source: UnknownObject,
  searched: SearchedSpace<ExploredState>,
  world: ExploredWorld,
): ClusterTrouble {
  const state = searched.states[stuck]!;
  const fresh = state.pods.filter(it => world.kinds[it.kind]!.set === newSet);
  const starts = fresh.filter(it => it.phase === 'starts').length;
  const waits = fresh.filter(it => it.phase === 'waits').length;
  const why =
    starts > 0
      ? t('a new Pod waits for a volume that an old one holds on another node')
      : waits > 0
        ? t('no node has room for a new Pod while the old ones run')
        : t`${replicas} new Pods are never available together`;
  const says =
    strategy === 'Recreate'
      ? t`a rollout of ${title} never ends: ${why}`
      : t`a rollout of ${title} never ends (maxSurge ${strategy.surge}, maxUnavailable ${strategy.unavailable}): ${why}`;
  return { says, ...followed(searched, stuck, world, itself), blamed: [blaming(source, 'spec', 'strategy')] };
}
