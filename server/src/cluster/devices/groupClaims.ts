import type { UnknownObject } from '../../base/json';
import { jsonText } from '../../base/printed';
import type { PodResourceClaim } from '../../kube/types';
import { fieldsOf, listOf, textOf } from '../decode/fields';
import type { PodModel } from '../pods/podModel';

/** A PodGroup of scheduling.k8s.io that claims devices for all its Pods together. */
export interface GroupOwner {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** The `keyOf` of each of its claims. */
  readonly claims: ReadonlySet<string>;
  /** The group's own name of a claim → the name of the ResourceClaim, where the status has it. */
  readonly claimNames: ReadonlyMap<string, string>;
}

/** Throws a TypeError for invalid types. */
export function groupOwner(group: UnknownObject): GroupOwner {
  const metadata = fieldsOf(group.metadata);
  const [name, namespace] = [textOf(metadata.name), textOf(metadata.namespace) || 'default'];
  const isNative = textOf(group.apiVersion).startsWith('scheduling.k8s.io/');
  const claims = isNative ? listOf(fieldsOf(group.spec).resourceClaims) : [];
  const statuses = listOf(fieldsOf(group.status).resourceClaimStatuses).map(fieldsOf);
  return {
    name,
    namespace,
    // A stand-in where the file has no UID.
    uid: textOf(metadata.uid) || `podgroup-${namespace}-${name}`,
    claims: new Set(claims.map(it => keyOf(fieldsOf(it) as PodResourceClaim))),
    claimNames: new Map(
      statuses.flatMap(it => (it.resourceClaimName ? [[textOf(it.name), textOf(it.resourceClaimName)] as const] : [])),
    ),
  };
}

/**
 * NAMESPACE/POD/CLAIM → the group with which a pending Pod shares a claim: both list it under the same name, for the
 * same claim or template. Upstream: resourceclaim.BindTo.
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
  return jsonText([name, resourceClaimName ?? null, resourceClaimTemplateName ?? null]);
}
