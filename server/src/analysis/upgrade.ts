/** What an upgrade of Kubernetes changes. */

export type { UpgradeChange, UpgradeReport } from './upgrade/change';
export { upgradeVersions } from './upgrade/walk';
