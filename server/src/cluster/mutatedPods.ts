import { jsonText } from '../base/printed';
import type { MutatedObject } from './admission/mutationAdmission';
import type { ClusterModel } from './clusterModel';
import { ownersIn } from './owners';
import type { PodModel } from './pods/podModel';

/** Pods that policies changed; those of one workload with equal changes are one entry. */
export function mutatedPods(pending: readonly PodModel[], cluster: ClusterModel): readonly MutatedObject[] {
  const changed = pending.filter(it => it.mutatedBy !== undefined);
  if (changed.length === 0) return [];
  const owners = ownersIn(cluster);
  // Many Pods have identical changes, and changes may be long.
  const texts = new Map<PodModel['mutatedBy'], string>();
  const found = new Map<string, MutatedObject>();
  for (const pod of changed) {
    const by = pod.mutatedBy ?? [];
    const text = texts.get(by) ?? jsonText(by);
    texts.set(by, text);
    const owner = owners(pod).at(-1);
    const of = owner && `${owner.kind} ${pod.namespace}/${owner.name}`;
    const key = of === undefined ? pod.id : `${of} ${text}`;
    const { pods, ...first } = found.get(key) ?? { kind: 'Pod', id: pod.id, by };
    found.set(key, { ...first, ...(of !== undefined && { pods: { of, count: (pods?.count ?? 0) + 1 } }) });
  }
  return [...found.values()];
}
