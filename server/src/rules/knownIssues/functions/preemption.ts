import { asObject, asText, type JsonObject, type JsonValue } from '../../../base/json';
import { lazyByObject } from '../../../base/lazy';
import { defaultClassAmong, SYSTEM_PRIORITY_CLASSES } from '../../../cluster/admission/priority';
import { labelMatcher } from '../../../kube/labelSelector';
import { podQos } from '../../../kube/podResources';
import type { PodSpec, PriorityClass } from '../../../kube/types';
import type { WorkspaceObject } from '../../../workspace/object';
import { podsSelected } from '../../../workspace/references/definitions';
import type { PodLabels } from '../../../workspace/references/index';
import { selectorOf } from '../../../workspace/references/references';
import type { Snapshot } from '../../../workspace/workspace';
import { podSpecOf, writtenPodSpec } from '../../reading/podSpec';
import type { IssueFunction } from './issueFunction';

const GROUP = 'scheduling.k8s.io';

/** What Pods get from the PriorityClasses of the workspace. A list of the index goes with its snapshot. */
const prioritiesAmong = lazyByObject((objects: readonly WorkspaceObject[]) => {
  const classes = objects.map(it => it.manifest.value as unknown as PriorityClass);
  const byName = new Map([...SYSTEM_PRIORITY_CLASSES, ...classes].map(it => [it.metadata?.name, it]));
  const ofNoClass = priorityIn(defaultClassAmong(classes));
  return {
    /** The priority that admission gives a Pod; 0 for a class that the workspace does not have. */
    of: (spec: JsonObject | undefined): number => {
      const name = asText(spec?.priorityClassName);
      return name === undefined ? ofNoClass : priorityIn(byName.get(name));
    },
    /** The highest with which a Pod may preempt others. */
    highestPreempting: classes.reduce(
      (highest, it) =>
        typeof it.value === 'number' && it.preemptionPolicy !== 'Never' ? Math.max(highest, it.value) : highest,
      Number.NEGATIVE_INFINITY,
    ),
  };
});

const prioritiesIn = (snapshot: Snapshot) => prioritiesAmong(snapshot.objectsOf(GROUP, 'PriorityClass'));

const priorityIn = (it: PriorityClass | undefined): number => (typeof it?.value === 'number' ? it.value : 0);

/** Whether a Pod with this class may preempt one of the workspace whose QoS class is another. */
export const preemptsOtherQosClass: IssueFunction = (self, target, { snapshot }) => {
  const [found] = snapshot.find(GROUP, 'PriorityClass', undefined, asText(self) ?? '');
  const own = podSpecOf(target)?.spec;
  if (found === undefined || found.manifest.value.preemptionPolicy === 'Never' || own === undefined) return false;
  const priorities = prioritiesIn(snapshot);
  const [priority, qos] = [priorities.of(own), podQos(own as unknown as PodSpec)];
  return snapshot.references
    .namespacesOfPods()
    .map(namespace => lowestByQos(snapshot.references.podsIn(namespace))(priorities))
    .some(lowest => [...lowest].some(([other, least]) => other !== qos && least < priority));
};

/** The lowest priority of the Pods of each QoS class. */
const lowestByQos = lazyByObject((pods: readonly PodLabels[]) =>
  lazyByObject(({ of }: ReturnType<typeof prioritiesAmong>): ReadonlyMap<string, number> => {
    const lowest = new Map<string, number>();
    for (const { object } of pods) {
      const spec = writtenPodSpec(object);
      if (spec === undefined) continue;
      const qos = podQos(spec as unknown as PodSpec);
      lowest.set(qos, Math.min(lowest.get(qos) ?? Number.POSITIVE_INFINITY, of(spec)));
    }
    return lowest;
  }),
);

/** Whether a budget covers Pods of the workspace that have a lower priority than some class that preempts. */
export const coversPreemptiblePods: IssueFunction = (self, { object }, { snapshot }) => {
  const { of, highestPreempting } = prioritiesIn(snapshot);
  return selected(self, object, snapshot).some(it => of(writtenPodSpec(it)) < highestPreempting);
};

/** Whether a term of anti-affinity matches other Pods of the workspace. */
export const keepsOthersAway: IssueFunction = (self, { object }, { snapshot }) =>
  selected(self, object, snapshot).some(it => it.name !== object.name || it.kind !== object.kind);

/** The Pods and workloads in the namespace of an object that a label selector matches. */
function selected(selector: unknown, object: WorkspaceObject, snapshot: Snapshot): readonly WorkspaceObject[] {
  const written = asObject(selector as JsonValue | undefined);
  const matcher = labelMatcher(written && selectorOf(written));
  return podsSelected(snapshot, { to: 'pods', namespaces: [object.namespace ?? 'default'], matcher });
}
