import { asList, asObject, asText } from '../../../base/json';
import { labelMatcher } from '../../../kube/labelSelector';
import type { LabelSelector } from '../../../kube/types';
import { fieldAt } from '../../../manifest/valueAt';
import type { IssueFunction } from './issueFunction';

const HOSTNAME = 'kubernetes.io/hostname';

/** Whether a node selector requirement on the host name means a Node whose label is not its name. */
export const hasNodeOfOtherHostname: IssueFunction = (self, _target, { snapshot }) => {
  const { key, values } = asObject(self) ?? {};
  if (key !== HOSTNAME) return false;
  return snapshot.objectsOf('', 'Node').some(({ name, manifest }) => {
    const label = asText(fieldAt(manifest.value, 'metadata', 'labels', HOSTNAME));
    return label !== undefined && label !== name && asList(values).some(it => it === label || it === name);
  });
};

/** Whether the labels of a Pod without a controller match the selector of a DaemonSet in another namespace. */
export const isSelectedByOtherDaemonSet: IssueFunction = (self, { object, value }, { snapshot }) => {
  if (asList(fieldAt(value, 'metadata', 'ownerReferences')).length > 0) return false;
  const labels = (asObject(self) ?? {}) as Readonly<Record<string, string>>;
  return snapshot.objectsOf('apps', 'DaemonSet').some(it => {
    const selector = asObject(fieldAt(it.manifest.value, 'spec', 'selector'));
    return (
      selector !== undefined &&
      it.namespace !== object.namespace &&
      labelMatcher(selector as LabelSelector).matches(labels)
    );
  });
};
