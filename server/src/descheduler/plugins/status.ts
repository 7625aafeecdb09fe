import type { Steps } from '../../base/steps';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Condition, ContainerStatus } from '../../kube/types';
import { ageOf, chosenBy, type DeschedulingEnvironment, ownerKinds } from '../cluster';
import type { Evictor } from '../evictor';
import type { PodChoice } from '../policy';
import { type EvictionCandidate, evictEach, type Plugin, passingEach } from './plugin';

/** The Pods of a node, finished ones included, that pass the filters of the profile and of the plugin. */
function allEvictableOn(node: string, args: PodChoice, evictor: Evictor): Steps<readonly PodModel[]> {
  const isChosen = chosenBy(args);
  const passes = (it: PodModel): boolean => isChosen(it) && evictor.isEvictable(it) && evictor.passes(it);
  return passingEach(evictor.allPodsOn(node), passes);
}

type StatusLists = 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses';

function statuses(pod: PodModel, lists: readonly StatusLists[]): readonly ContainerStatus[] {
  const status = pod.source.status as Readonly<Partial<Record<StatusLists, readonly ContainerStatus[]>>> | undefined;
  return lists.flatMap(it => status?.[it] ?? []);
}

/** The reason of a container's waiting or terminated state, and its exit code. */
interface State {
  readonly waiting?: { readonly reason?: string };
  readonly terminated?: { readonly reason?: string; readonly exitCode?: number };
}

const stateOf = (it: ContainerStatus): State => (it as { readonly state?: State }).state ?? {};

const reasonsOf = (all: readonly ContainerStatus[]): readonly string[] =>
  all.flatMap(it => [stateOf(it).waiting?.reason ?? [], stateOf(it).terminated?.reason ?? []].flat());

const exitCodesOf = (all: readonly ContainerStatus[]): readonly number[] =>
  all.flatMap(it => stateOf(it).terminated?.exitCode ?? []);

interface ConditionFilter {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly minTimeSinceLastTransitionSeconds?: number;
}

interface LifeTimeArgs extends PodChoice {
  readonly ownerKinds?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] };
  readonly maxPodLifeTimeSeconds?: number;
  readonly states?: readonly string[];
  readonly conditions?: readonly ConditionFilter[];
  readonly exitCodes?: readonly number[];
  readonly includingInitContainers?: boolean;
  readonly includingEphemeralContainers?: boolean;
}

/** Checks one kind of filter; returns a clause with what it found, undefined when the Pod does not pass. */
type FindReason = (pod: PodModel, args: LifeTimeArgs, environment: DeschedulingEnvironment) => string | undefined;

const LIFE_TIME: readonly (readonly [keyof LifeTimeArgs, FindReason])[] = [
  [
    'maxPodLifeTimeSeconds',
    (pod, { maxPodLifeTimeSeconds: most = 0 }, { now }) => {
      const age = Math.floor(ageOf(pod, now) ?? -1);
      return age > most ? `it is ${age} s old, and maxPodLifeTimeSeconds is ${most}` : undefined;
    },
  ],
  [
    'states',
    (pod, { states = [], includingInitContainers, includingEphemeralContainers }) => {
      const lists: readonly StatusLists[] = [
        'containerStatuses',
        ...(includingInitContainers ? (['initContainerStatuses'] as const) : []),
        ...(includingEphemeralContainers ? (['ephemeralContainerStatuses'] as const) : []),
      ];
      const { phase, reason } = (pod.source.status ?? {}) as { readonly phase?: string; readonly reason?: string };
      const found = [phase, reason, ...reasonsOf(statuses(pod, lists))].find(it => states.includes(it ?? ''));
      return found && `its state is ${found}`;
    },
  ],
  [
    'conditions',
    (pod, { conditions = [] }, { now }) => {
      const found = pod.conditions.find(it => conditions.some(filter => matchesCondition(it, filter, now)));
      return found && `its condition ${found.type} is ${found.status}`;
    },
  ],
  [
    'exitCodes',
    (pod, { exitCodes = [], includingInitContainers }) => {
      const lists: readonly StatusLists[] = includingInitContainers
        ? ['containerStatuses', 'initContainerStatuses']
        : ['containerStatuses'];
      const found = exitCodesOf(statuses(pod, lists)).find(it => exitCodes.includes(it));
      return found === undefined ? undefined : `a container of it ended with ${found}`;
    },
  ],
];

/** Upstream: matchesAnyPodConditionFilter. */
function matchesCondition(condition: Condition, filter: ConditionFilter, now: number | undefined): boolean {
  const { lastTransitionTime, ...rest } = condition as Condition & { readonly lastTransitionTime?: string };
  const { minTimeSinceLastTransitionSeconds: least, ...fields } = filter;
  const values = rest as Readonly<Record<string, unknown>>;
  if (Object.entries(fields).some(([field, wanted]) => wanted && values[field] !== wanted)) return false;
  if (least === undefined) return true;
  const since = Date.parse(lastTransitionTime ?? '');
  return now !== undefined && !Number.isNaN(since) && now >= since && (now - since) / 1000 >= least;
}

/** All filters must pass; the oldest Pod is evicted first. Upstream: podlifetime. */
export const podLifeTime: Plugin<LifeTimeArgs> = {
  name: 'PodLifeTime',
  point: 'deschedule',
  *run(args, environment, evictor) {
    const filters = LIFE_TIME.filter(([field]) => isGiven(args[field]));
    const { include = [], exclude = [] } = args.ownerKinds ?? {};
    const isOwned = (pod: PodModel): boolean =>
      include.length > 0
        ? ownerKinds(pod).some(it => include.includes(it))
        : !ownerKinds(pod).some(it => exclude.includes(it));
    const candidates: EvictionCandidate[] = [];
    for (const node of environment.nodes) {
      for (const pod of yield* allEvictableOn(node.name, args, evictor)) {
        const reasons = filters.map(([, find]) => find(pod, args, environment));
        const isMeant = filters.length > 0 && isOwned(pod) && reasons.every(it => it !== undefined);
        if (isMeant) candidates.push({ pod, reason: reasons.join('; ') });
      }
    }
    const age = (it: EvictionCandidate): number => ageOf(it.pod, environment.now) ?? Number.POSITIVE_INFINITY;
    yield* evictEach(
      this.name,
      candidates.toSorted((a, b) => (age(a) === age(b) ? 0 : age(b) - age(a))),
      evictor,
    );
  },
};

const isGiven = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : value !== undefined);

interface FailedArgs extends PodChoice {
  readonly excludeOwnerKinds?: readonly string[];
  readonly minPodLifetimeSeconds?: number;
  readonly reasons?: readonly string[];
  readonly exitCodes?: readonly number[];
  readonly includingInitContainers?: boolean;
}

/** Upstream: removefailedpods. */
export const failedPods: Plugin<FailedArgs> = {
  name: 'RemoveFailedPods',
  point: 'deschedule',
  *run(args, environment, evictor) {
    for (const node of environment.nodes) {
      const candidates = (yield* allEvictableOn(node.name, args, evictor))
        .filter(it => isFailed(it, args, environment))
        .map(pod => ({ pod, reason: 'it has failed' }));
      if ((yield* evictEach(this.name, candidates, evictor)) === 'end') return;
    }
  },
};

/** Upstream: removefailedpods.validateCanEvict. */
function isFailed(pod: PodModel, args: FailedArgs, { now }: DeschedulingEnvironment): boolean {
  const { excludeOwnerKinds = [], minPodLifetimeSeconds = 3600, reasons = [], exitCodes = [] } = args;
  const { phase, reason } = (pod.source.status ?? {}) as { readonly phase?: string; readonly reason?: string };
  if (phase !== 'Failed' || ownerKinds(pod).some(it => excludeOwnerKinds.includes(it))) return false;
  const age = ageOf(pod, now);
  if (minPodLifetimeSeconds > 0 && (age === undefined || age < minPodLifetimeSeconds)) return false;
  const lists: readonly StatusLists[] = args.includingInitContainers
    ? ['containerStatuses', 'initContainerStatuses']
    : ['containerStatuses'];
  const all = statuses(pod, lists);
  return (
    (reasons.length === 0 || [...reasonsOf(all), reason ?? ''].some(it => it !== '' && reasons.includes(it))) &&
    (exitCodes.length === 0 || exitCodesOf(all).some(it => exitCodes.includes(it)))
  );
}

interface RestartArgs extends PodChoice {
  readonly podRestartThreshold?: number;
  readonly includingInitContainers?: boolean;
  readonly states?: readonly string[];
}

/** Pods with the most restarts are evicted first. Upstream: removepodshavingtoomanyrestarts. */
export const tooManyRestarts: Plugin<RestartArgs> = {
  name: 'RemovePodsHavingTooManyRestarts',
  point: 'deschedule',
  *run(args, environment, evictor) {
    const { podRestartThreshold: threshold = 0, states = [], includingInitContainers } = args;
    const lists: readonly StatusLists[] = includingInitContainers
      ? ['containerStatuses', 'initContainerStatuses']
      : ['containerStatuses'];
    const restartsOf = (pod: PodModel): number =>
      statuses(pod, lists).reduce((sum, it) => sum + ((it as { restartCount?: number }).restartCount ?? 0), 0);
    const isInState = (pod: PodModel): boolean =>
      states.length === 0 ||
      states.includes(pod.source.status?.phase ?? '') ||
      statuses(pod, lists).some(it => states.includes(stateOf(it).waiting?.reason ?? ''));
    for (const node of environment.nodes) {
      const candidates = (yield* allEvictableOn(node.name, args, evictor))
        .filter(it => restartsOf(it) >= threshold && isInState(it))
        .toSorted((a, b) => restartsOf(b) - restartsOf(a))
        .map(pod => ({
          pod,
          reason: `it restarted ${restartsOf(pod)} times, and podRestartThreshold is ${threshold}`,
        }));
      if ((yield* evictEach(this.name, candidates, evictor)) === 'end') return;
    }
  },
};
