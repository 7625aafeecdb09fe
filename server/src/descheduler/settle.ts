import { withoutPods } from '../cluster/changes';
import { compareText } from '../cluster/fromObjects';
import type { JsonObject, PodModel } from '../cluster/model';
import type { Pod } from '../kube/types';
import { settledAfter } from '../scheduler/ask';
import { type RunOptions, type Simulation, simulate } from '../scheduler/scenario';
import type { Eviction, Refusal } from './evictor';
import type { DeschedulerPolicy } from './policy';
import { descheduleOnce } from './run';

/** Where a Pod that was evicted comes again, under the name that it gets then. */
export interface Landing {
  /** NAMESPACE/NAME */
  readonly pod: string;
  /** Absent: it waits. */
  readonly node?: string;
  /** The FailedScheduling text of one that waits. */
  readonly message?: string;
}

export interface DeschedulerRound {
  readonly evictions: readonly Eviction[];
  readonly refusals: readonly Refusal[];
  readonly landings: readonly Landing[];
  /** Pods that nobody makes again. */
  readonly lost: readonly string[];
}

/** What becomes of a cluster where the descheduler runs again and again and nothing else happens. */
export type Ending =
  /** After so many runs that evicted somebody there is one that evicts nobody. */
  | { readonly kind: 'settles'; readonly rounds: number }
  /** After run `back` all is as it was before run `from`, so that it goes on like this for ever. */
  | { readonly kind: 'cycle'; readonly from: number; readonly back: number; readonly states: number }
  | { readonly kind: 'unknown'; readonly rounds: number };

export interface Settling {
  /** Those that evicted somebody; the first is what happens now. */
  readonly rounds: readonly DeschedulerRound[];
  readonly ending: Ending;
  readonly notes: readonly string[];
}

export interface SettleOptions {
  readonly run: RunOptions;
  /** No more runs than this. */
  readonly mostRounds: number;
  /** Milliseconds since the epoch. */
  readonly now?: number;
}

/**
 * Lets the descheduler and the scheduler take turns: evicted Pods are made again by their controllers and placed, until
 * nobody is evicted any more, a state comes back, or there were too many runs.
 */
export function settle(objects: readonly JsonObject[], policy: DeschedulerPolicy, options: SettleOptions): Settling {
  const run: RunOptions = { ...options.run, expandWorkloads: true };
  const rounds: DeschedulerRound[] = [];
  const notes = new Set<string>();
  const seen = new Map<string, number>();
  let state = stateAfter(objects, simulate(objects, run));
  const end = (ending: Ending): Settling => ({ rounds, ending, notes: [...notes] });
  for (let round = 1; round <= options.mostRounds; round++) {
    const from = seen.get(state.key);
    if (from !== undefined) return end({ kind: 'cycle', from, back: round - 1, states: 2 * (round - from) });
    seen.set(state.key, round);
    const { evictions, refusals, notes: said } = descheduleOnce(state.scenario, state.objects, policy, options.now);
    for (const it of said) notes.add(it);
    if (evictions.length === 0) {
      for (const it of refusals) notes.add(`${it.pod} stays, though ${it.plugin} would move it: ${it.because}.`);
      return end({ kind: 'settles', rounds: round - 1 });
    }
    const gone = new Set(evictions.map(it => it.pod));
    const left = withoutPods(state.objects, gone);
    const simulation = simulate(left.objects, run);
    rounds.push({ evictions, refusals, landings: landingsOf(simulation), lost: left.lost });
    state = stateAfter(left.objects, simulation);
  }
  const from = seen.get(state.key);
  return end(
    from === undefined
      ? { kind: 'unknown', rounds: options.mostRounds }
      : { kind: 'cycle', from, back: rounds.length, states: 2 * (rounds.length + 1 - from) },
  );
}

interface State extends Pick<Simulation, 'scenario'> {
  readonly objects: readonly JsonObject[];
  /** The same for states that differ in nothing but the names of Pods that a controller made. */
  readonly key: string;
}

/** The objects once all Pods that found a node run on it; those that wait are there without one. */
function stateAfter(objects: readonly JsonObject[], { scenario, result }: Simulation): State {
  const evicted = new Set(result.evicted);
  const settled = settledAfter(scenario, result);
  const waiting = scenario.pending.filter(it => result.placements[it.id] === undefined && !evicted.has(it.id));
  const running = settled.cluster.running;
  const known = new Set(objects.map(keyOf));
  const made = ['ReplicaSet', 'Job']
    .flatMap(it => scenario.cluster.objects.get(it) ?? [])
    .filter(it => !known.has(keyOf(it)));
  const kept = objects.filter(it => it.kind !== 'Pod' || isFinished(it as Pod));
  return {
    scenario: settled,
    objects: [...kept, ...made, ...running.map(writtenOf), ...waiting.map(it => it.source as JsonObject)],
    key: [...running, ...waiting].map(alike).sort(compareText).join('\n'),
  };
}

function writtenOf({ source, spec, nodeName }: PodModel): JsonObject {
  return { ...source, spec: { ...spec, nodeName } } as JsonObject;
}

/** What scheduler and descheduler look at; what admission alone adds to a Pod that is made again makes no difference. */
function alike({ source, namespace, name, labels, priority, requests, spec, nodeName = '' }: PodModel): string {
  const owner = source.metadata?.ownerReferences?.find(it => it.controller === true);
  const { nodeSelector, affinity, topologySpreadConstraints, tolerations = [] } = spec;
  const wanted = tolerations.filter(it => it.effect !== 'NoExecute');
  const { scalar, ...basic } = requests;
  const who = owner ? [owner.kind, owner.name] : name;
  const asked = [priority, basic, [...scalar], nodeSelector, affinity, topologySpreadConstraints, wanted];
  return JSON.stringify([nodeName, namespace, who, labels, asked]);
}

function landingsOf({ scenario, result }: Simulation): readonly Landing[] {
  const messages = new Map(result.attempts.map(it => [it.pod, it.message]));
  return scenario.pending.map(({ id }) => {
    const node = result.placements[id];
    const message = messages.get(id);
    return { pod: id, ...(node !== undefined ? { node } : message !== undefined && { message }) };
  });
}

const isFinished = ({ status }: Pod): boolean => status?.phase === 'Failed' || status?.phase === 'Succeeded';

function keyOf(object: JsonObject): string {
  const { metadata } = object as Pod;
  return `${String(object.kind)}/${metadata?.namespace ?? 'default'}/${metadata?.name ?? ''}`;
}
