import type { PodModel } from '../../cluster/pods/podModel';
import type { ContainerStatus } from '../../kube/types';
import type { VerticalPodAutoscaler } from './autoscaler';
import { amountsIn, type Recommended } from './recommended';

/** Upstream: flags pod-lifetime-update-threshold, pod-update-threshold, evict-after-oom-threshold. */
const LIFETIME = 12 * 3600;
const LEAST_CHANGE = 0.1;
const QUICK_OOM = 600;

/** A Pod that the updater would change; a greater difference is more urgent. */
export interface WantedUpdate {
  readonly pod: PodModel;
  readonly difference: number;
  /** A clause. */
  readonly reason: string;
}

/** Whether the updater would change a Pod, or a clause why not. Upstream: UpdatePriorityCalculator.AddPod. */
export function wantedUpdateOf(
  pod: PodModel,
  recommended: readonly Recommended[],
  vpa: VerticalPodAutoscaler,
  now: number,
): WantedUpdate | string {
  if (recommended.length === 0) return 'nothing is recommended for its containers';
  const difference = differenceOf(recommended);
  const outside = recommended.flatMap(outsideOf)[0];
  if (outside !== undefined) return admitted({ pod, difference, reason: outside }, recommended, vpa);
  const seconds = vpa.spec?.updatePolicy?.evictAfterOOMSeconds ?? QUICK_OOM;
  if ((pod.source.status?.containerStatuses ?? []).some(it => isQuickOom(it, seconds))) {
    if (difference === 0) return 'it ran out of memory, but nothing would change';
    return admitted({ pod, difference, reason: 'it ran out of memory soon after its start' }, recommended, vpa);
  }
  const started = Date.parse(pod.source.status?.startTime ?? '');
  if (Number.isNaN(started)) return 'its requests are within the bounds, and nobody knows when it started';
  if ((now - started) / 1000 < LIFETIME) return 'its requests are within the bounds, and it is younger than 12 h';
  const percent = Math.round(difference * 100);
  if (difference < LEAST_CHANGE) return `its requests would change by ${percent} % only`;
  return admitted(
    { pod, difference, reason: `it is older than 12 h, and its requests are ${percent} % off` },
    recommended,
    vpa,
  );
}

function outsideOf({ container, target, lowerBound, upperBound }: Recommended): readonly string[] {
  const requests = amountsIn(container.resources?.requests);
  return Object.keys(target).flatMap(name => {
    const request = requests[name];
    const [low, high] = [lowerBound[name], upperBound[name]];
    if (request === undefined) return [`${container.name} has no request for ${name}`];
    if (low !== undefined && request < low)
      return [`the ${name} request of ${container.name} is below the lower bound`];
    return high !== undefined && request > high
      ? [`the ${name} request of ${container.name} is above the upper bound`]
      : [];
  });
}

/** Upstream: GetUpdatePriority, ResourceDiff. */
function differenceOf(recommended: readonly Recommended[]): number {
  const names = new Set(recommended.flatMap(it => Object.keys(it.target)));
  return [...names].reduce((sum, name) => {
    const of = recommended.filter(it => it.target[name] !== undefined);
    const wanted = of.reduce((total, it) => total + (it.target[name] ?? 0), 0);
    const now = of.reduce((total, it) => total + (amountsIn(it.container.resources?.requests)[name] ?? 0), 0);
    return sum + Math.abs(now - wanted) / Math.max(now, 1);
  }, 0);
}

/** Upstream: scalingDirectionPodEvictionAdmission.Admit. */
function admitted(
  wanted: WantedUpdate,
  recommended: readonly Recommended[],
  vpa: VerticalPodAutoscaler,
): WantedUpdate | string {
  const requirements = vpa.spec?.updatePolicy?.evictionRequirements ?? [];
  const isAdmitted = recommended.some(({ container, target }) => {
    const requests = amountsIn(container.resources?.requests);
    if (requests.cpu === undefined || requests.memory === undefined) return true;
    return requirements.every(({ resources = [], changeRequirement }) =>
      resources.some(name => {
        const change = (target[name] ?? 0) - (requests[name] ?? 0);
        return changeRequirement === 'TargetHigherThanRequests' ? change > 0 : change < 0;
      }),
    );
  });
  return isAdmitted ? wanted : 'its evictionRequirements are not met';
}

function isQuickOom(status: ContainerStatus, within: number): boolean {
  const { lastState } = status as {
    readonly lastState?: {
      readonly terminated?: { readonly reason?: string; readonly startedAt?: string; readonly finishedAt?: string };
    };
  };
  const { reason, startedAt = '', finishedAt = '' } = lastState?.terminated ?? {};
  return reason === 'OOMKilled' && (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000 < within;
}
