/** Where a cluster comes from: the sources, their contents, and requests for the contents. */

export { clusterIndex } from '../cluster/sources/clusterIndex';
export { type ClusterContent, loadingContent, unreachable } from '../cluster/sources/content';
export { kindInWords } from '../cluster/sources/kinds';
export { snapshotDocuments } from '../cluster/sources/snapshot';
export { CLUSTER_SOURCES, type ClusterSource, parseClusterSource, sourceText } from '../cluster/sources/source';
export { externalCluster } from './clusters/externalCluster';
export { type ClusterRequest, requestFor } from './clusters/request';
export { contentOfFile } from './clusters/sources';
export { yamlLibrary } from './features/policies/yamlLibrary';
