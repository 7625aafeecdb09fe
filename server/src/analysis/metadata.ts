/** What Berth knows about itself, for those that stand outside the door. */

export { nearestNames } from '../base/nearest';
export { CLUSTER_QUESTIONS, USUAL_QUESTIONS } from '../explore/cluster/answer';
export { knownVersion, newestMinor, supportedMinors, versionText } from '../kube/version';
export { policyPage } from '../policy/pages';
export { allMetas, explain, unknownCode } from '../rules/engine/explain';
export { defaultPodSecurity, readPodSecurity, withDefaultLevels } from '../rules/security/configuration';
export { ROLE_FILES } from '../workspace/fileRoles';
export { isFileRead } from '../workspace/filesRead';
export {
  IGNORE_FILES,
  type IgnoreLevel,
  type IgnoreWorld,
  isEntered,
  isIgnored,
  isNeverEntered,
  levelOf,
  levelsAbove,
} from '../workspace/ignored';
export { PRESETS } from './configuration/keys';
export { TOKEN_MODIFIERS, TOKEN_TYPES } from './features/semanticTokens';
export { isPolicyText } from './state/policyTexts';
