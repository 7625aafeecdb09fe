import type { Connection } from 'vscode-languageserver/node';
import { requestFor } from '../analysis/clusters';
import type { AnalysisServices } from './analysisServices';
import { type ClusterFeed, type ClusterWorld, createClusterFeed, type FeedWorld } from './clusterFeed';
import type { FileReach } from './disk';
import {
  type ClusterAnswer,
  type ContextsAnswer,
  clusterRequest,
  consentForgottenNotification,
  contextsRequest,
  refreshClusterRequest,
  type TrustParams,
} from './protocol';

export interface ClusterServing {
  /** Fetches exactly the clusters that environments request. */
  reconcile(): void;
  /** Also fetches the source that the preview tries; undefined: none. */
  tryCluster(source: string | undefined): void;
  filesChanged(uris: readonly string[]): void;
  /** Other folders are open, so that other files may be read. */
  reachChanged(): void;
  trust(params: TrustParams): void;
}

export interface ClusterEvents {
  /** Resolves when the folders that were open at the start have been read. */
  readonly started: Promise<void>;
  readonly onChange: (touched: readonly string[]) => void;
}

/** Fetches clusters for an analysis and answers requests of the cluster tree. */
export function serveClusters(
  connection: Connection,
  { host, applyChange }: Pick<AnalysisServices, 'host' | 'applyChange'>,
  world: FeedWorld | undefined,
  { started, onChange }: ClusterEvents,
): ClusterServing {
  const feed: ClusterFeed | undefined =
    world &&
    createClusterFeed({ ...world, readSource }, (key, content) => {
      onChange(applyChange({ clusters: [{ key, content }] }));
    });
  /** For a file of the workspace, the text in the editor. */
  async function readSource(file: string, reach: FileReach): ReturnType<ClusterWorld['readSource']> {
    const text = host.analysis().text(file);
    return text === undefined ? (world?.readSource(file, reach) ?? { failure: 'it cannot be read' }) : { text };
  }
  /** The source that the preview tries. */
  const state = { tried: undefined as string | undefined };
  const reconcile = (): void => {
    const { clusterRequests: requests, settings } = host.analysis();
    const tried = state.tried === undefined ? undefined : requestFor(state.tried, '', 'settings');
    const isKnown = requests.some(it => it.key === tried?.key);
    feed?.reconcile([...requests, ...(tried && !isKnown ? [tried] : [])], settings.kubernetesVersion);
  };
  const trust = ({ isTrusted }: TrustParams): void => feed?.trust(isTrusted ? 'trusted' : 'untrusted');

  // Before the folders are read it is unknown whether they have nodes.
  connection.onRequest(clusterRequest, async (): Promise<ClusterAnswer> => {
    await started;
    return host.analysis().clusterView();
  });
  connection.onRequest(refreshClusterRequest, () => feed?.refresh());
  connection.onRequest(contextsRequest, (): ContextsAnswer => {
    try {
      return world?.contexts() ?? { contexts: [] };
    } catch (error) {
      return { contexts: [], failure: error instanceof Error ? error.message : String(error) };
    }
  });
  connection.onNotification(consentForgottenNotification, () => feed?.forgetConsent());
  connection.onShutdown(() => feed?.close());
  return {
    reconcile,
    tryCluster(source) {
      if (source === state.tried) return;
      state.tried = source;
      reconcile();
    },
    filesChanged: uris => feed?.filesChanged(uris),
    reachChanged: () => feed?.reachChanged(),
    trust,
  };
}
