import { compareText } from '../../../base/compareText';
import type { JsonObject } from '../../../base/json';
import { lazy, lazyByText } from '../../../base/lazy';
import { grouped } from '../../../base/multiMap';
import { jsonText } from '../../../base/printed';
import { record, text } from '../../../kube/goFields';
import { kindOf, type Resource } from './resource';

/** The existing objects of the cluster, for policies with targets. Every answer is in the same order. */
export interface ClusterObjects {
  all(): readonly Resource[];
  /** All kinds with their groups and versions in the order of text, or some. `isWanted` is called with one object of each kind. */
  kinds(isWanted?: (one: Resource) => boolean): readonly string[];
  /** As they are written. */
  valuesOfKind(kind: string): readonly JsonObject[];
  ofKinds(kinds: readonly string[]): readonly Resource[];
  /** Objects with the kind, namespace and name of one of these. */
  sameAs(objects: readonly JsonObject[]): readonly Resource[];
}

/** `make` is called with the first query. */
export function clusterObjects(make: () => readonly Resource[]): ClusterObjects {
  const all = lazy(make);
  const positions = lazy(() => new Map(all().map((it, i) => [it, i])));
  const byKind = lazy(() => grouped(all(), kindOf));
  const byIdentity = lazy(() => grouped(all(), it => identityOf(it.value)));
  const inOrder = (groups: readonly (readonly Resource[])[]): readonly Resource[] => {
    const [only = [], second] = groups;
    const positionOf = (it: Resource) => positions().get(it) ?? 0;
    return second === undefined ? only : groups.flat().sort((a, b) => positionOf(a) - positionOf(b));
  };
  const sortedKinds = lazy(() => [...byKind()].sort(([a], [b]) => compareText(a, b)));
  const kinds: ClusterObjects['kinds'] = (isWanted = () => true) =>
    sortedKinds().flatMap(([kind, [one]]) => (one !== undefined && isWanted(one) ? [kind] : []));
  return {
    all,
    kinds,
    valuesOfKind: lazyByText(kind => (byKind().get(kind) ?? []).map(it => it.object.manifest.value)),
    ofKinds: some => inOrder(some.map(it => byKind().get(it) ?? [])),
    sameAs: objects => inOrder([...new Set(objects.map(identityOf))].flatMap(it => [byIdentity().get(it) ?? []])),
  };
}

function identityOf(object: JsonObject): string {
  const { namespace, name } = record(object, 'metadata') ?? {};
  return jsonText([text(object, 'apiVersion'), text(object, 'kind'), namespace ?? '', name ?? '']);
}
