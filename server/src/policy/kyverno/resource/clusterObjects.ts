import type { JsonObject } from '../../../base/json';
import { lazy } from '../../../base/lazy';
import { grouped } from '../../../base/multiMap';
import { jsonText } from '../../../base/printed';
import { record, text } from '../../../kube/goFields';
import { kindOf, type Resource } from './resource';

/** The objects that are there, for what looks at others than the one in hand; every answer is in one and the same order. */
export interface ClusterObjects {
  all(): readonly Resource[];
  /** Those of some kinds. `isWanted` is asked about one object of each kind. */
  ofKinds(isWanted: (one: Resource) => boolean): readonly Resource[];
  /** Those with the kind, namespace and name of one of these. */
  sameAs(objects: readonly JsonObject[]): readonly Resource[];
}

/** `make` is asked with the first question. */
export function clusterObjects(make: () => readonly Resource[]): ClusterObjects {
  const all = lazy(make);
  const places = lazy(() => new Map(all().map((it, i) => [it, i])));
  const byKind = lazy(() => grouped(all(), kindOf));
  const byIdentity = lazy(() => grouped(all(), it => identityOf(it.value)));
  const inOrder = (groups: readonly (readonly Resource[])[]): readonly Resource[] => {
    const [only = [], second] = groups;
    const placeOf = (it: Resource) => places().get(it) ?? 0;
    return second === undefined ? only : groups.flat().sort((a, b) => placeOf(a) - placeOf(b));
  };
  return {
    all,
    ofKinds: isWanted => inOrder([...byKind().values()].filter(([one]) => one !== undefined && isWanted(one))),
    sameAs: objects => inOrder([...new Set(objects.map(identityOf))].flatMap(it => [byIdentity().get(it) ?? []])),
  };
}

function identityOf(object: JsonObject): string {
  const { namespace, name } = record(object, 'metadata') ?? {};
  return jsonText([text(object, 'apiVersion'), text(object, 'kind'), namespace ?? '', name ?? '']);
}
