import type { PodSpec } from '../../kube/types';

/**
 * The LimitPodHardAntiAffinityTopology admission plugin, off by default: required anti-affinity must use the hostname
 * as topology key.
 */
export function antiAffinityError(spec: PodSpec): string | undefined {
  const terms = spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const other = terms.find(it => it.topologyKey !== 'kubernetes.io/hostname');
  return (
    other &&
    `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${other.topologyKey ?? ''} but only key kubernetes.io/hostname is allowed`
  );
}
