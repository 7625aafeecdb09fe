import type { AllocationModel, ResourceClaimModel } from '../../../cluster/devices/claims';
import type { DeviceInventory } from '../../../cluster/devices/inventory';
import type { PodModel } from '../../../cluster/pods/podModel';
import { aggregate } from '../../../kube/labelSelector';
import type { Refusal, Status } from '../../framework/interface';
import type { NodeInfo } from '../../framework/nodeInfo';
import { success, unresolvable } from '../../framework/status';
import { allocatedState } from './allocatedState';
import { type AllocatorInput, allocate, MAX_STEPS_OF_POD } from './allocator';
import { hasBindingFailed } from './binding';
import { availableCounters } from './counters';
import { backedOn, extendedResourceClaim, requestsFor } from './extendedResources';
import type { DeviceFeatures } from './features';
import { claimsOfPod } from './podClaims';
import type { DeviceRun } from './run';

/** What one node can allocate for the Pod's claims. */
interface NodeAnswer {
  readonly status: Status;
  /** For the claims without an allocation, in order. */
  readonly allocations?: readonly AllocationModel[];
  /** The claim for extended resources as this node needs it. */
  readonly special?: ResourceClaimModel;
}

/** Upstream: stateData. */
export interface PodState {
  /** The claim for extended resources comes last, if there is one. */
  readonly claims: readonly ResourceClaimModel[];
  readonly special?: ResourceClaimModel;
  /** Claims that an evaluated node does not reach, or that can no longer be bound. */
  readonly unavailable: ReadonlySet<ResourceClaimModel>;
  /** Computed once for each node. */
  answer(node: NodeInfo): NodeAnswer;
}

export interface StateOptions {
  readonly extendedResources: 'by devices too' | 'by device plugins alone';
}

const failed = (reason: string): Refusal => ({ code: 'Error', reasons: [reason] });

/** undefined: the Pod uses no devices. Upstream: PreFilter. */
export function podState(
  pod: PodModel,
  devices: DeviceInventory,
  run: DeviceRun,
  { extendedResources }: StateOptions,
): PodState | Refusal | undefined {
  const own = claimsOfPod(pod, devices);
  if ('wait' in own) return unresolvable(own.wait);
  const special = extendedResources === 'by devices too' ? extendedResourceClaim(pod, devices) : undefined;
  const claims = special ? [...own, special] : own;
  if (claims.length === 0) return undefined;
  for (const claim of claims) {
    const broken = aggregate(claim.allocation?.nodes?.errors ?? []);
    if (broken !== undefined) return failed(broken);
    const refusal = claim.allocation || claim === special ? undefined : missingClass(claim, devices, run.features);
    if (refusal) return refusal;
  }
  const unavailable = new Set<ResourceClaimModel>();
  const answers = new Map<number, NodeAnswer>();
  const ask = nodeAsker(pod, claims, special, devices, run, unavailable);
  return {
    claims,
    unavailable,
    ...(special && { special }),
    answer(node) {
      const answer = answers.get(node.index) ?? ask(node);
      answers.set(node.index, answer);
      return answer;
    },
  };
}

function missingClass(
  claim: ResourceClaimModel,
  { classes }: DeviceInventory,
  features: DeviceFeatures,
): Refusal | undefined {
  for (const { name, exactly, firstAvailable } of claim.requests) {
    const context = `resource claim ${claim.id}, request ${name}`;
    if (!exactly && firstAvailable.length === 0) return unresolvable(`${context}: unknown request type`);
    if (!exactly && !features.prioritizedList) {
      return unresolvable(`${context}: has subrequests, but the DRAPrioritizedList feature is disabled`);
    }
    const asks = exactly
      ? [{ request: name, className: exactly.className }]
      : firstAvailable.map(it => ({ request: `${name}/${it.name}`, className: it.className }));
    for (const { request, className } of asks) {
      if (className === '') return failed(`request ${request}: unsupported request type`);
      if (!classes.has(className)) return unresolvable(`request ${request}: device class ${className} does not exist`);
    }
  }
  return undefined;
}

/** Upstream: Filter. */
function nodeAsker(
  pod: PodModel,
  claims: readonly ResourceClaimModel[],
  special: ResourceClaimModel | undefined,
  devices: DeviceInventory,
  run: DeviceRun,
  unavailable: Set<ResourceClaimModel>,
): (info: NodeInfo) => NodeAnswer {
  const waiting = claims.filter(it => !it.allocation);
  const allocated = allocatedState(waiting.length > 0 ? devices.claims.values() : [], run.features);
  const shared = {
    classes: devices.classes,
    allocated,
    available: availableCounters(allocated),
    ...run,
    budget: { steps: MAX_STEPS_OF_POD },
  };
  const ask = waiting.length > 0 ? run.answers.askerFor(waiting, allocated) : undefined;
  const specialOn = ({ node }: NodeInfo): ResourceClaimModel | undefined | Refusal => {
    if (!special) return undefined;
    if (special.requests.length > 0) return unresolvable('cannot schedule extended resource claim');
    const backed = backedOn(node, pod, devices);
    if (!backed) return unresolvable('cannot fit resource');
    if ((claims.length === 1 && backed.size === 0) || special.allocation) return undefined;
    return { ...special, requests: requestsFor(pod, backed, devices) };
  };
  const unavailableOn = (claim: ResourceClaimModel, { node }: NodeInfo): boolean =>
    (claim.allocation?.nodes && !claim.allocation.nodes.matches(node)) ||
    (run.features.deviceBindingAndStatus && hasBindingFailed(claim));
  return info => {
    const own = specialOn(info);
    if (own && 'code' in own) return { status: own };
    if (special && !own && claims.length === 1) return { status: success };
    const lost = claims.filter(it => unavailableOn(it, info));
    let allocations: readonly AllocationModel[] | undefined;
    if (ask) {
      const pools = run.pools(info);
      if ('error' in pools) return { status: failed(pools.error) };
      const input: AllocatorInput = { ...shared, node: info.node, pools };
      const answer = own
        ? allocate([...waiting.filter(it => it !== special), own], input)
        : ask(pools, () => allocate(waiting, input));
      if ('error' in answer) return { status: failed(answer.error) };
      if ('gaveUp' in answer) return { status: failed(answer.gaveUp) };
      if ('refusal' in answer) return { status: unresolvable(answer.refusal) };
      allocations = answer.allocations;
    }
    for (const it of lost) unavailable.add(it);
    if (lost.length > 0) return { status: unresolvable('resourceclaim not available on the node') };
    return { status: success, ...(allocations && { allocations }), ...(own && { special: own }) };
  };
}
