import type { PodSpec } from '../../kube/types';

/** The LimitPodHardAntiAffinityTopology admission plugin, off unless asked for: required anti-affinity is between nodes alone. */
export function antiAffinityError(spec: PodSpec): string | undefined {
  const terms = spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const other = terms.find(it => it.topologyKey !== 'kubernetes.io/hostname');
  return (
    other &&
    `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${other.topologyKey ?? ''} but only key kubernetes.io/hostname is allowed`
  );
}
