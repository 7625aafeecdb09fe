import type { JsonObject } from '../../base/json';
import { isSameList } from '../../base/sameValue';
import type { ClusterIndex } from '../../cluster/sources/clusterIndex';
import { identityOf } from '../../cluster/sources/snapshot';
import { type CustomDefinition, withCustomKinds } from '../../kube/customKinds';
import type { Kube } from '../../kube/kube';
import { createRuleCache } from '../../rules/engine/ruleCache';
import type { Snapshot } from '../../workspace/workspace';
import { isSameKinds, kindsOfDefinition } from './customKinds';
import type { SharedIndex } from './sharedIndex';

const [GROUP, KIND] = ['apiextensions.k8s.io', 'CustomResourceDefinition'];

/** The facts of an environment with the kinds that only its cluster defines, and the caches that are valid for them. */
export interface ClusterKinds extends Pick<SharedIndex, 'kube' | 'documented' | 'cache' | 'properties'> {
  /** What they follow from: the facts of the index, `base` with the newest descriptions. */
  readonly base: Kube;
  readonly rules: Kube;
  readonly definitions: readonly JsonObject[];
  readonly kinds: readonly CustomDefinition[];
}

/**
 * The kinds of the CustomResourceDefinitions of an environment's cluster. A definition of the workspace replaces the
 * cluster's of the same name, as applying it would. undefined where the cluster adds no kind; what is the same as
 * before is `last`.
 */
export function clusterKinds(
  { kube, documented, snapshot, defined }: SharedIndex,
  cluster: ClusterIndex | undefined,
  last: ClusterKinds | undefined,
): ClusterKinds | undefined {
  const definitions = definitionsOf(cluster, snapshot);
  if (definitions.length === 0) return undefined;
  const known = last?.base === documented && isSameList(definitions, last.definitions) ? last : undefined;
  if (known !== undefined) return known;
  const kinds = definitions.flatMap(it => kindsOfDefinition(it, defined.facts.parts));
  const own = { base: documented, definitions, kinds, documented: withCustomKinds(documented, kinds) };
  if (last?.rules === kube && isSameKinds(kinds, last.kinds)) return { ...last, ...own };
  return {
    ...own,
    rules: kube,
    kube: withCustomKinds(kube, kinds),
    cache: createRuleCache(),
    properties: new WeakMap(),
  };
}

function definitionsOf(cluster: ClusterIndex | undefined, snapshot: Snapshot): readonly JsonObject[] {
  const ofCluster = cluster?.objectsOf(GROUP, KIND) ?? [];
  if (ofCluster.length === 0) return [];
  const written = new Set(snapshot.objectsOf(GROUP, KIND).map(it => it.name));
  // The objects of a cluster are JSON.
  return ofCluster.filter(it => !written.has(identityOf(it).name)) as unknown as readonly JsonObject[];
}
