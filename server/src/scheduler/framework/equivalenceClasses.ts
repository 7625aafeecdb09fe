import { isSameValue } from '../../base/sameValue';
import type { PodModel } from '../../cluster/pods/podModel';

/**
 * Makes a value on the first request and returns the same value later. `key` is a text, or an object that identifies
 * the value.
 */
export type MakeOnce = <T>(key: string | object, make: () => T) => T;

export function memoizer(): MakeOnce {
  return memoizerAfter(new Map()).once;
}

/** A memoizer whose values pass to its successor, unless nobody asked for them in between. */
export interface Generation {
  readonly once: MakeOnce;
  next(): Generation;
}

export const firstGeneration = (): Generation => memoizerAfter(new Map());

function memoizerAfter(before: ReadonlyMap<string | object, unknown>): Generation {
  const values = new Map<string | object, unknown>();
  return {
    once<T>(key: string | object, make: () => T): T {
      const found = values.get(key) as T | undefined;
      if (found !== undefined || values.has(key)) return found as T;
      const value = before.has(key) ? (before.get(key) as T) : make();
      values.set(key, value);
      return value;
    },
    next: () => memoizerAfter(values),
  };
}

/** Pods that differ in their names only, and what is known of them whatever else runs. */
interface EquivalenceClass {
  readonly sample: PodModel;
  readonly always: MakeOnce;
}

export type ClassOf = (pod: PodModel) => EquivalenceClass;

/** Classes live as long as the specs of their Pods. */
export function equivalenceClasses(): ClassOf {
  const bySpec = new WeakMap<PodModel['spec'], Map<PodModel['labels'], EquivalenceClass[]>>();
  let latest: { readonly pod: PodModel; readonly found: EquivalenceClass } | undefined;
  const classOf = (pod: PodModel): EquivalenceClass => {
    const byLabels = bySpec.get(pod.spec) ?? new Map<PodModel['labels'], EquivalenceClass[]>();
    const classes = byLabels.get(pod.labels) ?? [];
    const found = classes.find(it => areEquivalent(it.sample, pod));
    if (found) return found;
    const made = { sample: pod, always: memoizer() };
    bySpec.set(pod.spec, byLabels.set(pod.labels, [...classes, made]));
    return made;
  };
  return pod => {
    // One cycle asks for the same Pod many times.
    if (latest?.pod !== pod) latest = { pod, found: classOf(pod) };
    return latest.found;
  };
}

/** A memoizer for each class, for one run. */
export function onceByClass(classOf: ClassOf): (pod: PodModel) => MakeOnce {
  const byClass = new WeakMap<EquivalenceClass, MakeOnce>();
  let latest: { readonly of: EquivalenceClass; readonly once: MakeOnce } | undefined;
  const onceOf = (of: EquivalenceClass): MakeOnce => {
    const once = byClass.get(of) ?? memoizer();
    byClass.set(of, once);
    return once;
  };
  return pod => {
    const of = classOf(pod);
    if (latest?.of !== of) latest = { of, once: onceOf(of) };
    return latest.once;
  };
}

/**
 * Compares what is there besides spec and labels; fields that are computed from the spec alone are left out. Each by its
 * name: a loop over names takes several times as long, and each cycle asks.
 */
function areEquivalent(a: PodModel, b: PodModel): boolean {
  return (
    a === b ||
    (a.namespace === b.namespace &&
      a.terms === b.terms &&
      a.priority === b.priority &&
      a.schedulerName === b.schedulerName &&
      a.nodeName === b.nodeName &&
      a.nominatedNodeName === b.nominatedNodeName &&
      a.requests === b.requests &&
      a.nonZeroRequests === b.nonZeroRequests &&
      a.nonZeroOfContainers === b.nonZeroOfContainers &&
      a.startTime === b.startTime &&
      a.terminating === b.terminating &&
      a.conditions === b.conditions &&
      isSameValue(a.source.metadata?.ownerReferences, b.source.metadata?.ownerReferences))
  );
}
