import { t } from '../base/l10n';
import type { BudgetModel } from '../cluster/clusterModel';
import { countedBudget } from '../cluster/disruptions';
import type { PodModel } from '../cluster/pods/podModel';
import { byNode, type DeschedulingEnvironment } from './cluster';
import { defaultEvictor } from './defaultEvictor';
import type { PodsOn } from './nodeFit';
import { argsOf, type DeschedulerPolicy, type DeschedulerProfile } from './policy';

/** The eviction of one Pod. */
export interface Eviction {
  /** NAMESPACE/NAME */
  readonly pod: string;
  readonly node: string;
  readonly profile: string;
  readonly plugin: string;
  /** A clause: why the plugin evicts the Pod. */
  readonly reason: string;
}

/** A Pod that a plugin chose and that was not evicted. */
export interface EvictionRefusal extends Eviction {
  /** A clause. */
  readonly because: string;
}

/**
 * The result of an eviction request. Upstream: nil, EvictionNodeLimitError, EvictionTotalLimitError, any other error.
 */
export type EvictionAnswer = 'evicted' | 'nodeLimit' | 'totalLimit' | 'refused';

/** What a plugin of one profile can ask and request. */
export interface Evictor {
  /** Unfinished Pods on a node, without evicted ones. Upstream: pod.ListPodsOnANode. */
  readonly podsOn: PodsOn;
  /** The same with finished Pods. Upstream: pod.ListAllPodsOnANode. */
  readonly allPodsOn: PodsOn;
  /** The extension point `filter`. */
  isEvictable(pod: PodModel): boolean;
  /** The extension point `preevictionfilter`. */
  passes(pod: PodModel): boolean;
  evict(pod: PodModel, plugin: string, reason: string): EvictionAnswer;
}

/** The evictions of one run, shared by all its profiles. */
export interface EvictionRound {
  readonly evictions: readonly Eviction[];
  readonly refusals: readonly EvictionRefusal[];
  evictorOf(profile: DeschedulerProfile): Evictor;
}

/** Starts a run. Plugins no longer see evicted Pods, as in the descheduler's own dry run. */
export function startRound(policy: DeschedulerPolicy, environment: DeschedulingEnvironment): EvictionRound {
  const evictions: Eviction[] = [];
  const refusals: EvictionRefusal[] = [];
  const gone = new Set<string>();
  const budgets = budgetsOf(environment);
  const running = byNode(environment.cluster.running);
  const finished = byNode(environment.finished);
  const left = (pods: readonly PodModel[] = []): readonly PodModel[] =>
    gone.size === 0 ? pods : pods.filter(it => !gone.has(it.id));
  const podsOn: PodsOn = node => left(running.get(node));
  const count = counter();
  const evict = (pod: PodModel, about: Eviction): EvictionAnswer => {
    const limit = limitReached(policy, pod, count);
    const because = limit?.because ?? budgets.refusalOf(pod);
    if (because === undefined) {
      gone.add(pod.id);
      count.add(pod);
      evictions.push(about);
      return 'evicted';
    }
    refusals.push({ ...about, because });
    return limit?.answer ?? 'refused';
  };
  return {
    evictions,
    refusals,
    evictorOf: profile => ({
      podsOn,
      allPodsOn: node => [...podsOn(node), ...left(finished.get(node))],
      ...defaultEvictor(argsOf(profile, 'DefaultEvictor'), environment, podsOn),
      evict: (pod, plugin, reason) =>
        evict(pod, { pod: pod.id, node: pod.nodeName ?? '', profile: profile.name ?? '', plugin, reason }),
    }),
  };
}

/** The evictions so far. */
interface Counter {
  all(): number;
  onNode(node: string): number;
  inNamespace(namespace: string): number;
  add(pod: PodModel): void;
}

function counter(): Counter {
  const [nodes, namespaces] = [new Map<string, number>(), new Map<string, number>()];
  const counted = { all: 0 };
  return {
    all: () => counted.all,
    onNode: node => nodes.get(node) ?? 0,
    inNamespace: namespace => namespaces.get(namespace) ?? 0,
    add({ nodeName = '', namespace }) {
      counted.all += 1;
      nodes.set(nodeName, (nodes.get(nodeName) ?? 0) + 1);
      namespaces.set(namespace, (namespaces.get(namespace) ?? 0) + 1);
    },
  };
}

/** Upstream: PodEvictor.EvictPod. */
function limitReached(
  policy: DeschedulerPolicy,
  { nodeName = '', namespace }: PodModel,
  { all, onNode, inNamespace }: Counter,
): { readonly answer: EvictionAnswer; readonly because: string } | undefined {
  const { maxNoOfPodsToEvictTotal, maxNoOfPodsToEvictPerNode, maxNoOfPodsToEvictPerNamespace } = policy;
  const isFull = (count: number, most: number | undefined): boolean => most !== undefined && count + 1 > most;
  if (isFull(all(), maxNoOfPodsToEvictTotal)) {
    return { answer: 'totalLimit', because: t`maxNoOfPodsToEvictTotal is ${maxNoOfPodsToEvictTotal!}` };
  }
  if (isFull(onNode(nodeName), maxNoOfPodsToEvictPerNode)) {
    return { answer: 'nodeLimit', because: t`maxNoOfPodsToEvictPerNode is ${maxNoOfPodsToEvictPerNode!}` };
  }
  if (isFull(inNamespace(namespace), maxNoOfPodsToEvictPerNamespace)) {
    return { answer: 'refused', because: t`maxNoOfPodsToEvictPerNamespace is ${maxNoOfPodsToEvictPerNamespace!}` };
  }
  return undefined;
}

/** The budgets of a cluster, as the eviction subresource spends them. */
export interface Budgets {
  /** Uses one disruption of the Pod's budget, or returns why there is none. */
  refusalOf(pod: PodModel): string | undefined;
}

/** Pods without a status count as ready. Upstream: EvictionREST.Create. */
export function budgetsOf({ cluster }: Pick<DeschedulingEnvironment, 'cluster'>): Budgets {
  const allowed = new Map<BudgetModel, number>();
  return {
    refusalOf(pod) {
      if (pod.source.status?.phase === 'Failed' || pod.source.status?.phase === 'Succeeded') return undefined;
      const own = cluster.budgets.filter(it => it.namespace === pod.namespace && it.selector.matches(pod.labels));
      const [budget, ...others] = own;
      if (budget === undefined) return undefined;
      if (others.length > 0)
        return t('more than one PodDisruptionBudget selects it, which the eviction API does not bear');
      const count = allowed.get(budget) ?? countedBudget(budget, cluster.running).disruptionsAllowed;
      const name = budget.source.metadata?.name ?? '';
      if (count <= 0) return t`PodDisruptionBudget ${name} allows no disruption now`;
      allowed.set(budget, count - 1);
      return undefined;
    },
  };
}
