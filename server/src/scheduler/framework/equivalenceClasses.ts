import { isSameValue } from '../../base/sameValue';
import type { PodModel } from '../../cluster/pods/podModel';

/**
 * Makes a value on the first request and returns the same value later. `key` is a text, or an object that identifies
 * the value.
 */
export type MakeOnce = <T>(key: string | object, make: () => T) => T;

export function memoizer(): MakeOnce {
  const values = new Map<string | object, unknown>();
  return <T>(key: string | object, make: () => T): T => {
    const found = values.get(key) as T | undefined;
    if (found !== undefined || values.has(key)) return found as T;
    const made = make();
    values.set(key, made);
    return made;
  };
}

interface EquivalenceClass {
  readonly sample: PodModel;
  readonly once: MakeOnce;
}

export function equivalenceClasses(): (pod: PodModel) => MakeOnce {
  const bySpec = new WeakMap<PodModel['spec'], Map<PodModel['labels'], EquivalenceClass[]>>();
  let latest: { readonly pod: PodModel; readonly once: MakeOnce } | undefined;
  const onceFor = (pod: PodModel): MakeOnce => {
    const byLabels = bySpec.get(pod.spec) ?? new Map<PodModel['labels'], EquivalenceClass[]>();
    const classes = byLabels.get(pod.labels) ?? [];
    const found = classes.find(it => areEquivalent(it.sample, pod));
    if (found) return found.once;
    const once = memoizer();
    bySpec.set(pod.spec, byLabels.set(pod.labels, [...classes, { sample: pod, once }]));
    return once;
  };
  return pod => {
    // One cycle asks for the same Pod many times.
    if (latest?.pod !== pod) latest = { pod, once: onceFor(pod) };
    return latest.once;
  };
}

/** Fields compared besides spec and labels; fields that are computed from the spec alone are left out. */
const COMPARED_FIELDS = [
  ...(['namespace', 'terms', 'priority', 'schedulerName', 'nodeName', 'nominatedNodeName'] as const),
  ...(['requests', 'nonZeroRequests', 'nonZeroOfContainers', 'startTime', 'terminating', 'conditions'] as const),
];

function areEquivalent(a: PodModel, b: PodModel): boolean {
  const [one, other] = [a.source.metadata?.ownerReferences, b.source.metadata?.ownerReferences];
  return a === b || (COMPARED_FIELDS.every(it => a[it] === b[it]) && isSameValue(one, other));
}
