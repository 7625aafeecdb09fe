import { asObject, asText, type JsonObject, type JsonValue } from '../../../base/json';
import { defaultClassAmong, SYSTEM_PRIORITY_CLASSES } from '../../../cluster/admission/priority';
import { labelMatcher } from '../../../kube/labelSelector';
import { podQos } from '../../../kube/podResources';
import type { PodSpec, PriorityClass } from '../../../kube/types';
import type { WorkspaceObject } from '../../../workspace/object';
import { podsSelected } from '../../../workspace/references/definitions';
import { selectorOf } from '../../../workspace/references/references';
import type { Snapshot } from '../../../workspace/workspace';
import { podSpecOf, writtenPodSpec } from '../../reading/podSpec';
import type { IssueFunction } from './issueFunction';

const GROUP = 'scheduling.k8s.io';

/** The priority that admission gives a Pod; 0 for a class that the workspace does not have. */
function prioritiesIn(snapshot: Snapshot): (spec: JsonObject | undefined) => number {
  const classes = snapshot.objectsOf(GROUP, 'PriorityClass').map(it => it.manifest.value as unknown as PriorityClass);
  const known = [...SYSTEM_PRIORITY_CLASSES, ...classes];
  const byName = new Map(known.map(it => [it.metadata?.name, it]));
  const ofNoClass = priorityIn(defaultClassAmong(classes));
  return spec => {
    const name = asText(spec?.priorityClassName);
    return name === undefined ? ofNoClass : priorityIn(byName.get(name));
  };
}

const priorityIn = (it: PriorityClass | undefined): number => (typeof it?.value === 'number' ? it.value : 0);

/** Whether a Pod with this class may preempt one of the workspace whose QoS class is another. */
export const preemptsOtherQosClass: IssueFunction = (self, target, { snapshot }) => {
  const [found] = snapshot.find(GROUP, 'PriorityClass', undefined, asText(self) ?? '');
  const own = podSpecOf(target)?.spec;
  if (found === undefined || found.manifest.value.preemptionPolicy === 'Never' || own === undefined) return false;
  const priorityOf = prioritiesIn(snapshot);
  const [priority, qos] = [priorityOf(own), podQos(own as unknown as PodSpec)];
  return snapshot.references.namespacesOfPods().some(namespace =>
    snapshot.references.podsIn(namespace).some(({ object }) => {
      const spec = writtenPodSpec(object);
      return spec !== undefined && priorityOf(spec) < priority && podQos(spec as unknown as PodSpec) !== qos;
    }),
  );
};

/** Whether a budget covers Pods of the workspace that have a lower priority than some class that preempts. */
export const coversPreemptiblePods: IssueFunction = (self, { object }, { snapshot }) => {
  const classes = snapshot.objectsOf(GROUP, 'PriorityClass').map(it => it.manifest.value);
  const values = classes.flatMap(it =>
    typeof it.value === 'number' && it.preemptionPolicy !== 'Never' ? [it.value] : [],
  );
  const priorityOf = prioritiesIn(snapshot);
  return selected(self, object, snapshot).some(it => values.some(value => value > priorityOf(writtenPodSpec(it))));
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
