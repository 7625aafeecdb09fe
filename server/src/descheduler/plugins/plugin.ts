import type { UnknownObject } from '../../base/json';
import type { Steps } from '../../base/steps';
import type { PodModel } from '../../cluster/pods/podModel';
import { podQos } from '../../kube/podResources';
import type { DeschedulingEnvironment } from '../cluster';
import { prefersToStay } from '../defaultEvictor';
import type { Evictor } from '../evictor';

/** One plugin that evicts. It reads Pods through the evictor, which leaves out evicted ones. */
export interface Plugin<Args extends object = UnknownObject> {
  readonly name: string;
  readonly point: 'deschedule' | 'balance';
  run(args: Args, environment: DeschedulingEnvironment, evictor: Evictor): Steps<void>;
}

/** A Pod that a plugin wants to evict, with the reason as a clause. */
export interface EvictionCandidate {
  readonly pod: PodModel;
  readonly reason: string;
}

/** Evicts the candidates in order; a reached node limit skips the candidate, a reached total limit ends the loop. */
export function* evictEach(
  plugin: string,
  candidates: Iterable<EvictionCandidate>,
  evictor: Evictor,
): Steps<'goOn' | 'end'> {
  const full = new Set<string>();
  for (const { pod, reason } of candidates) {
    if (full.has(pod.nodeName ?? '')) continue;
    const answer = evictor.evict(pod, plugin, reason);
    if (answer === 'totalLimit') return 'end';
    if (answer === 'nodeLimit') full.add(pod.nodeName ?? '');
    yield;
  }
  return 'goOn';
}

/** The Pods that pass a test which may visit every node; one step for each Pod. */
export function* passingEach(
  pods: readonly PodModel[],
  passes: (pod: PodModel) => boolean,
): Steps<readonly PodModel[]> {
  const found: PodModel[] = [];
  for (const pod of pods) {
    if (passes(pod)) found.push(pod);
    yield;
  }
  return found;
}

const QOS = ['BestEffort', 'Burstable', 'Guaranteed'];

/**
 * By priority ascending, then by quality of service, Pods that prefer no eviction last. Upstream:
 * SortPodsBasedOnPriorityLowToHigh.
 */
export function lowestFirst(pods: readonly PodModel[]): readonly PodModel[] {
  const rank = ({ spec }: PodModel): number => QOS.indexOf(podQos(spec));
  return pods.toSorted(
    (a, b) => a.priority - b.priority || rank(a) - rank(b) || Number(prefersToStay(a)) - Number(prefersToStay(b)),
  );
}
