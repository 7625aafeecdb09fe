import type { PodModel } from '../../cluster/pods/podModel';
import type { Scenario } from '../../cluster/scenario';
import { EXTENDER } from '../extenders/chain';
import type { Attempt, QueuedPod, WaitsFor } from '../result';
import { EVENTS } from './events';
import { type HintNamespaces, POD_HINTS, type PodEvent } from './hints';

/**
 * The Pods without a node, as kube-scheduler's queue holds them after the run, and the events that would requeue each
 * of them. A Pod that later placements or evictions of the run may have made schedulable waits out its backoff.
 * Upstream: AddUnschedulablePodIfNotPresent, isPodWorthRequeuing and the metric scheduler_pending_pods.
 */
export function queueAfter(
  { pending, cluster, options }: Scenario,
  attempts: readonly Attempt[],
  isOn: (gate: string) => boolean,
): readonly QueuedPod[] {
  if (!attempts.some(it => WAITING.has(it.status))) return [];
  const models = new Map([...cluster.running, ...pending].map(it => [it.id, it]));
  const last = new Map<string, number>();
  for (const [i, it] of attempts.entries()) if (it.status !== 'superseded') last.set(it.pod, i);
  const events = eventsOf(attempts, models, options.victims);
  const firstAt = firstEvents(events, attempts.length);
  return [...last].flatMap(([id, i]): readonly QueuedPod[] => {
    const attempt = attempts[i];
    const pod = models.get(id);
    if (attempt === undefined || pod === undefined) return [];
    const { status } = attempt;
    // An attempt that failed for another reason than a plugin's refusal is retried by itself.
    if (status === 'error') return [{ pod: id, queue: 'backoff', rejectedBy: [], waitsFor: [] }];
    if (status !== 'gated' && status !== 'unschedulable') return [];
    const rejectedBy = rejectorsOf(attempt);
    const waitsFor = rejectedBy.flatMap(it => waitsOf(it, pod, isOn));
    if (status === 'gated') return [{ pod: id, queue: 'gated', rejectedBy, waitsFor }];
    const isBack =
      rejectedBy.length === 0 ||
      rejectedBy.includes(EXTENDER) ||
      rejectedBy.some(it => requeues(it, pod, { events, attempt: i, from: firstAt[i]! }, cluster.namespaces));
    return [{ pod: id, queue: isBack ? 'backoff' : 'unschedulable', rejectedBy, waitsFor: isBack ? [] : waitsFor }];
  });
}

const WAITING: ReadonlySet<Attempt['status']> = new Set(['error', 'gated', 'unschedulable']);

/** Whether an event during or after an attempt, none of which stands before `from`, requeues the Pod that the plugin rejected. */
function requeues(
  plugin: string,
  waiting: PodModel,
  { events, attempt, from }: { readonly events: readonly RunEvent[]; readonly attempt: number; readonly from: number },
  namespaces: HintNamespaces,
): boolean {
  const hint = POD_HINTS[plugin];
  if (hint === undefined || from === events.length) return false;
  const isWorth = hint.of(waiting, namespaces);
  for (let i = from; i < events.length; i++) {
    const { at, event } = events[i]!;
    const isLater = at > attempt || event.action === 'Delete';
    if (isLater && hint.actions.includes(event.action) && event.pod.id !== waiting.id && isWorth(event)) return true;
  }
  return false;
}

/** By the index of an attempt: the index of the first event that it or a later one caused. */
function firstEvents(events: readonly RunEvent[], attempts: number): readonly number[] {
  const first = new Array<number>(attempts).fill(events.length);
  for (const [i, { at }] of [...events.entries()].reverse()) first[at] = i;
  for (let i = attempts - 2; i >= 0; i--) first[i] = Math.min(first[i]!, first[i + 1]!);
  return first;
}

interface RunEvent {
  /** The attempt that caused it. */
  readonly at: number;
  readonly event: PodEvent;
}

/** In the order of the attempts. */
function eventsOf(
  attempts: readonly Attempt[],
  models: ReadonlyMap<string, PodModel>,
  victims: 'delete' | 'terminate',
): readonly RunEvent[] {
  return attempts.flatMap(({ status, pod: id, preemption }, at): readonly RunEvent[] => {
    const pod = models.get(id);
    if (status === 'scheduled') return pod ? [{ at, event: { action: 'Add', pod } }] : [];
    if (victims !== 'delete' || preemption?.nominatedNode === undefined) return [];
    return (preemption.victims ?? []).flatMap(it => {
      const victim = models.get(it);
      return victim ? [{ at, event: { action: 'Delete' as const, pod: victim } }] : [];
    });
  });
}

/**
 * Upstream: Diagnosis.UnschedulablePlugins. A Pod that fits while its group does not is rejected by the group's plugin.
 */
function rejectorsOf(attempt: Attempt): readonly string[] {
  if (attempt.status === 'gated') return attempt.preFilterRejection ? [attempt.preFilterRejection.plugin] : [];
  const rejectedBy = attempt.rejectedBy ?? [];
  return rejectedBy.length === 0 && attempt.group !== undefined ? ['GangScheduling'] : rejectedBy;
}

function waitsOf(plugin: string, pod: PodModel, isOn: (gate: string) => boolean): readonly WaitsFor[] {
  return (
    (EVENTS[plugin] ?? [])
      .filter(it => it.gate === undefined || isOn(it.gate))
      // A device class matters only to a Pod that requests an extended resource.
      .filter(it => plugin !== 'NodeResourcesFit' || it.resource !== 'DeviceClass' || pod.requests.scalar.size > 0)
      .flatMap(({ resource, actions }) => actions.map(action => ({ resource, action, plugin })))
  );
}
