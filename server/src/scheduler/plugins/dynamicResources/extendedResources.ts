import type { NodeModel } from '../../../cluster/clusterModel';
import type { DeviceAsk, RequestModel, ResourceClaimModel } from '../../../cluster/devices/claims';
import { billionths } from '../../../cluster/devices/devices';
import { DEVICE_CLASS_PREFIX, type DeviceInventory, newClaim, uidOf } from '../../../cluster/devices/inventory';
import type { PodModel } from '../../../cluster/pods/podModel';
import { isExtendedResource, isSidecar } from '../../../cluster/resources/resources';
import { compareText } from '../../../cluster/scenario';
import { quantityOf } from '../../../kube/quantity';
import type { Container } from '../../../kube/types';

/** A name that no claim in a cluster can have. Upstream: specialClaimInMemName. */
const UNWRITTEN = '<extended-resources>';

/** Upstream: IsDRAExtendedResourceName. */
export function mayBeDevices(name: string): boolean {
  return isExtendedResource(name) || name.startsWith(DEVICE_CLASS_PREFIX);
}

/**
 * The claim for a Pod's extended resources that are backed by devices: one left by an earlier attempt, or one without
 * requests yet, which depend on the node. undefined: the Pod requests none. Upstream: preFilterExtendedResources.
 */
export function extendedResourceClaim(pod: PodModel, devices: DeviceInventory): ResourceClaimModel | undefined {
  const { classOfResource, claims } = devices;
  const isBacked = [...pod.requests.scalar].some(
    ([name, n]) => n !== 0 && mayBeDevices(name) && classOfResource.has(name),
  );
  if (!isBacked) return undefined;
  const uid = uidOf(pod);
  for (const it of claims.values()) {
    const isOwn = it.owners.some(owner => owner.name === pod.name && owner.controller && owner.uid === uid);
    if (it.forExtendedResources && isOwn) return it;
  }
  return { ...newClaim(pod, UNWRITTEN), forExtendedResources: true };
}

export function isUnwritten(claim: ResourceClaimModel): boolean {
  return claim.name === UNWRITTEN;
}

/** The claim as created once the Pod has its node; upstream ends the name in random letters. */
export function writtenClaim(pod: PodModel, claim: ResourceClaimModel): ResourceClaimModel {
  const name = `${pod.name}-extended-resources`;
  return { ...claim, name, id: `${pod.namespace}/${name}` };
}

/**
 * Which of the Pod's extended resources a node has as devices only; undefined when it lacks one of them altogether.
 * Upstream: filterExtendedResources.
 */
export function backedOn(node: NodeModel, pod: PodModel, devices: DeviceInventory): ReadonlySet<string> | undefined {
  const res = new Set<string>();
  for (const [name, amount] of pod.requests.scalar) {
    if (!mayBeDevices(name) || amount === 0) continue;
    const { scalar } = node.allocatable;
    if (devices.classOfResource.has(name) && !scalar.get(name)) res.add(name);
    else if (!scalar.has(name)) return undefined;
  }
  return res;
}

/** The requests for extended resources, by name. Upstream: createRequestsAndMappings. */
export function requestsFor(
  pod: PodModel,
  resources: ReadonlySet<string>,
  { classOfResource }: DeviceInventory,
): readonly RequestModel[] {
  const starting: readonly Container[] = pod.spec.initContainers ?? [];
  const containers = [...starting, ...(pod.spec.containers ?? [])];
  const res: DeviceAsk[] = [];
  for (const name of [...resources].sort(compareText)) {
    const className = classOfResource.get(name)?.name;
    if (className === undefined) continue;
    const isBrief = (i: number): boolean => i < starting.length && !isSidecar(containers[i]!);
    const appContainers = containers.map((it, i) => (isBrief(i) ? undefined : askOf(it, i, name, className, [])));
    // Init containers run first and can reuse the app containers' devices; together they need no more than the largest.
    const brief = containers.map((it, i) =>
      isBrief(i) ? askOf(it, i, name, className, appContainers.slice(i)) : undefined,
    );
    const largest = brief.reduce((most, it) => (it && (!most || it.count > most.count) ? it : most), undefined);
    for (const it of [largest, ...appContainers]) if (it !== undefined) res.push(it);
  }
  return res
    .sort((a, b) => compareText(a.name, b.name))
    .map(it => ({ name: it.name, exactly: it, firstAvailable: [] }));
}

/** What a container needs beyond the devices that it can reuse. Upstream: createResourceRequestAndMappings. */
function askOf(
  container: Container,
  index: number,
  resource: string,
  className: string,
  reusable: readonly (DeviceAsk | undefined)[],
): DeviceAsk | undefined {
  const requests = container.resources?.requests ?? {};
  const quantity = Object.hasOwn(requests, resource) ? quantityOf(requests[resource]) : undefined;
  const amount = quantity ? billionths(quantity) : 0n;
  if (amount === 0n || amount % 1_000_000_000n !== 0n) return undefined;
  const wanted = Number(amount / 1_000_000_000n);
  const reused = reusable.reduce((sum, it) => sum + (it?.count ?? 0), 0);
  if (reused >= wanted) return undefined;
  const position = Object.keys(requests).sort(compareText).indexOf(resource);
  return {
    name: `container-${index}-request-${position}`,
    className,
    mode: 'ExactCount',
    count: wanted - reused,
    selectors: [],
    tolerations: [],
    hasDerivedAttributes: false,
  };
}
