import { lazy } from '../../base/lazy';
import type { Steps } from '../../base/steps';
import { type RenderJob, renderJobs } from '../../workspace/rendered/jobs';
import { capabilitiesOf, type RenderCapabilities } from '../../workspace/rendered/render';
import { unknownVersionNote } from '../clusters/externalCluster';
import { type NodeFolder, nodeFolders } from '../clusters/nodeFolders';
import { type ClusterRequest, distinctRequests } from '../clusters/request';
import type { Configuration } from '../configuration/configuration';
import type { Settings } from '../configuration/settings';
import type { AnalysisContext } from '../diagnostics/analysisContext';
import { uncheckedNote } from '../diagnostics/checkedEnvironments';
import { asideNote, policiesAside } from '../policies/policiesAside';
import type { EnvironmentState } from '../state/environmentState';
import { wantedPaths } from '../state/pathKinds';
import { type ClusterView, clusterViews } from './clusterTree';

/** What the workspace holds, and what it needs from outside. */
export interface WorkspaceFacts {
  /** The settings of the first folder. Its environments may have others. */
  readonly settings: Settings;
  /** Uris of all files that may have problems: manifests and configurations, without rendered documents. */
  readonly uris: readonly string[];
  /** The configurations of all folders. */
  readonly configurations: readonly Configuration[];
  /** The names of the environments in berth.yaml that a file belongs to. */
  environmentsOf(uri: string): readonly string[];
  /** The ids of all environments of a file. */
  environmentIds(uri: string): readonly string[];
  /** Paths in kustomizations that are no known manifests. The caller finds out whether a file or folder is there. */
  readonly wantedPaths: readonly string[];
  /** Jobs to render with the user's own tools. */
  readonly renderJobs: readonly RenderJob[];
  /** The Kubernetes version and API versions to render for. */
  readonly capabilities: RenderCapabilities;
  /** The distinct clusters that the caller has to fetch. */
  readonly clusterRequests: readonly ClusterRequest[];
  /** The clusters of all environments, for the cluster tree. */
  clusterView(): readonly ClusterView[];
  /** Finds out what `status` tells, so that it has the answer at once. */
  readyStatus(): Steps<undefined>;
  /** For the status item: where the nodes come from, and which settings cannot be followed, or not as written. */
  readonly status: {
    readonly cluster: string;
    readonly problems: readonly string[];
    readonly notes: readonly string[];
  };
  /** For the status item beside a file: the settings of its environment, and where its nodes come from. */
  statusAt(uri: string): { readonly settings: Settings; readonly cluster: string };
  /** Folders with Nodes below the uri of a folder of the workspace, where Pods of other folders have no nodes. */
  nodeFolders(root: string): readonly NodeFolder[];
  text(uri: string): string | undefined;
  /** The number of documents in a file, empty ones included. */
  documentCount(uri: string): number;
  /** Whether a file holds Kubernetes objects. */
  holdsObjects(uri: string): boolean;
}

export function workspaceFacts(context: AnalysisContext): WorkspaceFacts {
  const { state, texts, firstEnvironment, environmentOf, environmentsOf } = context;
  const { files, environments, indexes } = state;
  const requests = lazy(() => distinctRequests(environments.all));
  const capabilities = lazy(() => {
    const { environment, kube } = firstEnvironment();
    // Kinds that files define are no part of them, and to read their schemas takes a while.
    return capabilitiesOf(indexes.get(environment.index)?.defined.facts ?? kube);
  });
  const wanted = lazy(() => wantedPaths(environments.graph));
  const jobs = lazy(() => {
    const all = [...indexes.values()].flatMap(it => renderJobs(it.snapshot.files, it.snapshot.roles));
    return [...new Map(all.map(it => [it.source, it])).values()];
  });
  return {
    get settings() {
      return firstEnvironment().settings;
    },
    configurations: context.configurations,
    environmentsOf: uri => environments.of(uri).flatMap(it => it.name ?? []),
    environmentIds: uri => environments.of(uri).map(it => it.id),
    get uris() {
      return context.uris();
    },
    get wantedPaths() {
      return wanted();
    },
    get capabilities() {
      return capabilities();
    },
    get renderJobs() {
      return jobs();
    },
    get clusterRequests() {
      return requests();
    },
    clusterView: () => clusterViews(state.environmentStates()),
    *readyStatus() {
      for (const it of state.environmentStates()) {
        policiesAside(it);
        yield;
      }
      return undefined;
    },
    get status() {
      const all = [...indexes.values()];
      return {
        cluster: firstEnvironment().placements.label(),
        problems: [...new Set(all.flatMap(it => it.problems))],
        notes: [
          ...new Set([
            ...all.flatMap(it => it.notes),
            ...state.environmentStates().flatMap(it => clusterVersionNote(it) ?? []),
            ...[asideNote(state.environmentStates()) ?? [], uncheckedNote(state) ?? []].flat(),
          ]),
        ],
      };
    },
    statusAt(uri) {
      const { settings, placements } = environmentOf(uri);
      return { settings, cluster: placements.sourceAt(uri).label };
    },
    nodeFolders: root => state.environmentStates().flatMap(it => nodeFolders(it.snapshot, root)),
    text: uri => files.get(uri)?.text ?? texts.get(uri),
    holdsObjects: uri =>
      environmentsOf(uri).some(it => it.snapshot.objectsIn(uri).some(one => one.apiVersion !== '' && one.kind !== '')),
    documentCount: uri => files.get(uri)?.documents.length ?? 0,
  };
}

function clusterVersionNote({ environment, cluster, kube }: EnvironmentState): string | undefined {
  return environment.cluster && cluster && unknownVersionNote(environment.cluster, cluster, kube);
}
