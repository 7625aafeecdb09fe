import { asInteger, objectOrEmpty } from '../../base/json';
import { t, withAnd } from '../../base/l10n';
import type { Steps } from '../../base/steps';
import type { ScenarioAnswer } from './answer';
import { type Blame, blaming } from './blame';
import { movesWithin, ownMoves } from './moves';
import type { SchedulerMoves } from './scheduling';
import { type ClusterStep, type Move, nearestWithout, type SpaceLimits, searchSpace } from './search';
import { type ExploredPod, type ExploredState, isAvailable, keyOf, startState } from './state';
import { clusterWithin, followed } from './trail';
import type { ExploredWorld } from './world';

/** How a Job makes and finishes its Pods. */
interface JobModel {
  readonly title: string;
  readonly blame: Blame;
  readonly set: number;
  /** How many run at once. */
  readonly parallelism: number;
  /** How many must finish. */
  readonly completions: number;
  /** together: all Pods run at once, and are taken to work together; alone: each finishes by itself. */
  readonly finish: 'together' | 'alone';
}

interface JobsState {
  readonly cluster: ExploredState;
  /** By Job: how many Pods must still finish. */
  readonly left: readonly number[];
}

/** Whether all Jobs complete, in whatever order their Pods are made. */
export function* askJobs(
  world: ExploredWorld,
  scheduler: SchedulerMoves,
  limits: SpaceLimits,
): Steps<readonly ScenarioAnswer[]> {
  const jobs = jobsIn(world);
  if (jobs.length === 0) return [];
  const start = startState(world);
  const sets = new Set(jobs.map(it => it.set));
  const isOfJob = (it: ExploredPod): boolean => sets.has(world.kinds[it.kind]!.set ?? -1);
  const empty: ExploredState = {
    ...start,
    pods: start.pods.filter(it => !isOfJob(it)),
    wanted: start.wanted.map((it, set) => (sets.has(set) ? 0 : it)),
  };
  const searched = yield* searchSpace<JobsState>(
    {
      starts: [{ cluster: empty, left: jobs.map(it => it.completions) }],
      keyOf: it => `${keyOf(it.cluster, world)}|${it.left.join()}`,
      movesFrom: it => movesFrom(it, jobs, world, scheduler),
    },
    limits,
  );
  const { states, isComplete } = searched;
  const claim =
    jobs.length === 1
      ? t`${jobs[0]!.title} completes, in whatever order Pods are made`
      : t('every Job completes, in whatever order Pods are made');
  const asked = { question: 'jobs', claim, states: states.length } as const;
  const stuck = nearestWithout(searched, it => it.left.every(count => count === 0), 'first');
  if (stuck === undefined) return [{ ...asked, holds: isComplete ? true : undefined }];
  const { cluster, left } = states[stuck]!;
  const holding = jobs.filter((it, i) => left[i]! > 0 && podsOf(it, cluster, world).some(pod => pod.node >= 0));
  const says =
    holding.length > 1
      ? t`${withAnd(holding.map(it => it.title))} never complete: each holds room that the other needs`
      : t`${withAnd(jobs.filter((_, i) => left[i]! > 0).map(it => it.title))} may never complete, as there is no room for all Pods at once`;
  const blamed = (holding.length > 0 ? holding : jobs.filter((_, i) => left[i]! > 0)).map(it => it.blame);
  return [{ ...asked, holds: false, trouble: { says, ...followed(searched, stuck, world, clusterWithin), blamed } }];
}

function jobsIn({ workloads, sets }: ExploredWorld): readonly JobModel[] {
  return workloads.flatMap(({ kind, title, source }, workload): readonly JobModel[] => {
    const set = sets.findIndex(it => it.workload === workload);
    if (kind !== 'Job' || set < 0 || sets.filter(it => it.workload === workload).length > 1) return [];
    const spec = objectOrEmpty(source.spec);
    const parallelism = asInteger(spec.parallelism) ?? 1;
    const completions = asInteger(spec.completions) ?? parallelism;
    const finish = parallelism === completions && parallelism > 1 ? 'together' : 'alone';
    return parallelism < 1 || completions < 1
      ? []
      : [{ title, blame: blaming(source, 'spec', 'parallelism'), set, parallelism, completions, finish }];
  });
}

const podsOf = ({ set }: JobModel, { pods }: ExploredState, { kinds }: ExploredWorld): readonly ExploredPod[] =>
  pods.filter(it => kinds[it.kind]!.set === set);

/** A Pod that arrives is attempted before another one is made. */
function movesFrom(
  state: JobsState,
  jobs: readonly JobModel[],
  world: ExploredWorld,
  scheduler: SchedulerMoves,
): readonly Move<JobsState>[] {
  const { cluster } = state;
  const own = ownMoves(cluster, world, scheduler);
  if (own.length > 0) return movesWithin(state, own);
  return jobs.flatMap((job, i) => [...finished(job, i, state, world), ...made(job, i, state, world)]);
}

function made(
  job: JobModel,
  i: number,
  { cluster, left }: JobsState,
  world: ExploredWorld,
): readonly Move<JobsState>[] {
  const active = cluster.wanted[job.set]!;
  if (active >= Math.min(job.parallelism, left[i]!)) return [];
  const { made: kind } = world.sets[job.set]!;
  const by: ClusterStep = { actor: job.title, step: t`make ${world.kinds[kind]!.name}` };
  const pods: readonly ExploredPod[] = [...cluster.pods, { kind, node: -1, phase: 'waits' }];
  return [{ by, to: { cluster: { ...cluster, pods, wanted: cluster.wanted.with(job.set, active + 1) }, left } }];
}

function finished(
  job: JobModel,
  i: number,
  { cluster, left }: JobsState,
  world: ExploredWorld,
): readonly Move<JobsState>[] {
  const running = podsOf(job, cluster, world).filter(it => isAvailable(it, cluster));
  const leave = (gone: readonly ExploredPod[], step: string): Move<JobsState> => ({
    by: { actor: job.title, step },
    to: {
      cluster: {
        ...cluster,
        pods: cluster.pods.filter(it => !gone.includes(it)),
        wanted: cluster.wanted.with(job.set, cluster.wanted[job.set]! - gone.length),
      },
      left: left.with(i, left[i]! - gone.length),
    },
  });
  if (job.finish === 'together') {
    return left[i]! > 0 && running.length === job.completions ? [leave(running, t('complete'))] : [];
  }
  const onNodes = new Map(running.map(it => [it.node, it]));
  return [...onNodes.values()].map(it =>
    leave([it], t`finish a Pod on ${world.scenario.cluster.nodes[it.node]!.name}`),
  );
}
