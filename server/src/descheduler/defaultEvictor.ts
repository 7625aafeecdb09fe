import type { PodModel } from '../cluster/pods/podModel';
import { type LabelMatcher, labelMatcher } from '../kube/labelSelector';
import type { PersistentVolumeClaim, PriorityClass } from '../kube/types';
import { type DeschedulingEnvironment, isReady, ownerKeys, ownerKinds } from './cluster';
import { secondsOf } from './duration';
import { nodeSelectorOf } from './labelText';
import { fitsAnyOther, type PodsOn } from './nodeFit';
import { DEFAULT_PROTECTIONS, type EvictorArgs, type Protection } from './policy';

/** Upstream: utils.SystemCriticalPriority. */
const SYSTEM_CRITICAL = 2_000_000_000;
const EVICT = 'descheduler.alpha.kubernetes.io/evict';
const PREFER_NO_EVICTION = 'descheduler.alpha.kubernetes.io/prefer-no-eviction';

/** Whether a Pod may be evicted. */
type Check = (pod: PodModel) => boolean;

/** The answers of the plugin DefaultEvictor at `filter` and `preevictionfilter`. Upstream: defaultevictor.New. */
export function defaultEvictor(
  args: EvictorArgs,
  environment: DeschedulingEnvironment,
  podsOn: PodsOn,
): { readonly isEvictable: Check; readonly passes: Check } {
  const checks = [
    ...protectionsOf(args).map(it => PROTECTIONS[it](args, environment)),
    ...(protectionsOf(args).includes('FailedBarePods') ? [] : [isOwnedOrFailed]),
    selectedBy(args.labelSelector && labelMatcher(args.labelSelector)),
    hasReplicas(args.minReplicas ?? 0, environment),
    isOldEnough(args.minPodAge, environment),
  ];
  const selector = nodeSelectorOf(args.nodeSelector);
  const nodes = environment.cluster.nodes.filter(it => isReady(it) && selector.matches(it.labels));
  const namespaces = args.namespaceLabelSelector && labelMatcher(args.namespaceLabelSelector);
  return {
    isEvictable: pod => {
      const annotations = pod.source.metadata?.annotations ?? {};
      if (annotations[EVICT] !== undefined) return true;
      if (args.noEvictionPolicy === 'Mandatory' && annotations[PREFER_NO_EVICTION] !== undefined) return false;
      return !isStatic(annotations) && !pod.terminating && checks.every(it => it(pod));
    },
    passes: pod =>
      (args.nodeFit !== true || fitsAnyOther(pod, nodes, podsOn, environment)) &&
      (namespaces === undefined || namespaces.matches(environment.cluster.namespaces.get(pod.namespace) ?? {})),
  };
}

/** Whether an annotation asks the descheduler to avoid evicting the Pod. Upstream: HaveNoEvictionAnnotation. */
export function prefersToStay({ source }: PodModel): boolean {
  return source.metadata?.annotations?.[PREFER_NO_EVICTION] !== undefined;
}

/** Mirror Pods, and Pods that a kubelet got from another source than the API. */
function isStatic(annotations: Readonly<Record<string, string>>): boolean {
  const source = annotations['kubernetes.io/config.source'];
  return annotations['kubernetes.io/config.mirror'] !== undefined || (source !== undefined && source !== 'api');
}

/** Upstream: getEffectivePodProtections, legacyGetPodProtections. */
function protectionsOf(args: EvictorArgs): readonly Protection[] {
  const { extraEnabled = [], defaultDisabled = [] } = args.podProtections ?? {};
  if (extraEnabled.length + defaultDisabled.length > 0) {
    return [...DEFAULT_PROTECTIONS.filter(it => !defaultDisabled.includes(it)), ...extraEnabled];
  }
  const old: readonly (readonly [Protection, boolean])[] = [
    ['PodsWithLocalStorage', args.evictLocalStoragePods !== true],
    ['DaemonSetPods', args.evictDaemonSetPods !== true],
    ['SystemCriticalPods', args.evictSystemCriticalPods !== true],
    ['FailedBarePods', args.evictFailedBarePods !== true],
    ['PodsWithPVC', args.ignorePvcPods === true],
    ['PodsWithoutPDB', args.ignorePodsWithoutPDB === true],
  ];
  return old.flatMap(([name, isOn]) => (isOn ? name : []));
}

const PROTECTIONS: Readonly<Record<Protection, (args: EvictorArgs, environment: DeschedulingEnvironment) => Check>> = {
  PodsWithLocalStorage: () => pod => !(pod.spec.volumes ?? []).some(it => it.hostPath || it.emptyDir),
  DaemonSetPods: () => pod => !ownerKinds(pod).includes('DaemonSet'),
  SystemCriticalPods: (args, environment) => {
    const threshold = thresholdOf(args, environment);
    return ({ priority }) => priority < SYSTEM_CRITICAL && priority < threshold;
  },
  FailedBarePods: () => pod => ownerKeys(pod).length > 0,
  PodsWithPVC: ({ podProtections }, environment) => {
    const classes = podProtections?.config?.PodsWithPVC?.protectedStorageClasses ?? [];
    const isProtected = new Set(classes.map(it => it.name));
    return pod =>
      classes.length === 0
        ? claimsOf(pod).length === 0
        : claimsOf(pod).every(it => {
            const name = storageClassOf(it, pod.namespace, environment);
            return name !== undefined && !isProtected.has(name);
          });
  },
  PodsWithoutPDB:
    (_, { cluster }) =>
    pod =>
      cluster.budgets.some(it => it.namespace === pod.namespace && it.selector.matches(pod.labels)),
  PodsWithResourceClaims: () => pod => (pod.spec.resourceClaims ?? []).length === 0,
};

const isOwnedOrFailed: Check = pod => ownerKeys(pod).length > 0 || pod.source.status?.phase === 'Failed';

/** Without a threshold only system-critical Pods are excluded. Upstream: GetPriorityValueFromPriorityThreshold. */
function thresholdOf({ priorityThreshold }: EvictorArgs, { cluster }: DeschedulingEnvironment): number {
  const { value, name } = priorityThreshold ?? {};
  if (value !== undefined) return value;
  const classes = (cluster.objects.get('PriorityClass') ?? []) as readonly PriorityClass[];
  return classes.find(it => it.metadata?.name === name)?.value ?? SYSTEM_CRITICAL;
}

const claimsOf = (pod: PodModel): readonly string[] =>
  (pod.spec.volumes ?? []).flatMap(it => it.persistentVolumeClaim?.claimName ?? []);

function storageClassOf(claim: string, namespace: string, { cluster }: DeschedulingEnvironment): string | undefined {
  const claims = (cluster.objects.get('PersistentVolumeClaim') ?? []) as readonly PersistentVolumeClaim[];
  const found = claims.find(it => it.metadata?.name === claim && (it.metadata?.namespace ?? 'default') === namespace);
  return found?.spec?.storageClassName || undefined;
}

const selectedBy =
  (selector: LabelMatcher | undefined): Check =>
  pod =>
    selector?.matches(pod.labels) ?? true;

/** Upstream: evictionConstraintsForMinReplicas. */
function hasReplicas(least: number, { cluster, finished }: DeschedulingEnvironment): Check {
  if (least <= 1) return () => true;
  const counts = new Map<string, number>();
  for (const pod of [...cluster.running, ...finished]) {
    for (const owner of ownerKeys(pod)) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return pod => {
    const [owner, ...others] = ownerKeys(pod);
    return owner === undefined || others.length > 0 || (counts.get(owner) ?? 0) >= least;
  };
}

/** A Pod with an unknown start time counts as too young. Upstream: evictionConstraintsForMinPodAge. */
function isOldEnough(least: string | undefined, { now }: DeschedulingEnvironment): Check {
  if (least === undefined) return () => true;
  return ({ source }) => {
    const started = Date.parse(source.status?.startTime ?? '');
    return now !== undefined && !Number.isNaN(started) && (now - started) / 1000 >= secondsOf(least);
  };
}
