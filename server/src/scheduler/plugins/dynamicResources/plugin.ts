import type { AllocationModel, ResourceClaimModel } from '../../../cluster/devices/claims';
import { type DeviceInventory, uidOf } from '../../../cluster/devices/inventory';
import type { PodModel } from '../../../cluster/pods/podModel';
import { deviceSelectors } from '../../../kube/cel/deviceSelector';
import type {
  Cycle,
  GroupPostFilterAnswer,
  GroupPostFilterContext,
  PluginFactory,
  PostFilterAnswer,
  PostFilterContext,
  Refusal,
} from '../../framework/interface';
import { defaultNormalize } from '../../framework/normalize';
import { definePlugin } from '../../framework/plugin';
import { skip, success, unresolvable, unschedulable } from '../../framework/status';
import { NO_VICTIMS } from '../../gangs/groupStatus';
import { isUnwritten } from './extendedResources';
import { deviceFeatures, selectorFacts } from './features';
import { claimsOfPod } from './podClaims';
import { reserveClaims } from './reserve';
import { deviceRun, type RunInput } from './run';
import { type PodState, podState, type StateOptions } from './state';

const NAME = 'DynamicResources';

/** Upstream: resource.FirstAvailableDeviceRequestMaxSize. */
const MAX_ALTERNATIVES = 8;

/** Upstream: pkg/scheduler/framework/plugins/dynamicresources. */
export const dynamicResources: PluginFactory = ({ gates }) => {
  const isEnabled = gates.isOn('DynamicResourceAllocation');
  const options: StateOptions = {
    extendedResources: gates.isOn('DRAExtendedResource') ? 'by devices too' : 'by device plugins alone',
  };
  const input: RunInput = {
    features: deviceFeatures(gates),
    compiler: deviceSelectors(selectorFacts(gates)),
    taintRules: gates.isOn('DRADeviceTaintRules') ? 'counted' : 'ignored',
  };
  const hasAlternatives = gates.isOn('DRAPrioritizedList');
  const stateOf = (pod: PodModel, cycle: Cycle): PodState | Refusal | undefined =>
    latestState(cycle, pod, () => podState(pod, cycle.cluster.devices, deviceRun(cycle, input), options));
  return definePlugin<PodState>({
    name: NAME,
    // Claims belong to the whole cluster, and an extended resource may be backed by one.
    shares: {
      dependsOn: 'node',
      sign: ({ spec, requests }) => (spec.resourceClaims?.length || requests.scalar.size > 0 ? undefined : ''),
    },

    preEnqueue(pod, { cluster: { devices } }) {
      const claims = isEnabled ? claimsOfPod(pod, devices) : [];
      return 'wait' in claims ? unresolvable(claims.wait) : success;
    },

    preFilter(pod, cycle) {
      const state = isEnabled ? stateOf(pod, cycle) : undefined;
      if (state === undefined) return { status: skip };
      return 'code' in state ? { status: state } : { status: success, state };
    },

    filter: (state, _pod, node) => state.answer(node).status,

    postFilter: (pod, context) => (isEnabled ? freeClaims(pod, context) : { status: unschedulable(), message: '' }),

    podGroupPostFilter: context =>
      isEnabled ? freeClaimsOfGroup(context) : { code: 'Unschedulable', message: '', ...NO_VICTIMS },

    score(_, pod, node, cycle) {
      const state = isEnabled && hasAlternatives ? stateOf(pod, cycle) : undefined;
      if (state === undefined || 'code' in state) return 0;
      const { allocations } = state.answer(node);
      return allocations ? scoreOf(state.claims, allocations) : 0;
    },

    normalizeScore: scores => defaultNormalize(scores, 'highIsGood'),

    reserve(pod, node, cycle) {
      const state = isEnabled ? stateOf(pod, cycle) : undefined;
      if (state === undefined || 'code' in state) return undefined;
      return reserveClaims(pod, state, node, cycle.cluster);
    },
  });
};

/** The state of this cycle's Pod; Filter, Score and Reserve all read it. */
function latestState<T>({ cluster, work }: Cycle, pod: PodModel, make: () => T): T {
  const kept = work.once('devices/state', (): { of?: readonly [DeviceInventory, PodModel]; state?: T } => ({}));
  if (kept.of?.[0] !== cluster.devices || kept.of[1] !== pod) {
    kept.state = make();
    kept.of = [cluster.devices, pod];
  }
  return kept.state as T;
}

/** Upstream: computeScore. Earlier alternatives of a list score higher. */
function scoreOf(claims: readonly ResourceClaimModel[], allocations: readonly AllocationModel[]): number {
  const fresh = allocations.values();
  let score = 0;
  for (const { allocation, requests } of claims) {
    const { results } = allocation ?? fresh.next().value ?? { results: [] };
    const chosen = new Set(results.map(it => it.request));
    for (const { name, exactly, firstAvailable } of requests) {
      for (const [i, it] of (exactly ? [] : firstAvailable).entries()) {
        if (chosen.has(`${name}/${it.name}`)) score += MAX_ALTERNATIVES - i;
      }
    }
  }
  return score;
}

/** The same for each Pod of a group whose PreFilter ran. Upstream: PodGroupPostFilter. */
function freeClaimsOfGroup({ group, evaluations, at }: GroupPostFilterContext): GroupPostFilterAnswer {
  if (group.topology?.key !== undefined) return { code: 'Unschedulable', message: '', ...NO_VICTIMS };
  const tried = evaluations.filter(({ decision }) => decision.run ?? decision.preFiltered?.includes(NAME));
  if (tried.length === 0) return { code: 'Error', message: 'not found', ...NO_VICTIMS };
  const cluster = tried.reduce((it, { pod, decision: { run } }) => {
    const freed = run && freeClaims(pod, { cycle: { cluster: it }, run, preFiltered: [NAME] }).cluster;
    return freed ?? it;
  }, at.cluster);
  return {
    code: 'Unschedulable',
    message: 'deallocation and deletion of ResourceClaims completed',
    ...NO_VICTIMS,
    ...(cluster !== at.cluster && { cluster }),
  };
}

/** Releases one claim that keeps the Pod away from nodes and that no other Pod uses. Upstream: PostFilter. */
function freeClaims(
  pod: PodModel,
  { cycle, run, preFiltered }: Pick<PostFilterContext, 'run' | 'preFiltered'> & { cycle: Pick<Cycle, 'cluster'> },
): PostFilterAnswer {
  // Without a state, since PreFilter ended before this plugin; upstream's error is returned as it is.
  if (!preFiltered.includes(NAME)) return { status: { code: 'Error', reasons: ['not found'] }, message: 'not found' };
  const state = run?.active.find(it => it.plugin.name === NAME)?.state as PodState | undefined;
  const done = (message: string, claims: DeviceInventory['claims']): PostFilterAnswer => ({
    status: unschedulable(message),
    message,
    cluster: { ...cycle.cluster, devices: { ...cycle.cluster.devices, claims } },
  });
  const { claims } = cycle.cluster.devices;
  const uid = uidOf(pod);
  // Upstream chooses one at random; here the Pod's first.
  for (const claim of state?.claims.filter(it => state.unavailable.has(it)) ?? []) {
    if (claim === state?.special || !claim.reservedFor.every(it => it === uid) || claim.reservedFor.length > 1)
      continue;
    const { allocation: _, ...free } = claim;
    const after = new Map(claims).set(claim.id, { ...free, reservedFor: [], conditions: new Map() });
    return done('deallocation of ResourceClaim completed', after);
  }
  const { special } = state ?? {};
  if (!special || isUnwritten(special)) return { status: unschedulable(), message: '' };
  return done('deletion of ResourceClaim completed', new Map([...claims].filter(([id]) => id !== special.id)));
}
