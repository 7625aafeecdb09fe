import type { UnknownObject } from '../../base/json';
import type { WorkspaceObject } from '../../workspace/object';
import { distinctRequests } from '../clusters/request';
import type { ClusterLabel } from '../placement/clusterLabel';
import type { Environment } from '../state/environments';
import type { WorkspaceState } from '../state/workspaceState';
import type { PreviewChoice } from './model';

/** The cluster of a file without `whatIf`, and whether the workspace has nodes for it. */
export interface OwnCluster {
  readonly kind: ClusterLabel['kind'];
  readonly hasNodes: boolean;
}

/** The cluster sources and scheduler configurations to choose from. */
export interface PreviewSources {
  /** Cluster sources, the environment's own first; empty: there is no other. */
  sourcesOf(environment: Environment, now: OwnCluster): readonly PreviewChoice[];
  /** The files with a scheduler configuration. */
  configurations(): readonly PreviewChoice[];
  configurationIn(uri: string): UnknownObject | undefined;
}

const CONFIGURATION = { group: 'kubescheduler.config.k8s.io', kind: 'KubeSchedulerConfiguration' };

/** Kinds of files that describe a cluster, with the prefix of their source. */
const DESCRIBES_CLUSTER = [
  { from: 'snapshot', group: 'berth.dev', kind: 'ClusterSnapshot' },
  { from: 'kind', group: 'kind.x-k8s.io', kind: 'Cluster' },
] as const;

export function previewSources({ indexes, folders, environments }: WorkspaceState): PreviewSources {
  const snapshots = [...indexes.values()].map(it => it.snapshot);
  const named = (group: string, kind: string): readonly WorkspaceObject[] =>
    snapshots.flatMap(it => it.objectsOf(group, kind));
  const labelOf = (text: string): string =>
    folders.reduce((label, { uri }) => (uri === '' ? label : label.replace(`${uri}/`, '')), text);
  const choiceOf = (key: string): PreviewChoice => ({ key, label: labelOf(key) });
  return {
    sourcesOf(environment, { kind, hasNodes }) {
      const own = ownSource(environment);
      const others = [
        ...(kind === 'default' ? [] : ['default']),
        ...(kind === 'workspace' || !hasNodes ? [] : ['workspace']),
        ...distinctRequests(environments.all).map(it => it.key),
        ...DESCRIBES_CLUSTER.flatMap(({ from, group, kind }) =>
          named(group, kind).map(it => `${from}:${it.manifest.uri}`),
        ),
      ];
      const all = [...new Set([own, ...others])];
      return all.length > 1 ? all.map(choiceOf) : [];
    },
    configurations() {
      const uris = named(CONFIGURATION.group, CONFIGURATION.kind).map(it => it.manifest.uri);
      return [...new Set(uris)].map(choiceOf);
    },
    configurationIn: uri =>
      snapshots
        .flatMap(it => it.objectsIn(uri))
        .find(it => it.group === CONFIGURATION.group && it.kind === CONFIGURATION.kind)?.manifest.value,
  };
}

/** In the format of `parseClusterSource`. */
export const ownSource = ({ cluster, settings }: Environment): string => cluster?.key ?? settings.cluster;

/** The choices, with the tried source even if it is not offered. */
export function withTried(
  choices: readonly PreviewChoice[],
  own: string,
  tried: string | undefined,
): readonly PreviewChoice[] {
  if (tried === undefined || choices.some(it => it.key === tried)) return choices;
  const base = choices.length > 0 ? choices : [{ key: own, label: own }];
  return [...base, { key: tried, label: tried }];
}
