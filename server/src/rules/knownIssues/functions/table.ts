import { asksForAllOfSharedCounters } from './devices';
import type { IssueFunction } from './issueFunction';
import { hasNodeOfOtherHostname, isSelectedByOtherDaemonSet } from './nodes';
import { hasFormatOfNumbers, isShownInPolicyOfLooseDefinition, mentionsContainsCidr } from './schemas';
import { isBinarySecret } from './secrets';
import {
  hasLocalPodsBehindNftables,
  isDualStackOnWindows,
  isLocalOnWindows,
  isLongForNftables,
  portOfSidecarOnly,
  selectsNoReplica,
} from './services';

/** By the name that an entry gives as its `function`. */
export const ISSUE_FUNCTIONS: Readonly<Record<string, IssueFunction>> = {
  asksForAllOfSharedCounters,
  hasLocalPodsBehindNftables,
  hasNodeOfOtherHostname,
  isBinarySecret,
  isDualStackOnWindows,
  isLocalOnWindows,
  isLongForNftables,
  isSelectedByOtherDaemonSet,
  isShownInPolicyOfLooseDefinition,
  mentionsContainsCidr,
  hasFormatOfNumbers,
  portOfSidecarOnly,
  selectsNoReplica,
};
