import type { UnknownObject } from '../../../server/src/base/json';

/** Scenarios in which the pending Pods depend on each other more than random ones would. */

/** Each pending Pod three times, so that the later ones repeat the computations of the first. */
export function alike(objects: readonly UnknownObject[]): readonly UnknownObject[] {
  return objects.flatMap(it => (isPending(it) ? ['', '-b', '-c'].map(end => changed(it, nameOf(it) + end)) : [it]));
}

/** The pending Pods as one Kubernetes gang that needs all of them but one, and copies without a group. */
export function inGroups(objects: readonly UnknownObject[]): readonly UnknownObject[] {
  const pending = objects.filter(isPending);
  const [first] = pending;
  if (!first) return objects;
  const { schedulerName } = specOf(first);
  const namespace = metadataOf(first).namespace ?? 'default';
  const members = pending.map((it): UnknownObject => {
    const { schedulingGates: _, priority: __, preemptionPolicy: ___, ...spec } = specOf(it);
    const own = { ...spec, schedulerName, priorityClassName: CLASS, schedulingGroup: { podGroupName: 'gang' } };
    return { ...it, metadata: { ...metadataOf(it), namespace }, spec: own };
  });
  const single = pending.map(it => changed(it, `${nameOf(it)}-single`));
  return [
    ...objects.filter(it => !isPending(it)).map(withGroups),
    { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: CLASS }, value: 500 },
    {
      apiVersion: 'scheduling.k8s.io/v1beta1',
      kind: 'PodGroup',
      metadata: { name: 'gang', namespace },
      spec: { priorityClassName: CLASS, schedulingPolicy: { gang: { minCount: Math.max(1, pending.length - 1) } } },
    },
    ...members,
    ...single,
  ];
}

const CLASS = 'of-the-gang';

function withGroups(object: UnknownObject): UnknownObject {
  if (object.kind !== 'ScenarioOptions') return object;
  return { ...object, featureGates: { ...(object.featureGates as UnknownObject | undefined), GenericWorkload: true } };
}

function isPending(object: UnknownObject): boolean {
  return object.kind === 'Pod' && specOf(object).nodeName === undefined;
}

function changed(object: UnknownObject, name: string): UnknownObject {
  return { ...object, metadata: { ...metadataOf(object), name } };
}

function nameOf(object: UnknownObject): string {
  return String(metadataOf(object).name);
}

function metadataOf({ metadata }: UnknownObject): UnknownObject {
  return (metadata ?? {}) as UnknownObject;
}

function specOf({ spec }: UnknownObject): UnknownObject {
  return (spec ?? {}) as UnknownObject;
}
