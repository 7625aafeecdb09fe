import { objectOrEmpty, type UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import { largest, smallest } from '../../base/manyItems';
import type { Steps } from '../../base/steps';
import { isAutoscaler, modeOf, policyFor, type VerticalPodAutoscaler } from '../../descheduler/vpa/autoscaler';
import { quantityMilliValue, quantityOf, quantityValue } from '../../kube/quantity';
import type { ScenarioAnswer } from './answer';
import { type Blame, blaming } from './blame';
import { boundedReplicas, type HorizontalModel, horizontalOf, replicasFor } from './horizontal';
import { type Move, type SpaceLimits, searchSpace, wayTo } from './search';
import type { ExploredWorld, WorkloadModel } from './world';

/** What the autoscalers of one workload see. Immutable. */
interface ScaledState {
  /** By Pod: the rounds since its start. */
  readonly ages: readonly number[];
  /** Of each Pod, in millicores or bytes. */
  readonly request: number;
  /** What the last rounds asked for. */
  readonly recent: readonly number[];
}

interface Scaled {
  readonly title: string;
  readonly horizontal: HorizontalModel;
  /** Absent: none acts on the resource that the horizontal one measures. */
  readonly vertical?: VerticalModel;
  /** What a Pod uses that is so many rounds old, where so many run. */
  readonly usage: (age: number, replicas: number) => number;
  /** Older Pods use the same. */
  readonly oldest: number;
  readonly blamed: readonly Blame[];
}

interface VerticalModel {
  readonly name: string;
  readonly source: UnknownObject;
  readonly least: number;
  readonly most: number;
}

/** Upstream: the recommender's --recommendation-margin-fraction. */
const MARGIN = 1.15;
/** A change below this share of the request evicts no Pod. Upstream: the updater's defaultUpdateThreshold. */
const LEAST_CHANGE = 0.1;
/** More than any stabilization window and start-up that is followed. */
const MOST_ROUNDS_AT_REST = 200;

/** Whether autoscalers leave the replicas of a workload where they are, as long as its load is the same. */
export function* askAutoscaling(world: ExploredWorld, limits: SpaceLimits): Steps<readonly ScenarioAnswer[]> {
  const answers: ScenarioAnswer[] = [];
  for (const [workload, it] of world.workloads.entries()) {
    const set = world.sets.findIndex(other => other.workload === workload);
    const horizontal = horizontalOf(it, world.objects);
    const { made, wanted } = world.sets[set] ?? {};
    if (horizontal === undefined || made === undefined || wanted === undefined || wanted === 0) continue;
    const { requests } = world.kinds[made]!.model;
    const request = horizontal.resource === 'cpu' ? requests.milliCpu : requests.memory;
    const written = world.scenario.options.usage.find(other => other.workload === `${it.kind}/${it.name}`);
    const pattern = written?.[horizontal.resource];
    const vertical = verticalOf(it, horizontal.resource, world);
    if (request === 0 || (pattern === undefined && vertical === undefined)) continue;
    const load = (wanted * request * horizontal.target) / 100;
    const scaled: Scaled = {
      title: it.title,
      horizontal,
      ...(vertical && { vertical }),
      usage: (age, replicas) => (pattern ? pattern[Math.min(age, pattern.length - 1)]! : load / replicas),
      oldest: (pattern?.length ?? 1) - 1,
      blamed: [
        ...(vertical ? [blaming(vertical.source, 'spec', 'updatePolicy', 'updateMode')] : []),
        blaming(horizontal.source, 'spec', 'metrics'),
      ],
    };
    const start: ScaledState = { ages: Array.from({ length: wanted }, () => 0), request, recent: [wanted] };
    answers.push(yield* askScaled(start, scaled, limits));
  }
  return answers;
}

function* askScaled(start: ScaledState, scaled: Scaled, limits: SpaceLimits): Steps<ScenarioAnswer> {
  const searched = yield* searchSpace<ScaledState>(
    {
      starts: [start],
      keyOf: it => [it.ages.join(), it.request, it.recent.join()].join('|'),
      movesFrom: it => movesFrom(it, scaled),
    },
    limits,
  );
  const { states, isComplete } = searched;
  const { title, horizontal, vertical } = scaled;
  const before = start.ages.length;
  const counts = states.map(it => it.ages.length);
  const highest = largest(counts);
  const lowest = smallest(counts);
  const after = counts.at(-1)!;
  const claim = t`the autoscaler of ${title} leaves its ${before} replicas as they are while the load stays`;
  const asked = { question: 'autoscaling', about: title, claim, states: states.length } as const;
  if (highest === before && lowest === before) return { ...asked, holds: isComplete ? true : undefined };
  const reached = highest > before ? highest : lowest;
  const isBack = reached !== after;
  const way = isBack ? t`from ${before} to ${reached}, and back to ${after}` : t`from ${before} to ${reached}`;
  const says = vertical
    ? t`VerticalPodAutoscaler ${vertical.name} changes the requests that HorizontalPodAutoscaler ${horizontal.name} measures by, and drives the replicas ${way}, though the load stays`
    : t`what Pods of ${title} use after their start makes HorizontalPodAutoscaler ${horizontal.name} take the replicas ${way}, though the load stays`;
  const shown = isBack ? states.length - 1 : counts.indexOf(reached);
  return { ...asked, holds: false, trouble: { says, steps: wayTo(searched, shown), blamed: scaled.blamed } };
}

/** The horizontal autoscaler comes to rest before the vertical one acts, which waits for hours. */
function movesFrom(state: ScaledState, scaled: Scaled): readonly Move<ScaledState>[] {
  const { horizontal, vertical, usage } = scaled;
  const actor = `HorizontalPodAutoscaler ${horizontal.name}`;
  let before = state;
  // Rounds that change no replicas are no steps.
  for (let round = 0; round < MOST_ROUNDS_AT_REST; round++) {
    const { after, percent } = nextRound(before, scaled);
    const [from, to] = [before.ages.length, after.ages.length];
    if (to !== from) return [{ by: { actor, step: t`${from} to ${to} at ${percent} % of the requests` }, to: after }];
    if (after.ages.join() === before.ages.join() && after.recent.join() === before.recent.join()) break;
    before = after;
  }
  if (vertical === undefined) return [];
  const { request, ages } = before;
  const wanted = Math.round(Math.min(Math.max(usage(ages[0]!, ages.length) * MARGIN, vertical.least), vertical.most));
  if (Math.abs(wanted - request) < request * LEAST_CHANGE) return [];
  const { resource } = horizontal;
  const step = t`requests of ${inWords(request, resource)} ${resource} to ${inWords(wanted, resource)}`;
  return [{ by: { actor: `VerticalPodAutoscaler ${vertical.name}`, step }, to: { ...before, request: wanted } }];
}

/** `percent`: what the Pods used of their requests. */
function nextRound(
  { ages, request, recent }: ScaledState,
  { horizontal, usage, oldest }: Scaled,
): { readonly after: ScaledState; readonly percent: number } {
  const used = ages.map(it => usage(it, ages.length));
  const asked = replicasFor(used, request, horizontal);
  const replicas = boundedReplicas(ages.length, asked, recent, horizontal);
  const rounds = Math.max(horizontal.upRounds, horizontal.downRounds, 1);
  const older = ages.map(it => Math.min(it + 1, oldest)).sort((a, b) => b - a);
  const fresh = Array.from({ length: Math.max(0, replicas - ages.length) }, () => 0);
  return {
    after: { ages: [...older.slice(0, replicas), ...fresh], request, recent: [...recent, asked].slice(-rounds) },
    percent: Math.trunc((used.reduce((sum, it) => sum + it, 0) * 100) / (ages.length * request)),
  };
}

const inWords = (amount: number, resource: HorizontalModel['resource']): string =>
  resource === 'cpu' ? `${amount / 1000}` : `${Math.round(amount / 2 ** 20)}Mi`;

/** The VerticalPodAutoscaler that changes a resource of the workload's Pods. */
function verticalOf(
  { kind, name, namespace }: WorkloadModel,
  resource: HorizontalModel['resource'],
  { objects }: ExploredWorld,
): VerticalModel | undefined {
  const found = objects.filter(isAutoscaler).find(it => {
    const { targetRef } = (it as VerticalPodAutoscaler).spec ?? {};
    const isOwn = targetRef?.kind === kind && targetRef.name === name;
    return isOwn && (objectOrEmpty(it.metadata).namespace ?? 'default') === namespace;
  }) as VerticalPodAutoscaler | undefined;
  if (found === undefined || ['Off', 'Initial', 'InPlace'].includes(modeOf(found))) return undefined;
  const policy = policyFor(found, '');
  if (policy.mode === 'Off' || policy.controlledResources?.includes(resource) === false) return undefined;
  const amountOf = (value: unknown): number | undefined => {
    const quantity = quantityOf(value);
    return quantity && (resource === 'cpu' ? quantityMilliValue(quantity) : quantityValue(quantity));
  };
  return {
    name: found.metadata?.name ?? '',
    source: found as UnknownObject,
    least: amountOf(policy.minAllowed?.[resource]) ?? 0,
    most: amountOf(policy.maxAllowed?.[resource]) ?? Number.POSITIVE_INFINITY,
  };
}
