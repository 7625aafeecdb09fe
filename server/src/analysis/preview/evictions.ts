import { printed } from '../../base/printed';
import { type IsCancelled, type Steps, untilCancelled } from '../../base/steps';
import type { DeschedulerRound, Replacement, SettleResult } from '../../descheduler/settle';
import type { ModeOutcome, PodUpdate, UpdateRound, VpaOutcome } from '../../descheduler/vpa/whatIf';
import type { Snapshot } from '../../workspace/workspace';
import type { EnvironmentPlacement } from '../placement/environmentPlacement';
import type { PodAt } from '../placement/podAt';
import type { ReschedulerKind } from '../whatIf/eviction';
import { autoscalersIn, autoscalingSteps, deschedulingSteps, type FoundPolicy, policiesIn } from '../whatIf/movers';
import { type PreviewEnvironment, tryingEnvironment } from './build';
import type {
  EvictionRecord,
  EvictionRounds,
  PreviewPolicy,
  PreviewReschedulers,
  PreviewVpa,
  PreviewVpaMode,
  Truncated,
} from './evictionModel';
import type { WhatIf } from './model';

/** What is asked about the descheduler or the VPAs. */
export interface ReschedulerQuestion {
  readonly kind: ReschedulerKind;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Ends the work early, with the rounds that are complete by then. */
  readonly isCancelled?: IsCancelled | undefined;
}

/** What moves the Pods of a file's environment, after what else is tried. */
export function* previewReschedulers(
  scenes: readonly PreviewEnvironment[],
  at: PodAt & { readonly whatIf?: WhatIf } & ReschedulerQuestion,
): Steps<PreviewReschedulers> {
  const { mover: _, ...others } = at.whatIf ?? { changes: [] };
  const { kind, now, isCancelled } = at;
  const tried = yield* untilCancelled(tryingEnvironment(scenes, { ...at, whatIf: others }), isCancelled);
  if (tried === 'cancelled') return { kind, now, policies: [], vpas: [], isStopped: true };
  return yield* moversSteps({ placement: tried.placement, snapshot: tried.scene.snapshot, kind, now, isCancelled });
}

interface About extends ReschedulerQuestion {
  readonly placement: EnvironmentPlacement;
  readonly snapshot: Snapshot;
}

/** What the policies or the VPAs of an environment would do, round by round; where it is stopped, what is missing is said. */
function* moversSteps({ placement, snapshot, kind, now, isCancelled: ask }: About): Steps<PreviewReschedulers> {
  const { inputs } = placement;
  let isStopped = false;
  const isCancelled = (): boolean => {
    isStopped ||= ask?.() === true;
    return isStopped;
  };
  const policies: PreviewPolicy[] = [];
  const vpas: PreviewVpa[] = [];
  for (const it of kind === 'descheduler' ? policiesIn(inputs, snapshot) : []) {
    if (isStopped) break;
    policies.push(policyTold(it, yield* deschedulingSteps(it.policy, inputs, { now, isCancelled })));
  }
  for (const it of kind === 'vpa' ? autoscalersIn(inputs) : []) {
    if (isStopped) break;
    const found = yield* autoscalingSteps(it, inputs, { now, isCancelled });
    if (found) vpas.push(vpaTold(found, snapshot, placement.counts));
  }
  return { kind, now, policies, vpas, isStopped };
}

/** More rounds than these are counted only, and more Pods of one round. */
const MOST_ROUNDS_TOLD = 10;
const MOST_TOLD = 100;

const told = <T>(all: readonly T[], most = MOST_TOLD): Truncated<T> => ({
  first: all.slice(0, most),
  count: all.length,
});

const NONE: Truncated<never> = { first: [], count: 0 };

function policyTold(
  { name, source }: FoundPolicy,
  found: SettleResult | { readonly errors: readonly string[] },
): PreviewPolicy {
  const about = { name, ...(source && { source }) };
  if ('errors' in found) return { ...about, errors: found.errors, rounds: NONE, notes: [] };
  const { rounds, ending, notes } = found;
  return { ...about, errors: [], rounds: roundsTold(rounds, descheduled), ending, notes };
}

function roundsTold<T>(rounds: readonly T[], one: (round: T) => EvictionRounds): Truncated<EvictionRounds> {
  return { first: rounds.slice(0, MOST_ROUNDS_TOLD).map(one), count: rounds.length };
}

function descheduled({ evictions, refusals, landings, lost }: DeschedulerRound): EvictionRounds {
  return {
    evicted: told(evictions.map(({ pod, node, plugin, reason }) => ({ pod, node, plugin, because: reason }))),
    kept: told(refusals.map(({ pod, node, plugin, because }) => ({ pod, node, plugin, because }))),
    resized: NONE,
    ...landingsTold(landings),
    lost: told(lost),
  };
}

function landingsTold(landings: readonly Replacement[]): Pick<EvictionRounds, 'landings' | 'waiting'> {
  const waiting = landings.filter(it => it.node === undefined);
  return {
    landings: told([...waiting, ...landings.filter(it => it.node !== undefined)]),
    waiting: waiting.length,
  };
}

function vpaTold(
  { vpa, pods, containers, modes, hasRecommendation, notes }: VpaOutcome,
  snapshot: Snapshot,
  counts: EnvironmentPlacement['counts'],
): PreviewVpa {
  const [namespace = '', name = ''] = vpa.split('/');
  const written = snapshot.find('autoscaling.k8s.io', 'VerticalPodAutoscaler', namespace, name).find(counts)?.manifest;
  const isOff = !hasRecommendation || pods.length === 0;
  return {
    name: vpa,
    ...(written && { source: { uri: written.uri, offset: written.span.start } }),
    pods: pods.length,
    containers: isOff ? [] : containers.map(it => ({ name: it.name, amounts: amountsOf(it.now, it.wanted) })),
    hasRecommendation,
    modes: isOff ? [] : modes.map(modeTold),
    notes,
  };
}

type Resources = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** Each amount that would be another one: `requests.cpu`, from 100m to 250m. */
function amountsOf(now: object, wanted: object): PreviewVpa['containers'][number]['amounts'] {
  const [old, next] = [now as Resources, wanted as Resources];
  return (['requests', 'limits'] as const).flatMap(list =>
    Object.entries(next[list] ?? {})
      .map(([name, amount]) => ({
        what: `${list}.${name}`,
        now: printed(old[list]?.[name] ?? '–'),
        wanted: printed(amount),
      }))
      .filter(it => it.now !== it.wanted),
  );
}

const isDone = ({ action }: PodUpdate): boolean => action === 'resized' || action === 'evicted';

function modeTold({ mode, isOwn, rounds, stopped }: ModeOutcome): PreviewVpaMode {
  const doing = rounds.filter(it => it.updates.some(isDone));
  const made = new Set(doing.flatMap(it => it.landings.map(landing => landing.pod)));
  const changed = new Set(doing.flatMap(it => it.updates.filter(isDone).map(update => update.pod)));
  const left = (rounds.at(-1)?.updates ?? []).filter(
    it => !isDone(it) && !made.has(it.pod) && (it.action === 'waits' || !changed.has(it.pod)),
  );
  return {
    mode,
    isOwn,
    rounds: roundsTold(doing, updated),
    left: told(left.map(deedOf)),
    isStopped: stopped === true,
  };
}

const deedOf = ({ pod, node, because }: PodUpdate): EvictionRecord => ({ pod, node, because });

function updated({ updates, landings }: UpdateRound): EvictionRounds {
  const of = (action: PodUpdate['action']): Truncated<EvictionRecord> =>
    told(updates.filter(it => it.action === action).map(deedOf));
  return {
    evicted: of('evicted'),
    kept: of('waits'),
    resized: of('resized'),
    ...landingsTold(landings),
    lost: NONE,
  };
}
