import type { QueuedPod, WaitsFor } from '../result';
import type { EventAction, EventResource } from './events';

/** Phrases with a verb of their own, by resource and action. */
const PHRASES: Readonly<Record<string, string>> = {
  'AssignedPod Add': 'another Pod gets a node',
  'AssignedPod Delete': 'a running Pod goes',
  'AssignedPod UpdatePodLabel': 'labels of a running Pod change',
  'AssignedPod UpdatePodScaleDown': 'a running Pod asks for less',
  'TargetPod Update': 'the Pod itself is changed',
  'TargetPod UpdatePodLabel': 'labels of the Pod itself change',
  'TargetPod UpdatePodToleration': 'tolerations of the Pod itself change',
  'TargetPod UpdatePodScaleDown': 'the Pod itself asks for less',
  'TargetPod UpdatePodSchedulingGatesEliminated': 'scheduling gates of the Pod are removed',
  'TargetPod UpdatePodGeneratedResourceClaim': 'a ResourceClaim of the Pod is made',
  'UnscheduledPod Add': 'another Pod of its group is made',
  '* All': 'anything changes',
};

/** What of an object changes, behind the phrases of its coming and going. */
const PARTS: Partial<Readonly<Record<EventAction, string>>> = {
  UpdateNodeAllocatable: 'allocatable resources',
  UpdateNodeLabel: 'labels',
  UpdateNodeTaint: 'taints',
  UpdateNodeDeclaredFeature: 'declared features',
  UpdateNodePreemptionPolicy: 'preemption policy',
};

const MAX_PHRASES = 4;

/** `in the unschedulable queue until a Node is added`. */
export function queueInWords({ queue, waitsFor }: Pick<QueuedPod, 'queue' | 'waitsFor'>): string {
  const there = `in the ${queue} queue`;
  if (queue === 'active') return `${there}, to be tried next`;
  if (queue === 'backoff') return `${there}, to be tried again after a while`;
  const waits = waitsInWords(waitsFor);
  return waits === '' ? there : `${there} until ${waits}`;
}

/** `a Node is added or its labels change, or a running Pod goes`; empty when nothing is waited for. */
export function waitsInWords(waitsFor: readonly WaitsFor[]): string {
  const byResource = new Map<EventResource, Set<EventAction>>();
  for (const { resource, action } of waitsFor) {
    byResource.set(resource, (byResource.get(resource) ?? new Set()).add(action));
  }
  const phrases = [...byResource].flatMap(([resource, actions]) => phrasesOf(resource, [...actions]));
  const shown = phrases.slice(0, MAX_PHRASES);
  const rest = phrases.length - shown.length;
  const all = rest === 0 ? shown : [...shown, `${rest} more ${rest === 1 ? 'kind' : 'kinds'} of change`];
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')}, or ${all.at(-1)}`;
}

function phrasesOf(resource: EventResource, actions: readonly EventAction[]): readonly string[] {
  const own = actions.flatMap(it => PHRASES[`${resource} ${it}`] ?? []);
  const others = actions.filter(it => PHRASES[`${resource} ${it}`] === undefined);
  if (others.length === 0) return own;
  const parts = others.flatMap(it => PARTS[it] ?? []);
  const verbs = [
    ...(others.includes('Add') ? ['added'] : []),
    ...(others.includes('Update') ? ['changed'] : []),
    ...(others.includes('Delete') ? ['deleted'] : []),
  ];
  const article = /^[AEIOU]/.test(resource) ? 'an' : 'a';
  const coming = verbs.length === 0 ? '' : `${article} ${resource} is ${verbs.join(' or ')}`;
  if (parts.length === 0) return [...own, coming];
  const change = `${parts.join(' or ')} change`;
  return [...own, coming === '' ? `${change} of ${article} ${resource}` : `${coming} or its ${change}`];
}
