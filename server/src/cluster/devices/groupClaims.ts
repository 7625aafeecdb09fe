import type { UnknownObject } from '../../base/json';
import type { PodResourceClaim } from '../../kube/types';
import { fieldsOf, listOf, textOf } from '../decode/fields';
import type { PodModel } from '../pods/podModel';

/** A PodGroup of scheduling.k8s.io that claims devices for all its Pods together. */
export interface GroupOwner {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** What it claims: `keyOf` of each. */
  readonly claims: ReadonlySet<string>;
  /** Its own name of a claim → the claim's, where its status tells. */
  readonly claimNames: ReadonlyMap<string, string>;
}

/** Throws a TypeError for the shape of another kind. */
export function groupOwner(group: UnknownObject): GroupOwner {
  const metadata = fieldsOf(group.metadata);
  const [name, namespace] = [textOf(metadata.name), textOf(metadata.namespace) || 'default'];
  const isNative = textOf(group.apiVersion).startsWith('scheduling.k8s.io/');
  const claims = isNative ? listOf(fieldsOf(group.spec).resourceClaims) : [];
  const statuses = listOf(fieldsOf(group.status).resourceClaimStatuses).map(fieldsOf);
  return {
    name,
    namespace,
    // One made up where the file has none.
    uid: textOf(metadata.uid) || `podgroup-${namespace}-${name}`,
    claims: new Set(claims.map(it => keyOf(fieldsOf(it) as PodResourceClaim))),
    claimNames: new Map(
      statuses.flatMap(it => (it.resourceClaimName ? [[textOf(it.name), textOf(it.resourceClaimName)] as const] : [])),
    ),
  };
}

/**
 * NAMESPACE/POD/CLAIM → the group with which a pending Pod shares a claim: both name it alike, and mean the same claim or
 * template. Upstream: resourceclaim.BindTo.
 */
export function sharedWithGroups(
  groups: readonly GroupOwner[],
  pending: readonly PodModel[],
): ReadonlyMap<string, GroupOwner> {
  const byId = new Map(groups.filter(it => it.claims.size > 0).map(it => [`${it.namespace}/${it.name}`, it]));
  const shared = new Map<string, GroupOwner>();
  for (const pod of byId.size === 0 ? [] : pending) {
    const group = byId.get(`${pod.namespace}/${pod.spec.schedulingGroup?.podGroupName ?? ''}`);
    for (const it of pod.spec.resourceClaims ?? []) {
      if (group?.claims.has(keyOf(it))) shared.set(`${pod.id}/${it.name ?? ''}`, group);
    }
  }
  return shared;
}

function keyOf({ name, resourceClaimName, resourceClaimTemplateName }: PodResourceClaim): string {
  return JSON.stringify([name, resourceClaimName ?? null, resourceClaimTemplateName ?? null]);
}
