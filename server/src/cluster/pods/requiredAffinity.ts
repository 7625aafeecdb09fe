import { labelMapMatcher, type NodeMatcher, nodeSelectorMatcher } from '../../kube/labelSelector';
import type { PodSpec } from '../../kube/types';

/** nodeSelector and required node affinity together. Upstream: nodeaffinity.GetRequiredNodeAffinity. */
export function requiredNodeAffinity(spec: PodSpec): NodeMatcher {
  const labels = labelMapMatcher(spec.nodeSelector);
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = required && nodeSelectorMatcher(required);
  return {
    errors: terms?.errors ?? [],
    matches: node => labels.matches(node.labels) && (terms?.matches(node) ?? true),
  };
}
