import type { ClusterModel } from '../../../cluster/clusterModel';
import type { ResourceClaimModel } from '../../../cluster/devices/claims';
import { type DeviceInventory, ownClaimKey, statusOf, uidOf } from '../../../cluster/devices/inventory';
import type { PodModel } from '../../../cluster/pods/podModel';
import type { Reservation } from '../../framework/interface';
import type { NodeInfo } from '../../framework/nodeInfo';
import type { ClaimChoice } from '../../result';
import { writtenClaim } from './extendedResources';
import { claimNames } from './podClaims';
import type { PodState } from './state';

/** Upstream: resource.ResourceClaimReservedForMaxSize. */
const MAX_RESERVATIONS = 256;

/** Writes the node's devices into the Pod's claims, and the Pod as a consumer. Upstream: Reserve and PreBind. */
export function reserveClaims(pod: PodModel, state: PodState, node: NodeInfo, cluster: ClusterModel): Reservation {
  const { allocations = [], special } = state.answer(node);
  const fresh = allocations.values();
  const uid = uidOf(pod);
  const before = cluster.devices.claims;
  const claims = new Map(before);
  const names = [...claimNames(pod, cluster.devices)];
  const clusterWith = (all: DeviceInventory['claims']): ClusterModel => ({
    ...cluster,
    devices: { ...cluster.devices, claims: all },
  });
  const consumers = consumersOf(pod, cluster.devices);
  for (const claim of state.claims) {
    const consumer = consumers.get(claim.id) ?? uid;
    const allocation = claim.allocation ?? fresh.next().value;
    // The node itself has the extended resources, so no devices are allocated.
    if (!allocation) continue;
    const own = claim === state.special ? writtenClaim(pod, special ?? claim) : claim;
    if (own !== claim) names.push(own.name);
    const reservedFor = own.reservedFor.includes(consumer) ? own.reservedFor : [...own.reservedFor, consumer];
    const problem = whyRefused(pod, claim, own, reservedFor.length);
    if (problem !== undefined) {
      // The claims before this one keep their devices, but the Pod is no longer their consumer.
      const kept = [...claims].map(
        ([id, it]) => [id, { ...it, reservedFor: before.get(id)?.reservedFor ?? [] }] as const,
      );
      return { cluster: clusterWith(new Map(kept)), failed: { code: 'Error', reasons: [problem] } };
    }
    claims.set(own.id, { ...own, allocation, reservedFor });
  }
  return { cluster: clusterWith(claims), claims: names.flatMap(it => choiceOf(pod, it, claims)) };
}

/**
 * By claim: the group that it is reserved for; the other claims are reserved for the Pod itself. Upstream:
 * resourceclaim.BindTo.
 */
function consumersOf(pod: PodModel, devices: DeviceInventory): ReadonlyMap<string, string> {
  return new Map(
    (pod.spec.resourceClaims ?? []).flatMap(it => {
      const group = devices.groupClaims.get(ownClaimKey(pod, it));
      const name =
        it.resourceClaimName ?? devices.ownClaims.get(ownClaimKey(pod, it)) ?? statusOf(pod, it)?.resourceClaimName;
      return group && name !== undefined ? [[`${pod.namespace}/${name}`, group.uid] as const] : [];
    }),
  );
}

/** Why the API server, or the scheduler, refuses the claim after the decision. */
function whyRefused(
  pod: PodModel,
  claim: ResourceClaimModel,
  own: ResourceClaimModel,
  reservations: number,
): string | undefined {
  if (own !== claim && own.requests.length === 0) {
    return `nil or empty request mappings, no update of pod ${pod.id} ExtendedResourceClaimStatus`;
  }
  if (reservations <= MAX_RESERVATIONS) return undefined;
  const action = claim.allocation ? 'reservation' : 'allocation and reservation';
  const limit = `Too many: ${reservations}: must have at most ${MAX_RESERVATIONS} items`;
  const refusal = `ResourceClaim.resource.k8s.io "${claim.name}" is invalid: status.reservedFor: ${limit}`;
  return `add ${action} to claim ${claim.id}: ${refusal}`;
}

function choiceOf({ namespace }: PodModel, claim: string, claims: DeviceInventory['claims']): readonly ClaimChoice[] {
  const allocation = claims.get(`${namespace}/${claim}`)?.allocation;
  if (!allocation) return [];
  const devices = allocation.results.map(it => `${it.request}=${it.driver}/${it.pool}/${it.device}`);
  return [{ claim, devices }];
}
