import type { UnknownObject } from '../../base/json';
import type { Steps } from '../../base/steps';
import type { PodModel } from '../../cluster/pods/podModel';
import { podQos } from '../../kube/podResources';
import type { DeschedulingEnvironment } from '../cluster';
import { prefersToStay } from '../defaultEvictor';
import type { Evictor } from '../evictor';

/** One plugin that evicts. What it needs of the cluster it asks of the evictor, who knows who has gone. */
export interface Plugin<Args extends object = UnknownObject> {
  readonly name: string;
  readonly point: 'deschedule' | 'balance';
  run(args: Args, environment: DeschedulingEnvironment, evictor: Evictor): Steps<void>;
}

/** A Pod that a plugin would move, with what it has against it, a clause. */
export interface EvictionCandidate {
  readonly pod: PodModel;
  readonly reason: string;
}

/** Evicts one after the other; a full node is passed over, and a full total ends it all. */
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

/** The Pods that pass a question which may go to every node, a turn each. */
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

/** Low priority first, then by quality of service, then who does not mind. Upstream: SortPodsBasedOnPriorityLowToHigh. */
export function lowestFirst(pods: readonly PodModel[]): readonly PodModel[] {
  const rank = ({ spec }: PodModel): number => QOS.indexOf(podQos(spec));
  return pods.toSorted(
    (a, b) => a.priority - b.priority || rank(a) - rank(b) || Number(prefersToStay(a)) - Number(prefersToStay(b)),
  );
}
