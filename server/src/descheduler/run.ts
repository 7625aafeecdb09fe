import type { UnknownObject } from '../base/json';
import { largest } from '../base/manyItems';
import type { Steps } from '../base/steps';
import type { ClusterModel } from '../cluster/clusterModel';
import type { PodModel } from '../cluster/pods/podModel';
import { type Scenario, scenarioSteps } from '../cluster/scenario';
import type { Pod } from '../kube/types';
import { amountIn } from '../scheduler/framework/allocation';
import { type DeschedulingEnvironment, isReady } from './cluster';
import { type Eviction, type EvictionRefusal, startRound } from './evictor';
import { nodeSelectorOf } from './labelText';
import { PLUGINS } from './plugins/plugins';
import { argsOf, type DeschedulerPolicy, type DeschedulerProfile, type Thresholds } from './policy';

export interface DeschedulerRunResult {
  readonly evictions: readonly Eviction[];
  /** Pods that a plugin chose and that a limit or a budget protects. */
  readonly refusals: readonly EvictionRefusal[];
  /** What could not be evaluated, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * The evictions of one run: the `deschedule` plugins of all profiles, then the `balance` plugins of all. Pure.
 * Upstream: descheduler.runProfiles.
 */
export function* descheduleOnce(
  scenario: Scenario,
  objects: readonly UnknownObject[],
  policy: DeschedulerPolicy,
  now?: number,
): Steps<DeschedulerRunResult> {
  const { cluster } = scenario;
  const selector = nodeSelectorOf(policy.nodeSelector);
  const nodes = cluster.nodes.filter(it => isReady(it) && selector.matches(it.labels));
  const environment: DeschedulingEnvironment = {
    cluster,
    nodes,
    finished: yield* finishedPods(objects),
    ...(now !== undefined && { now }),
  };
  const notes = notesOn(policy, environment);
  if (nodes.length <= 1) {
    const message = `The descheduler does nothing with ${nodes.length} ready node${nodes.length === 1 ? '' : 's'}.`;
    return { evictions: [], refusals: [], notes: [...notes, message] };
  }
  const round = startRound(policy, environment);
  for (const point of ['deschedule', 'balance'] as const) {
    for (const profile of policy.profiles ?? []) {
      const evictor = round.evictorOf(profile);
      for (const name of profile.plugins?.[point]?.enabled ?? []) {
        const plugin = PLUGINS.find(it => it.name === name && it.point === point);
        if (plugin) yield* plugin.run(argsOf(profile, name), environment, evictor);
      }
    }
  }
  return { evictions: round.evictions, refusals: round.refusals, notes };
}

/**
 * A cluster model leaves out finished Pods, since they use no resources: they are modelled as if they ran, with their
 * own status.
 */
function* finishedPods(objects: readonly UnknownObject[]): Steps<readonly PodModel[]> {
  const finished = objects.filter(it => it.kind === 'Pod' && isFinished(it as Pod)) as readonly Pod[];
  if (finished.length === 0) return [];
  const sources = new Map(finished.map(it => [idOf(it), it]));
  const others = objects.filter(it => it.kind !== 'Pod');
  const running = finished.map(({ status: _, ...it }) => it as UnknownObject);
  const { cluster } = yield* scenarioSteps([...others, ...running], { expandWorkloads: false });
  return cluster.running.map(it => {
    const source = sources.get(it.id) ?? it.source;
    return { ...it, source, conditions: source.status?.conditions ?? [] };
  });
}

const isFinished = ({ status }: Pod): boolean => status?.phase === 'Failed' || status?.phase === 'Succeeded';

const idOf = ({ metadata }: Pod): string => `${metadata?.namespace ?? 'default'}/${metadata?.name ?? ''}`;

/** What the policy needs and files do not contain. */
function notesOn(
  { profiles = [] }: DeschedulerPolicy,
  { cluster, finished }: DeschedulingEnvironment,
): readonly string[] {
  const uses = (plugin: string): readonly DeschedulerProfile[] =>
    profiles.filter(it => Object.values(it.plugins ?? {}).some(point => point?.enabled?.includes(plugin)));
  const measured = uses('LowNodeUtilization').filter(it => argsOf(it, 'LowNodeUtilization').metricsUtilization);
  const aged = uses('PodLifeTime').filter(it => argsOf(it, 'PodLifeTime').maxPodLifeTimeSeconds !== undefined);
  const ageless = [...cluster.running, ...finished].filter(it => !it.source.metadata?.creationTimestamp).length;
  const restarts = uses('RemovePodsHavingTooManyRestarts').length > 0;
  const silent = cluster.running.filter(it => it.source.status?.containerStatuses === undefined).length;
  return [
    ...measured.map(
      it =>
        `Profile ${it.name ?? ''}: LowNodeUtilization goes by measured use, which files do not tell; it is left out.`,
    ),
    ...uses('LowNodeUtilization').flatMap(it => podsAboveEveryTarget(argsOf(it, 'LowNodeUtilization'), cluster)),
    ...(aged.length > 0 && ageless > 0
      ? [`PodLifeTime: ${ageless} Pods without a creationTimestamp count as new, as nobody knows their age.`]
      : []),
    ...(restarts && silent > 0
      ? [`RemovePodsHavingTooManyRestarts: ${silent} Pods without containerStatuses count as never restarted.`]
      : []),
  ];
}

/** Pods that alone exceed the target on every node: no placement satisfies the policy. */
function podsAboveEveryTarget(args: UnknownObject, { nodes, running }: ClusterModel): readonly string[] {
  const { targetThresholds = {}, useDeviationThresholds } = args as {
    readonly targetThresholds?: Thresholds;
    readonly useDeviationThresholds?: boolean;
  };
  if (useDeviationThresholds) return [];
  return Object.entries(targetThresholds).flatMap(([name, percent]) => {
    const most = Math.max(0, largest(nodes.map(it => (percent / 100) * amountIn(it.allocatable, name))));
    const tooBig = running.filter(it => amountIn(it.requests, name) > most);
    const [first] = tooBig;
    if (name === 'pods' || first === undefined) return [];
    const others = tooBig.length > 1 ? ` and ${tooBig.length - 1} more ask` : ' asks';
    return [
      `LowNodeUtilization: ${first.id}${others} for more ${name} than ${percent} % of any node, so that the node that runs it is above the target, whichever it is.`,
    ];
  });
}
