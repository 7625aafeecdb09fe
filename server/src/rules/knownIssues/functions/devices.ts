import { asList } from '../../../base/json';
import { fieldAt } from '../../../manifest/valueAt';
import type { IssueFunction } from './issueFunction';

/** Whether a request asks for all devices, and some ResourceSlice has counters that devices share. */
export const asksForAllOfSharedCounters: IssueFunction = (self, _target, { snapshot }) =>
  fieldAt(self, 'allocationMode') === 'All' &&
  snapshot
    .objectsOf('resource.k8s.io', 'ResourceSlice')
    .some(({ manifest }) => asList(fieldAt(manifest.value, 'spec', 'sharedCounters')).length > 0);
