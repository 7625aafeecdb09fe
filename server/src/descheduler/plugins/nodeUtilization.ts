import { mapInSteps, type Steps } from '../../base/steps';
import type { NodeModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import { isTolerated } from '../../cluster/pods/tolerations';
import { amountIn } from '../../scheduler/framework/allocation';
import type { DeschedulingEnvironment } from '../cluster';
import type { Evictor } from '../evictor';
import type { NamespaceChoice, Thresholds } from '../policy';
import { lowestFirst, type Plugin } from './plugin';

interface Args {
  readonly thresholds?: Thresholds;
  readonly numberOfNodes?: number;
  readonly evictableNamespaces?: NamespaceChoice;
}

interface LowArgs extends Args {
  readonly targetThresholds?: Thresholds;
  readonly useDeviationThresholds?: boolean;
  readonly evictionLimits?: { readonly node?: number };
  readonly metricsUtilization?: object;
}

interface HighArgs extends Args {
  readonly evictionModes?: readonly string[];
}

/** Resource name → amount, cpu in millicores. */
type Usage = ReadonlyMap<string, number>;

/** A node with the requests of its Pods, as amounts and as percentages of what is allocatable. */
interface Used {
  readonly node: NodeModel;
  readonly pods: readonly PodModel[];
  readonly usage: Usage;
  readonly percent: Usage;
}

/** The difference between the two plugins after nodes are classified. */
interface EvictionPlan {
  readonly plugin: string;
  readonly sources: readonly Used[];
  readonly destinations: readonly Used[];
  /** Amounts above which a node is full. */
  limitOf(node: NodeModel): Usage;
  /** Whether more Pods must be evicted from a node with this usage. */
  continues(node: NodeModel, usage: Usage): boolean;
  isRemovable(pod: PodModel): boolean;
  reasonOf(source: Used): string;
  readonly evictableNamespaces?: NamespaceChoice | undefined;
  readonly mostOfNode?: number | undefined;
}

const BASIC = ['cpu', 'memory', 'pods'];

/**
 * Evicts Pods from nodes above a target as long as nodes below all thresholds have room. Upstream:
 * LowNodeUtilization.Balance.
 */
export const lowNodeUtilization: Plugin<LowArgs> = {
  name: 'LowNodeUtilization',
  point: 'balance',
  *run(args, environment, evictor) {
    if (args.metricsUtilization !== undefined) return;
    const used = yield* usageOf(environment, evictor, namesOf(args.thresholds));
    const [low, high] = spansOf(args, used);
    const under = used.filter(it => !it.node.unschedulable && isBelow(it, low));
    const over = used.filter(it => !under.includes(it) && namesAbove(it, high).length > 0);
    if (under.length <= (args.numberOfNodes ?? 0) || under.length === used.length || over.length === 0) return;
    yield* evictFrom(evictor, {
      plugin: this.name,
      sources: byUsage(over).toReversed(),
      destinations: under,
      limitOf: node => limits(node, high, namesOf(args.thresholds)),
      continues: (node, usage) => {
        const limit = limits(node, high, namesOf(args.thresholds));
        return [...usage].some(([name, amount]) => amount > (limit.get(name) ?? 0));
      },
      isRemovable: evictor.isEvictable,
      reasonOf: source =>
        `${source.node.name} is above the target: ${namesAbove(source, high)
          .map(it => percentOf(source, it, high))
          .join(', ')}`,
      evictableNamespaces: args.evictableNamespaces,
      mostOfNode: args.evictionLimits?.node,
    });
  },
};

/** Empties nodes below all thresholds, so that they can be removed. Upstream: HighNodeUtilization.Balance. */
export const highNodeUtilization: Plugin<HighArgs> = {
  name: 'HighNodeUtilization',
  point: 'balance',
  *run(args, environment, evictor) {
    const thresholds = args.thresholds ?? {};
    const names = Object.keys(thresholds);
    const used = yield* usageOf(environment, evictor, namesOf(thresholds));
    const under = used.filter(it => isBelow(it, thresholds));
    const others = used.filter(it => !under.includes(it) && !it.node.unschedulable);
    if (under.length <= (args.numberOfNodes ?? 0) || under.length === used.length || others.length === 0) return;
    const isOnlyAsking = args.evictionModes?.includes('OnlyThresholdingResources') ?? false;
    yield* evictFrom(evictor, {
      plugin: this.name,
      sources: byUsage(under),
      destinations: others,
      limitOf: node => limits(node, {}, namesOf(thresholds)),
      continues: () => true,
      isRemovable: pod => evictor.isEvictable(pod) && (!isOnlyAsking || names.some(it => asksFor(pod, it))),
      reasonOf: source =>
        `${source.node.name} is below all thresholds: ${names.map(it => percentOf(source, it, thresholds)).join(', ')}`,
      evictableNamespaces: args.evictableNamespaces,
    });
  },
};

const namesOf = (thresholds: Thresholds = {}): readonly string[] => [
  ...new Set([...Object.keys(thresholds), ...BASIC]),
];

/** Upstream: requestedUsageClient.sync. */
function usageOf(
  { nodes }: DeschedulingEnvironment,
  evictor: Evictor,
  names: readonly string[],
): Steps<readonly Used[]> {
  return mapInSteps(nodes, node => {
    const pods = evictor.podsOn(node.name);
    const usage = new Map(names.map(name => [name, pods.reduce((sum, it) => sum + amountOf(it, name), 0)]));
    const percent = new Map(
      [...usage].map(([name, amount]) => [name, (100 * amount) / Math.max(capacityOf(node, name), 1e-9)]),
    );
    for (const [name] of percent) if (capacityOf(node, name) === 0) percent.set(name, 0);
    return { node, pods, usage, percent };
  });
}

const amountOf = (pod: PodModel, name: string): number => (name === 'pods' ? 1 : amountIn(pod.requests, name));

const capacityOf = (node: NodeModel, name: string): number =>
  name === 'pods' ? node.maxPods : amountIn(node.allocatable, name);

/** The thresholds as given, or relative to the average. Upstream: assessNodesUsagesAndRelativeThresholds. */
function spansOf(args: LowArgs, used: readonly Used[]): readonly [Thresholds, Thresholds] {
  const { thresholds = {}, targetThresholds = {}, useDeviationThresholds } = args;
  if (!useDeviationThresholds) return [thresholds, targetThresholds];
  const average = (name: string): number =>
    used.reduce((sum, it) => sum + (it.percent.get(name) ?? 0), 0) / Math.max(used.length, 1);
  const around = (by: Thresholds, sign: 1 | -1): Thresholds =>
    Object.fromEntries(
      Object.entries(by).map(([name, it]) => [name, Math.min(100, Math.max(0, average(name) + sign * it))]),
    );
  return [around(thresholds, -1), around(targetThresholds, 1)];
}

const isBelow = ({ percent }: Used, thresholds: Thresholds): boolean =>
  Object.entries(thresholds).every(([name, it]) => (percent.get(name) ?? 0) <= it);

const namesAbove = ({ percent }: Used, thresholds: Thresholds): readonly string[] =>
  Object.entries(thresholds).flatMap(([name, it]) => ((percent.get(name) ?? 0) > it ? name : []));

const percentOf = ({ percent }: Used, name: string, thresholds: Thresholds): string =>
  `${name} ${Math.round(percent.get(name) ?? 0)} % of ${Math.round(thresholds[name] ?? 0)} %`;

/** Upstream: capNodeCapacitiesToThreshold. */
function limits(node: NodeModel, thresholds: Thresholds, names: readonly string[]): Usage {
  return new Map(
    names.map(name => {
      const share = thresholds[name];
      const all = capacityOf(node, name);
      return [name, share === undefined ? all : Math.trunc(share * 0.01 * all)];
    }),
  );
}

/** Lowest usage first, all amounts added up. Upstream: sortNodesByUsage. */
function byUsage(used: readonly Used[]): readonly Used[] {
  const sum = ({ usage }: Used): number => [...usage.values()].reduce((a, b) => a + b, 0);
  return used.toSorted((a, b) => sum(a) - sum(b));
}

/** Upstream: evictPodsFromSourceNodes. */
function* evictFrom(evictor: Evictor, plan: EvictionPlan): Steps<void> {
  const headroom = new Map<string, number>();
  for (const { node, usage } of plan.destinations) {
    for (const [name, limit] of plan.limitOf(node)) {
      headroom.set(name, (headroom.get(name) ?? 0) + limit - (usage.get(name) ?? 0));
    }
  }
  for (const source of plan.sources) {
    if ((yield* evictFromNode(source, headroom, evictor, plan)) === 'end') return;
  }
}

/** Upstream: evictPods. */
function* evictFromNode(
  source: Used,
  headroom: Map<string, number>,
  evictor: Evictor,
  plan: EvictionPlan,
): Steps<'goOn' | 'end'> {
  const { evictableNamespaces, mostOfNode = Number.POSITIVE_INFINITY } = plan;
  const usage = new Map(source.usage);
  const continues = (): boolean => plan.continues(source.node, usage) && [...headroom.values()].every(it => it > 0);
  let count = 0;
  if (!continues()) return 'goOn';
  for (const pod of lowestFirst(source.pods.filter(it => plan.isRemovable(it)))) {
    if (count >= mostOfNode) break;
    yield;
    const isLeft = evictableNamespaces?.exclude?.includes(pod.namespace) ?? false;
    if (isLeft || !toleratesOne(pod, plan.destinations) || !evictor.passes(pod)) continue;
    const answer = evictor.evict(pod, plan.plugin, plan.reasonOf(source));
    if (answer === 'totalLimit') return 'end';
    if (answer === 'nodeLimit') break;
    if (answer === 'refused') continue;
    count += 1;
    for (const [name, left] of headroom) {
      headroom.set(name, left - amountOf(pod, name));
      usage.set(name, (usage.get(name) ?? 0) - amountOf(pod, name));
    }
    if (!continues()) break;
  }
  return 'goOn';
}

/** Upstream: utils.PodToleratesTaints, which also requires at least as many tolerations as taints. */
function toleratesOne({ spec }: PodModel, nodes: readonly Used[]): boolean {
  const { tolerations = [] } = spec;
  return nodes.some(
    ({ node: { taints } }) =>
      tolerations.length >= taints.length && taints.every(it => isTolerated(it, tolerations, 'on')),
  );
}

/** Upstream: withResourceRequestForAny. */
const asksFor = ({ spec }: PodModel, name: string): boolean =>
  [...(spec.containers ?? []), ...(spec.initContainers ?? [])].some(it => it.resources?.requests?.[name] !== undefined);
