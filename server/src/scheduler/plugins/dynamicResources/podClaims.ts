import { jsonText } from '../../../base/printed';
import type { ResourceClaimModel } from '../../../cluster/devices/claims';
import { type DeviceInventory, ownClaimKey, statusOf, uidOf } from '../../../cluster/devices/inventory';
import type { PodModel } from '../../../cluster/pods/podModel';
import type { PodResourceClaim } from '../../../kube/types';

/** The claims that a Pod names, in its order, or why the Pod must wait. Upstream: foreachPodResourceClaim. */
export function claimsOfPod(
  pod: PodModel,
  devices: DeviceInventory,
): readonly ResourceClaimModel[] | { readonly wait: string } {
  const res: ResourceClaimModel[] = [];
  for (const it of pod.spec.resourceClaims ?? []) {
    const named = nameOf(pod, it, devices);
    if (named === undefined) continue;
    if ('wait' in named) return named;
    const claim = devices.claims.get(`${pod.namespace}/${named.name}`);
    if (!claim) return { wait: `could not find ResourceClaim "${pod.namespace}/${named.name}"` };
    if (claim.deleting) return { wait: `resourceclaim "${claim.name}" is being deleted` };
    const owner = claim.owners.find(other => other.controller)?.uid;
    if (named.isOwn && owner !== uidOf(pod) && owner !== devices.groupClaims.get(ownClaimKey(pod, it))?.uid) {
      return { wait: `ResourceClaim ${claim.id} was not created for Pod ${pod.id} (${missingPart(pod, devices)})` };
    }
    res.push(claim);
  }
  return res;
}

function missingPart({ spec }: PodModel, { groupClaims }: DeviceInventory): string {
  const group = spec.schedulingGroup?.podGroupName;
  return group === undefined || groupClaims.size === 0
    ? 'Pod is not owner'
    : `neither Pod nor PodGroup ${group} is the owner`;
}

/** Names of a Pod's claims for the attempt: those that it names first, then those of templates. */
export function claimNames(pod: PodModel, devices: DeviceInventory): readonly string[] {
  const all = pod.spec.resourceClaims ?? [];
  const ofTemplates = all.filter(it => it.resourceClaimName === undefined);
  return [...all.filter(it => it.resourceClaimName !== undefined), ...ofTemplates].flatMap(it => {
    const named = nameOf(pod, it, devices);
    return named && 'name' in named ? [named.name] : [];
  });
}

/** undefined: intentionally no claim was made. Upstream: resourceclaim.Name. */
function nameOf(
  pod: PodModel,
  claim: PodResourceClaim,
  devices: DeviceInventory,
): { readonly name: string; readonly isOwn: boolean } | { readonly wait: string } | undefined {
  if (typeof claim.resourceClaimName === 'string') return { name: claim.resourceClaimName, isOwn: false };
  if (typeof claim.resourceClaimTemplateName !== 'string') {
    return {
      wait: `pod "${pod.id}", spec.resourceClaim ${jsonText(claim.name ?? '')}: none of the supported fields are set`,
    };
  }
  const status = statusOf(pod, claim);
  const made = devices.ownClaims.get(ownClaimKey(pod, claim));
  if (!status && made === undefined) return { wait: `pod "${pod.id}": ResourceClaim not created yet` };
  const name = status ? status.resourceClaimName : made;
  return name === undefined ? undefined : { name, isOwn: true };
}
