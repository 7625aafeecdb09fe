import type { UnknownObject } from '../../base/json';
import type { ClusterModel } from '../clusterModel';
import { scenarioFromObjects } from '../scenario';
import type { ClusterContent } from './content';
import { identityOf } from './snapshot';

/** The content of a source with the lookups of rules and completion, by group, kind, namespace and name. */
export interface ClusterIndex {
  readonly content: ClusterContent;
  /** Whether the cluster has an object. A namespaced kind needs its namespace. */
  has(group: string, kind: string, namespace: string | undefined, name: string): boolean;
  /** Whether the source lists all objects of a kind, so that a missing one does not exist. */
  isListed(group: string, kind: string, namespace: string | undefined): boolean;
  /** Names in one namespace, or of a cluster-scoped kind. */
  namesOf(group: string, kind: string, namespace: string | undefined): readonly string[];
  /** Whole objects of a kind in any version. */
  objectsOf(group: string, kind: string): readonly UnknownObject[];
  /** The model for placement; built on the first request. */
  model(): ClusterModel;
}

interface KindIndex {
  readonly names: Map<string, Set<string>>;
  readonly objects: UnknownObject[];
}

export function clusterIndex(content: ClusterContent): ClusterIndex {
  const kinds = new Map<string, KindIndex>();
  const indexOf = (group: string, kind: string): KindIndex => {
    const key = `${group}/${kind}`;
    const found = kinds.get(key) ?? { names: new Map(), objects: [] };
    kinds.set(key, found);
    return found;
  };
  const add = ({ names }: KindIndex, namespace: string | undefined, name: string): void => {
    const found = names.get(namespace ?? '') ?? new Set();
    names.set(namespace ?? '', found.add(name));
  };
  for (const object of content.objects) {
    const { group, kind, namespace, name } = identityOf(object);
    const index = indexOf(group, kind);
    index.objects.push(object);
    add(index, namespace, name);
  }
  for (const { group, kind, namespace, name } of content.names) add(indexOf(group, kind), namespace, name);

  let model: ClusterModel | undefined;
  const listings = new Map(content.listings.map(it => [`${it.group}/${it.kind}`, it]));
  const find = (group: string, kind: string): KindIndex | undefined => kinds.get(`${group}/${kind}`);
  return {
    content,
    has: (group, kind, namespace, name) =>
      find(group, kind)
        ?.names.get(namespace ?? '')
        ?.has(name) === true,
    isListed(group, kind, namespace) {
      const listing = listings.get(`${group}/${kind}`);
      if (content.state !== 'ready' || listing?.state !== 'listed') return false;
      return listing.namespaces === undefined || listing.namespaces.includes(namespace ?? '');
    },
    namesOf: (group, kind, namespace) => [...(find(group, kind)?.names.get(namespace ?? '') ?? [])].sort(),
    objectsOf: (group, kind) => find(group, kind)?.objects ?? [],
    model() {
      model ??= scenarioFromObjects(content.objects, { expandWorkloads: false }).cluster;
      return model;
    },
  };
}
