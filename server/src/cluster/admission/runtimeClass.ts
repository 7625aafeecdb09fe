import { compareQuantities } from '../../kube/quantity';
import type { PodSpec, ResourceList, RuntimeClass } from '../../kube/types';
import { quantitiesOf } from '../resources/quantities';
import { mergeTolerations } from './tolerations';
import type { Admitted } from './types';

/** The RuntimeClass admission plugin: adds overhead, nodeSelector and tolerations of the class to the Pod. */
export function admitRuntimeClass(spec: PodSpec, classes: ReadonlyMap<string, RuntimeClass>): Admitted {
  const name = spec.runtimeClassName;
  const found = name ? classes.get(name) : undefined;
  if (name && !found) return { rejected: `pod rejected: RuntimeClass "${name}" not found` };
  const overhead = overheadError(spec, found);
  if (overhead !== undefined) return { rejected: overhead };
  if (!found) return { spec };
  const nodeSelector = found.scheduling?.nodeSelector ?? {};
  const tolerations = found.scheduling?.tolerations ?? [];
  for (const [key, value] of Object.entries(nodeSelector)) {
    const own = spec.nodeSelector?.[key];
    if (own !== undefined && own !== value) {
      return {
        rejected: `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
      };
    }
  }
  const merged = found.scheduling ? mergeTolerations(spec.tolerations ?? [], tolerations) : [];
  return {
    spec: {
      ...spec,
      ...(found.overhead?.podFixed && { overhead: found.overhead.podFixed }),
      ...(Object.keys(nodeSelector).length > 0 && { nodeSelector: { ...spec.nodeSelector, ...nodeSelector } }),
      ...(merged.length > 0 && { tolerations: merged }),
    },
  };
}

/** Upstream: setOverhead, validateOverhead. */
function overheadError(spec: PodSpec, runtime: RuntimeClass | undefined): string | undefined {
  if (!runtime?.overhead) {
    if (!spec.overhead) return undefined;
    return 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
  }
  const own = spec.overhead ?? {};
  if (Object.keys(own).length === 0 || isSame(own, runtime.overhead.podFixed ?? {})) return undefined;
  return "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
}

function isSame(a: ResourceList, b: ResourceList): boolean {
  const left = quantitiesOf(a);
  const right = quantitiesOf(b);
  return (
    left.size === right.size &&
    [...left].every(([name, it]) => right.has(name) && compareQuantities(it, right.get(name)!) === 0)
  );
}
