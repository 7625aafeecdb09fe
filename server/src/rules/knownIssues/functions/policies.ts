import { jsonText } from '../../../base/printed';
import { fieldAt } from '../../../manifest/valueAt';
import type { IssueFunction } from './issueFunction';

const ANNOTATION = 'container.apparmor.security.beta.kubernetes.io';

/** Whether a part of a policy that does not change objects reads the annotations of AppArmor, and no part the fields. */
export const readsOnlyAppArmorAnnotations: IssueFunction = (self, { value }) => {
  if (fieldAt(self, 'mutate') !== undefined || !jsonText(self).includes(ANNOTATION)) return false;
  return !jsonText(value.spec).includes('appArmorProfile');
};
