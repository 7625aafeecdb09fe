import { asObject, asText, type JsonObject } from '../../../base/json';
import { labelMatcher } from '../../../kube/labelSelector';
import { podQos } from '../../../kube/podResources';
import { systemPriorityClasses } from '../../../kube/podTemplates';
import type { LabelSelector, PodSpec } from '../../../kube/types';
import type { WorkspaceObject } from '../../../workspace/object';
import { podsSelected } from '../../../workspace/references/definitions';
import type { Snapshot } from '../../../workspace/workspace';
import { podSpecOf, writtenPodSpec } from '../../reading/podSpec';
import type { IssueFunction } from './issueFunction';

const GROUP = 'scheduling.k8s.io';

/** The priority that admission gives a Pod; 0 for a class that the workspace does not have. */
function priorityOf(spec: JsonObject | undefined, snapshot: Snapshot): number {
  const name = asText(spec?.priorityClassName);
  const system = name === undefined ? undefined : systemPriorityClasses[name];
  if (system !== undefined) return system;
  const all = snapshot.objectsOf(GROUP, 'PriorityClass');
  const found = all.find(it => (name === undefined ? it.manifest.value.globalDefault === true : it.name === name));
  const value = found?.manifest.value.value;
  return typeof value === 'number' ? value : 0;
}

/** Whether a Pod with this class may preempt one of the workspace whose QoS class is another. */
export const preemptsOtherQosClass: IssueFunction = (self, target, { snapshot }) => {
  const [found] = snapshot.find(GROUP, 'PriorityClass', undefined, asText(self) ?? '');
  const own = podSpecOf(target)?.spec;
  if (found === undefined || found.manifest.value.preemptionPolicy === 'Never' || own === undefined) return false;
  const [priority, qos] = [priorityOf(own, snapshot), podQos(own as unknown as PodSpec)];
  return snapshot.references.namespacesOfPods().some(namespace =>
    snapshot.references.podsIn(namespace).some(({ object }) => {
      const spec = writtenPodSpec(object);
      if (spec === undefined || priorityOf(spec, snapshot) >= priority) return false;
      return podQos(spec as unknown as PodSpec) !== qos;
    }),
  );
};

/** Whether a budget covers Pods of the workspace that have a lower priority than some class that preempts. */
export const coversPreemptiblePods: IssueFunction = (self, { object }, { snapshot }) => {
  const classes = snapshot.objectsOf(GROUP, 'PriorityClass').map(it => it.manifest.value);
  const values = classes.flatMap(it =>
    typeof it.value === 'number' && it.preemptionPolicy !== 'Never' ? [it.value] : [],
  );
  return selected(self, object, snapshot).some(it => {
    const priority = priorityOf(writtenPodSpec(it), snapshot);
    return values.some(value => value > priority);
  });
};

/** Whether a term of anti-affinity matches other Pods of the workspace. */
export const keepsOthersAway: IssueFunction = (self, { object }, { snapshot }) =>
  selected(self, object, snapshot).some(it => it.name !== object.name || it.kind !== object.kind);

/** The Pods and workloads in the namespace of an object that a label selector matches. */
function selected(selector: unknown, object: WorkspaceObject, snapshot: Snapshot): readonly WorkspaceObject[] {
  const matcher = labelMatcher(asObject(selector) as LabelSelector | undefined);
  return podsSelected(snapshot, { to: 'pods', namespaces: [object.namespace ?? 'default'], matcher });
}
