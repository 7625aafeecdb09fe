import type { JsonObject } from '../../base/json';
import type { ClusterModel } from '../../cluster/clusterModel';
import { podTemplatePath } from '../../kube/podTemplates';
import type { Pod, PodSpec } from '../../kube/types';
import type { WorkspaceObject } from '../../workspace/object';

/** The spec of a Pod, or of a workload's template among the objects of a cluster, which have the right shape. */
export function specIn(
  { kind, namespace = 'default', name }: WorkspaceObject,
  objects: ClusterModel['objects'],
  podNamed: (id: string) => Pod | undefined,
): PodSpec | undefined {
  if (kind === 'Pod') return podNamed(`${namespace}/${name}`)?.spec;
  const found = (objects.get(kind) ?? []).find(it => {
    const metadata = it.metadata as { readonly namespace?: string; readonly name?: string } | undefined;
    return metadata?.name === name && (metadata?.namespace ?? 'default') === namespace;
  });
  const path = podTemplatePath(kind);
  if (found === undefined || path === undefined) return undefined;
  const spec = [...path, 'spec'].reduce<unknown>((it, key) => (it as JsonObject | undefined)?.[key], found);
  return spec as PodSpec | undefined;
}
