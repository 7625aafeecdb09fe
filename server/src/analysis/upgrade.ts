/** What an upgrade of Kubernetes changes. */

export type { UpgradeChange, UpgradeReport } from './upgrade/change';
export { type UpgradeRequest, upgradeVersions } from './upgrade/walk';
