import type { Connection } from 'vscode-languageserver/node';
import type { AnalysisHost } from '../analysis/analysis';
import { type ClusterFeed, type ClusterWorld, createClusterFeed } from './clusterFeed';
import {
  type ClusterAnswer,
  type ContextsAnswer,
  clusterRequest,
  contextsRequest,
  refreshClusterRequest,
  type TrustParams,
} from './protocol';

export interface ClusterServing {
  /** Brings what is fetched in line with what the environments want. */
  settle(): void;
  filesChanged(uris: readonly string[]): void;
  trust(params: TrustParams): void;
}

/** Fetches clusters for an analysis and answers what the tree of clusters asks. */
export function serveClusters(
  connection: Connection,
  host: AnalysisHost,
  world: ClusterWorld | undefined,
  onChange: () => void,
): ClusterServing {
  const feed: ClusterFeed | undefined =
    world &&
    createClusterFeed({ ...world, readSource }, (key, content) => {
      host.apply({ clusters: [{ key, content }] });
      onChange();
    });
  /** A file of the workspace is as its editor has it. */
  async function readSource(file: string): ReturnType<ClusterWorld['readSource']> {
    const text = host.analysis().text(file);
    return text === undefined ? (world?.readSource(file) ?? { failure: 'it cannot be read' }) : { text };
  }
  const trust = ({ isTrusted }: TrustParams): void => feed?.trust(isTrusted ? 'trusted' : 'untrusted');

  connection.onRequest(clusterRequest, (): ClusterAnswer => host.analysis().clusterView());
  connection.onRequest(refreshClusterRequest, () => feed?.refresh());
  connection.onRequest(contextsRequest, (): ContextsAnswer => {
    try {
      return world?.contexts() ?? { contexts: [] };
    } catch (error) {
      return { contexts: [], failure: error instanceof Error ? error.message : String(error) };
    }
  });
  connection.onShutdown(() => feed?.close());
  return {
    settle() {
      const { clusterWishes, settings } = host.analysis();
      feed?.want(clusterWishes, settings.kubernetesVersion);
    },
    filesChanged: uris => feed?.filesChanged(uris),
    trust,
  };
}
