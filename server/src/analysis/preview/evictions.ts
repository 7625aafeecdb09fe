import { printed } from '../../base/printed';
import { type IsCancelled, type Steps, untilCancelled } from '../../base/steps';
import type { DeschedulerRound, Replacement, SettleResult } from '../../descheduler/settle';
import type { ModeOutcome, PodUpdate, UpdateRound, VpaOutcome } from '../../descheduler/vpa/whatIf';
import type { Snapshot } from '../../workspace/workspace';
import type { EnvironmentPlacement } from '../placement/environmentPlacement';
import type { PodAt } from '../placement/podAt';
import type { ReschedulerKind } from '../whatIf/eviction';
import {
  autoscalersIn,
  autoscalingSteps,
  deschedulingSteps,
  type FoundPolicy,
  policiesIn,
} from '../whatIf/rescheduling';
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

/** The question about the descheduler or the VPAs. */
export interface ReschedulerQuestion {
  readonly kind: ReschedulerKind;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Ends the work early, with the rounds that are complete by then. */
  readonly isCancelled?: IsCancelled | undefined;
}

/** What the descheduler or VPAs would do in a file's environment, after `whatIf`. */
export function* previewReschedulers(
  environments: readonly PreviewEnvironment[],
  at: PodAt & { readonly whatIf?: WhatIf } & ReschedulerQuestion,
): Steps<PreviewReschedulers> {
  const { mover: _, ...others } = at.whatIf ?? { changes: [] };
  const { kind, now, isCancelled } = at;
  const tried = yield* untilCancelled(tryingEnvironment(environments, { ...at, whatIf: others }), isCancelled);
  if (tried === 'cancelled') return { kind, now, policies: [], vpas: [], isStopped: true };
  return yield* reschedulerSteps({
    placement: tried.placement,
    snapshot: tried.environment.snapshot,
    kind,
    now,
    isCancelled,
  });
}

interface Simulated extends ReschedulerQuestion {
  readonly placement: EnvironmentPlacement;
  readonly snapshot: Snapshot;
}

/**
 * What the policies or the VPAs of an environment would do, round by round; incomplete results are marked when
 * cancelled.
 */
function* reschedulerSteps({
  placement,
  snapshot,
  kind,
  now,
  isCancelled: ask,
}: Simulated): Steps<PreviewReschedulers> {
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
    policies.push(previewPolicyOf(it, yield* deschedulingSteps(it.policy, inputs, { now, isCancelled })));
  }
  for (const it of kind === 'vpa' ? autoscalersIn(inputs) : []) {
    if (isStopped) break;
    const found = yield* autoscalingSteps(it, inputs, { now, isCancelled });
    if (found) vpas.push(previewVpaOf(found, snapshot, placement.counts));
  }
  return { kind, now, policies, vpas, isStopped };
}

/** Limits of the listed rounds, and of the listed Pods of one round; more are only counted. */
const MOST_ROUNDS = 10;
const MOST_PODS = 100;

const truncated = <T>(all: readonly T[], most = MOST_PODS): Truncated<T> => ({
  first: all.slice(0, most),
  count: all.length,
});

const NONE: Truncated<never> = { first: [], count: 0 };

function previewPolicyOf(
  { name, source }: FoundPolicy,
  found: SettleResult | { readonly errors: readonly string[] },
): PreviewPolicy {
  const about = { name, ...(source && { source }) };
  if ('errors' in found) return { ...about, errors: found.errors, rounds: NONE, notes: [] };
  const { rounds, ending, notes } = found;
  return { ...about, errors: [], rounds: truncatedRounds(rounds, descheduled), ending, notes };
}

function truncatedRounds<T>(rounds: readonly T[], one: (round: T) => EvictionRounds): Truncated<EvictionRounds> {
  return { first: rounds.slice(0, MOST_ROUNDS).map(one), count: rounds.length };
}

function descheduled({ evictions, refusals, landings, lost }: DeschedulerRound): EvictionRounds {
  return {
    evicted: truncated(evictions.map(({ pod, node, plugin, reason }) => ({ pod, node, plugin, because: reason }))),
    kept: truncated(refusals.map(({ pod, node, plugin, because }) => ({ pod, node, plugin, because }))),
    resized: NONE,
    ...replacementsOf(landings),
    lost: truncated(lost),
  };
}

function replacementsOf(landings: readonly Replacement[]): Pick<EvictionRounds, 'landings' | 'waiting'> {
  const waiting = landings.filter(it => it.node === undefined);
  return {
    landings: truncated([...waiting, ...landings.filter(it => it.node !== undefined)]),
    waiting: waiting.length,
  };
}

function previewVpaOf(
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
    modes: isOff ? [] : modes.map(previewModeOf),
    notes,
  };
}

type Resources = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** Each changed amount: `requests.cpu`, from 100m to 250m. */
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

function previewModeOf({ mode, isOwn, rounds, stopped }: ModeOutcome): PreviewVpaMode {
  const doing = rounds.filter(it => it.updates.some(isDone));
  const made = new Set(doing.flatMap(it => it.landings.map(landing => landing.pod)));
  const changed = new Set(doing.flatMap(it => it.updates.filter(isDone).map(update => update.pod)));
  const left = (rounds.at(-1)?.updates ?? []).filter(
    it => !isDone(it) && !made.has(it.pod) && (it.action === 'waits' || !changed.has(it.pod)),
  );
  return {
    mode,
    isOwn,
    rounds: truncatedRounds(doing, updated),
    left: truncated(left.map(recordOf)),
    isStopped: stopped === true,
  };
}

const recordOf = ({ pod, node, because }: PodUpdate): EvictionRecord => ({ pod, node, because });

function updated({ updates, landings }: UpdateRound): EvictionRounds {
  const of = (action: PodUpdate['action']): Truncated<EvictionRecord> =>
    truncated(updates.filter(it => it.action === action).map(recordOf));
  return {
    evicted: of('evicted'),
    kept: of('waits'),
    resized: of('resized'),
    ...replacementsOf(landings),
    lost: NONE,
  };
}
