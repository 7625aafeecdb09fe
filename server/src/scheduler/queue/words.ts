import { t } from '../../base/l10n';
import type { QueuedPod, WaitsFor } from '../result';
import type { EventAction, EventResource } from './events';

/** Formats a message with its placeholders {0}, {1} in the language of the editor, or in English. */
type Translate = (message: string, ...args: (string | number)[]) => string;

const inEnglish: Translate = (message, ...args) =>
  message.replace(/\{(\d)\}/g, (_, at) => String(args[Number(at)] ?? ''));

/** Complete phrases, by resource and action. */
const PHRASES: Readonly<Record<string, (say: Translate) => string>> = {
  'AssignedPod Add': say => say('another Pod gets a node'),
  'AssignedPod Delete': say => say('a running Pod goes'),
  'AssignedPod UpdatePodLabel': say => say('labels of a running Pod change'),
  'AssignedPod UpdatePodScaleDown': say => say('a running Pod asks for less'),
  'TargetPod Update': say => say('the Pod itself is changed'),
  'TargetPod UpdatePodLabel': say => say('labels of the Pod itself change'),
  'TargetPod UpdatePodToleration': say => say('tolerations of the Pod itself change'),
  'TargetPod UpdatePodScaleDown': say => say('the Pod itself asks for less'),
  'TargetPod UpdatePodSchedulingGatesEliminated': say => say('scheduling gates of the Pod are removed'),
  'TargetPod UpdatePodGeneratedResourceClaim': say => say('a ResourceClaim of the Pod is made'),
  'UnscheduledPod Add': say => say('another Pod of its group is made'),
  '* All': say => say('anything changes'),
};

/** The changed part of an object, appended to its noun. */
const PARTS: Partial<Readonly<Record<EventAction, (say: Translate) => string>>> = {
  UpdateNodeAllocatable: say => say('allocatable resources'),
  UpdateNodeLabel: say => say('labels'),
  UpdateNodeTaint: say => say('taints'),
  UpdateNodeDeclaredFeature: say => say('declared features'),
  UpdateNodePreemptionPolicy: say => say('preemption policy'),
};

const MAX_PHRASES = 4;

/** `in the unschedulable queue until a Node is added`; in English, like the sentences around it. */
export function queueInWords({ queue, waitsFor }: Pick<QueuedPod, 'queue' | 'waitsFor'>): string {
  const there = `in the ${queue} queue`;
  if (queue === 'active') return `${there}, to be tried next`;
  if (queue === 'backoff') return `${there}, to be tried again after a while`;
  const waits = waitsText(waitsFor, inEnglish);
  return waits === '' ? there : `${there} until ${waits}`;
}

/** `a Node is added or its labels change, or a running Pod goes`; empty when the Pod waits for nothing. */
export const waitsInWords = (waitsFor: readonly WaitsFor[]): string => waitsText(waitsFor, t);

function waitsText(waitsFor: readonly WaitsFor[], say: Translate): string {
  const byResource = new Map<EventResource, Set<EventAction>>();
  for (const { resource, action } of waitsFor) {
    byResource.set(resource, (byResource.get(resource) ?? new Set()).add(action));
  }
  const phrases = [...byResource].flatMap(([resource, actions]) => phrasesOf(resource, [...actions], say));
  const shown = phrases.slice(0, MAX_PHRASES);
  const rest = phrases.length - shown.length;
  const more = rest === 1 ? say('1 more kind of change') : say('{0} more kinds of change', rest);
  const all = rest === 0 ? shown : [...shown, more];
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(say(', '))}${say(', or ')}${all.at(-1)}`;
}

function phrasesOf(resource: EventResource, actions: readonly EventAction[], say: Translate): readonly string[] {
  const own = actions.flatMap(it => PHRASES[`${resource} ${it}`]?.(say) ?? []);
  const others = actions.filter(it => PHRASES[`${resource} ${it}`] === undefined);
  if (others.length === 0) return own;
  const parts = others.flatMap(it => PARTS[it]?.(say) ?? []).join(say(' or '));
  const verbs = [
    ...(others.includes('Add') ? [say('added')] : []),
    ...(others.includes('Update') ? [say('changed')] : []),
    ...(others.includes('Delete') ? [say('deleted')] : []),
  ].join(say(' or '));
  const one = /^[AEIOU]/.test(resource) ? say('an {0}', resource) : say('a {0}', resource);
  const coming = verbs === '' ? '' : say('{0} is {1}', one, verbs);
  if (parts === '') return [...own, coming];
  return [...own, coming === '' ? say('{0} change of {1}', parts, one) : say('{0} or its {1} change', coming, parts)];
}
