import { push } from '../../base/multiMap';
import type { Steps } from '../../base/steps';
import type { NodeModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import { requiredNodeAffinity } from '../../cluster/pods/requiredAffinity';
import { type DeschedulingEnvironment, isHard, isIn, ownerKeys, ownerKinds, toleratesTaints } from '../cluster';
import type { Evictor } from '../evictor';
import type { NamespaceChoice } from '../policy';
import { type EvictionCandidate, evictEach, type Plugin } from './plugin';

interface Args {
  readonly namespaces?: NamespaceChoice;
  readonly excludeOwnerKinds?: readonly string[];
}

/** Pods of one owner with the same images. */
interface Duplicates {
  total: number;
  /** By node: all of its Pods but the first. */
  readonly more: Map<string, PodModel[]>;
}

/** Spreads the Pods of one owner over the nodes that could run them. Upstream: removeduplicates. */
export const removeDuplicates: Plugin<Args> = {
  name: 'RemoveDuplicates',
  point: 'balance',
  *run(args, environment, evictor) {
    const candidates: EvictionCandidate[] = [];
    for (const { total, more } of yield* duplicatesOf(args, environment, evictor)) {
      const targets = yield* targetNodes([...more.values()].flat(), environment.nodes);
      if (targets < 2) continue;
      const most = Math.ceil(total / targets);
      for (const [node, pods] of more) {
        const reason = `${node} runs ${pods.length + 1} Pods of its owner, and ${total} over ${targets} nodes are ${most} on each`;
        if (pods.length + 1 > most)
          for (const each of pods.slice(most - 1).map(pod => ({ pod, reason }))) candidates.push(each);
      }
    }
    yield* evictEach(this.name, candidates, evictor);
  },
};

function* duplicatesOf(
  { namespaces, excludeOwnerKinds = [] }: Args,
  environment: DeschedulingEnvironment,
  evictor: Evictor,
): Steps<Iterable<Duplicates>> {
  const found = new Map<string, Duplicates>();
  for (const node of environment.nodes) {
    const seen = new Set<string>();
    for (const pod of evictor.podsOn(node.name)) {
      yield;
      if (!evictor.isEvictable(pod) || !evictor.passes(pod) || !isIn(namespaces, pod)) continue;
      if (ownerKeys(pod).length === 0 || ownerKinds(pod).some(it => excludeOwnerKinds.includes(it))) continue;
      const images = (pod.spec.containers ?? []).map(it => it.image ?? '').sort();
      const owners = [...ownerKeys(pod)].sort();
      const key = [pod.namespace, ...owners, ...images].join(' ');
      const duplicates = found.get(key) ?? { total: 0, more: new Map<string, PodModel[]>() };
      found.set(key, duplicates);
      duplicates.total += 1;
      if (seen.has(key)) push(duplicates.more, node.name, pod);
      seen.add(key);
    }
  }
  return found.values();
}

/** The number of nodes that the Pods may use, by taints, selector and affinity only. A Pod with a single such node adds none. */
function* targetNodes(pods: readonly PodModel[], nodes: readonly NodeModel[]): Steps<number> {
  const open = new Set<string>();
  for (const pod of pods) {
    yield;
    const affinity = requiredNodeAffinity(pod.spec);
    const matching = nodes.filter(it => toleratesTaints(pod, it, isHard) && affinity.matches(it));
    if (matching.length > 1) for (const it of matching) open.add(it.name);
  }
  return open.size;
}
