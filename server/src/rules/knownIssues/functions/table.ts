import type { IssueFunction } from './issueFunction';
import { hasNodeOfOtherHostname, isSelectedByOtherDaemonSet } from './nodes';
import { isShownInPolicyOfLooseDefinition, mentionsContainsCidr, numberFormats } from './schemas';
import { isBinarySecret } from './secrets';
import { hasLocalPodsBehindNftables, isLongForNftables, portOfSidecarOnly, selectsNoReplica } from './services';

/** By the name that an entry gives as its `function`. */
export const ISSUE_FUNCTIONS: Readonly<Record<string, IssueFunction>> = {
  hasLocalPodsBehindNftables,
  hasNodeOfOtherHostname,
  isBinarySecret,
  isLongForNftables,
  isSelectedByOtherDaemonSet,
  isShownInPolicyOfLooseDefinition,
  mentionsContainsCidr,
  numberFormats,
  portOfSidecarOnly,
  selectsNoReplica,
};
