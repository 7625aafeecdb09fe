import type { Attempt } from '../../scheduler/result';
import { counted, listed } from './phrases';

/**
 * The meaning of a plugin's refusal of some nodes in plain words, with `pod` as the subject; `reasons` are upstream's, each
 * once.
 */
type Sentence = (pod: string, reasons: readonly string[]) => readonly [one: string, many: string];

const always =
  (one: string, many: string): Sentence =>
  pod => [one.replace('POD', pod), many.replace('POD', pod)];

const REFUSALS: Readonly<Record<string, Sentence>> = {
  NodeName: always('is not the one that POD names', 'are not the one that POD names'),
  NodeUnschedulable: always('is cordoned', 'are cordoned'),
  TaintToleration: always('has a taint that POD does not tolerate', 'have a taint that POD does not tolerate'),
  NodeAffinity: always('does not have the labels that POD asks for', 'do not have the labels that POD asks for'),
  NodePorts: always('has a host port of POD in use', 'have a host port of POD in use'),
  NodeResourcesFit: (_, reasons) => [
    lacking('has', 'runs as many Pods as it may', reasons),
    lacking('have', 'run as many Pods as they may', reasons),
  ],
  NodeVolumeLimits: always('takes no more volumes', 'take no more volumes'),
  VolumeRestrictions: always('has a volume of POD in use', 'have a volume of POD in use'),
  VolumeBinding: always('does not reach the volumes of POD', 'do not reach the volumes of POD'),
  VolumeZone: always('is not in the zone of a volume of POD', 'are not in the zone of a volume of POD'),
  PodTopologySpread: (_, reasons) =>
    reasons.every(it => it.includes('missing required label'))
      ? ['lacks the label of the spread constraint', 'lack the label of the spread constraint']
      : ['would make the spread too uneven', 'would make the spread too uneven'],
  InterPodAffinity: (pod, reasons) => {
    const among = new Set(reasons.map(it => AMONG_PODS.find(([part]) => it.includes(part))?.[1] ?? 'a Pod there'));
    const said = [...among].map(it => it.replace('POD', pod)).join(' or ');
    return [`has ${said}`, `have ${said}`];
  },
  DynamicResources: always('does not have the devices that POD claims', 'do not have the devices that POD claims'),
  NodeDeclaredFeatures: always('lacks a feature that POD needs', 'lack a feature that POD needs'),
};

/** Why Pods on a node keep another Pod off it, by a part of upstream's reason. */
const AMONG_PODS: readonly (readonly [part: string, said: string])[] = [
  ['existing pods anti-affinity', 'a Pod that keeps POD away'],
  ['anti-affinity', 'a Pod that POD must keep away from'],
  ['affinity', 'no Pod in reach that POD must be near'],
];

const INSUFFICIENT = 'Insufficient ';

/** "has too little cpu and memory left", "runs as many Pods as it may", or both. */
function lacking(has: string, isFull: string, reasons: readonly string[]): string {
  const scarce = new Set(reasons.filter(it => it.startsWith(INSUFFICIENT)).map(it => it.slice(INSUFFICIENT.length)));
  const full = reasons.some(it => !it.startsWith(INSUFFICIENT)) ? [isFull] : [];
  return [...(scarce.size > 0 ? [`${has} too little ${listed([...scarce])} left`] : []), ...full].join(' or ');
}

/** Why no node takes a Pod, in plain words, the reason of most nodes first; '' if no node was evaluated. */
export function refusalsInWords({ nodes = [] }: Attempt, pod: string): string {
  const byPlugin = new Map<string, { readonly count: number; readonly reasons: Set<string> }>();
  const add = (plugin: string, reasons: readonly string[]): void => {
    const found = byPlugin.get(plugin) ?? { count: 0, reasons: new Set<string>() };
    for (const it of reasons) found.reasons.add(it);
    byPlugin.set(plugin, { count: found.count + 1, reasons: found.reasons });
  };
  for (const it of nodes) {
    if (it.verdict === 'rejected') add(it.plugin, it.reasons);
    else if (it.verdict === 'excluded') add('NodeAffinity', []);
  }
  return [...byPlugin]
    .sort(([, a], [, b]) => b.count - a.count)
    .map(([plugin, { count, reasons }]) => `${counted(count, 'node')} ${sentence(plugin, count, pod, [...reasons])}`)
    .join('; ');
}

function sentence(plugin: string, count: number, pod: string, reasons: readonly string[]): string {
  const said = REFUSALS[plugin]?.(pod, reasons);
  if (said === undefined) return `${count === 1 ? 'is' : 'are'} refused by ${plugin}`;
  return said[count === 1 ? 0 : 1];
}
