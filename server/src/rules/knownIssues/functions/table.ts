import { asksForAllOfSharedCounters } from './devices';
import type { IssueFunction } from './issueFunction';
import { countsDomainOfTaintedNodes, hasNodeOfOtherHostname, isSelectedByOtherDaemonSet } from './nodes';
import { readsOnlyAppArmorAnnotations } from './policies';
import { coversPreemptiblePods, keepsOthersAway, preemptsOtherQosClass } from './preemption';
import {
  hasFormatOfNumbers,
  hasObjectWithNullContainer,
  isShownInPolicyOfLooseDefinition,
  mentionsContainsCidr,
} from './schemas';
import { isBinarySecret } from './secrets';
import { isMountedAtOtherLevelElsewhere, isMountedAtSeveralLevels } from './seLinux';
import {
  hasLocalPodsBehindNftables,
  isDualStackOnWindows,
  isLocalOnWindows,
  isLongForNftables,
  portOfSidecarOnly,
  selectsMoreThanThousand,
  selectsNoReplica,
} from './services';

/** By the name that an entry gives as its `function`. */
export const ISSUE_FUNCTIONS: Readonly<Record<string, IssueFunction>> = {
  asksForAllOfSharedCounters,
  countsDomainOfTaintedNodes,
  coversPreemptiblePods,
  hasFormatOfNumbers,
  hasLocalPodsBehindNftables,
  hasNodeOfOtherHostname,
  hasObjectWithNullContainer,
  isBinarySecret,
  isDualStackOnWindows,
  isLocalOnWindows,
  isLongForNftables,
  isMountedAtOtherLevelElsewhere,
  isMountedAtSeveralLevels,
  isSelectedByOtherDaemonSet,
  isShownInPolicyOfLooseDefinition,
  keepsOthersAway,
  mentionsContainsCidr,
  portOfSidecarOnly,
  preemptsOtherQosClass,
  readsOnlyAppArmorAnnotations,
  selectsMoreThanThousand,
  selectsNoReplica,
};
