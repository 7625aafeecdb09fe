import { asObject, type UnknownObject } from '../../../base/json';
import type { ClusterIndex } from '../../../cluster/sources/clusterIndex';
import { holdsPods, podTemplatePath } from '../../../kube/podTemplates';
import type { Node, Pod, StringMap, Taint } from '../../../kube/types';
import { FieldPath } from '../../../manifest/fieldPath';
import { valueAt } from '../../../manifest/valueAt';
import type { WorkspaceObject } from '../../../workspace/object';
import type { Snapshot } from '../../../workspace/workspace';

/** Label keys with their values. */
export type Seen = ReadonlyMap<string, ReadonlySet<string>>;

/** Labels of objects in the workspace, of the Pods of its workloads, and of those of the chosen cluster. */
export function labelsSeen(snapshot: Snapshot, cluster?: ClusterIndex): Seen {
  const seen = new Map<string, Set<string>>();
  for (const { metadata } of (cluster?.objectsOf('', 'Pod') ?? []) as readonly Pod[]) {
    for (const [key, value] of Object.entries(metadata?.labels ?? {})) add(seen, key, value);
  }
  for (const uri of snapshot.files.keys()) {
    for (const object of snapshot.objectsIn(uri)) {
      for (const path of labelPaths(object)) addAll(seen, valueAt(object.manifest.value, path));
    }
  }
  return seen;
}

function labelPaths({ group, kind }: WorkspaceObject): readonly FieldPath[] {
  // Node labels are used in other selectors.
  if (group === '' && kind === 'Node') return [];
  const own = FieldPath.of('metadata', 'labels');
  const template = holdsPods(group, kind) ? podTemplatePath(kind) : undefined;
  return template && template.length > 0 ? [own, FieldPath.of(...template, 'metadata', 'labels')] : [own];
}

function addAll(seen: Map<string, Set<string>>, labels: Parameters<typeof asObject>[0]): void {
  for (const [key, value] of Object.entries(asObject(labels) ?? {}))
    if (typeof value === 'string') add(seen, key, value);
}

function add(seen: Map<string, Set<string>>, key: string, value: string): void {
  const values = seen.get(key);
  if (values) values.add(value);
  else seen.set(key, new Set([value]));
}

export function nodeLabelsSeen(nodes: readonly UnknownObject[]): Seen {
  const seen = new Map<string, Set<string>>();
  for (const node of nodes as readonly Node[]) {
    const labels: StringMap = node.metadata?.labels ?? {};
    for (const [key, value] of Object.entries(labels)) if (typeof value === 'string') add(seen, key, value);
  }
  return seen;
}

export function taintsSeen(nodes: readonly UnknownObject[]): Seen {
  const seen = new Map<string, Set<string>>();
  const taints = (nodes as readonly Node[]).flatMap((it): readonly Taint[] => it.spec?.taints ?? []);
  for (const { key, value } of taints) if (typeof key === 'string') add(seen, key, value ?? '');
  return seen;
}

/** Names of the nodes' resources. */
export function resourcesSeen(nodes: readonly UnknownObject[]): readonly string[] {
  const names = (nodes as readonly Node[]).flatMap(it =>
    Object.keys(it.status?.allocatable ?? it.status?.capacity ?? {}),
  );
  return [...new Set(names)];
}
