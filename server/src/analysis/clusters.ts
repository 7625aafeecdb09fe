/** Where a cluster comes from: the sources, their contents, and requests for the contents. */
export { type ClusterRequest, requestFor } from './clusters/request';
export {
  CLUSTER_SOURCES,
  type ClusterContent,
  type ClusterSource,
  clusterIndex,
  contentOfFile,
  externalCluster,
  kindInWords,
  loadingContent,
  parseClusterSource,
  snapshotDocuments,
  sourceText,
  unreachable,
} from './clusters/sources';
export { yamlLibrary } from './features/policies/yamlLibrary';
