import type { ExternalSource } from '../../cluster/sources/source';
import { isExternal, parseClusterSource, sourceText } from '../../cluster/sources/source';
import { resolveIn } from '../../workspace/paths';

/** What environments want to be fetched, each once. */
export function distinctRequests(
  environments: readonly { readonly cluster?: ClusterRequest }[],
): readonly ClusterRequest[] {
  return [
    ...new Map(environments.flatMap(({ cluster }) => (cluster ? [[cluster.key, cluster] as const] : []))).values(),
  ];
}

/** A cluster that somebody outside of analysis is to fetch. */
export interface ClusterRequest {
  /** The source as text, a file of it from the folder of who named it: what the content is given by. */
  readonly key: string;
  readonly source: ExternalSource;
  /** Who named it: a berth.yaml is part of the workspace, and may be trusted less than the user's settings. */
  readonly origin: 'configuration' | 'settings';
  /** The folder of the berth.yaml that named it. */
  readonly folder?: string;
}

/** What a source as text wants to be fetched, its file from a folder; undefined where nothing is to be. */
export function requestFor(text: string, folder: string, origin: ClusterRequest['origin']): ClusterRequest | undefined {
  const parsed = parseClusterSource(text);
  if (!('source' in parsed) || !isExternal(parsed.source)) return undefined;
  const { source } = parsed;
  const resolved = 'file' in source ? { ...source, file: resolveFile(folder, source.file) } : source;
  return { key: sourceText(resolved), source: resolved, origin, ...(origin === 'configuration' && { folder }) };
}

/** Paths from the root of a disk or from the user's own folder stay as they are. */
function resolveFile(folder: string, file: string): string {
  return /^(?:\/|~\/|[A-Za-z]:[\\/])/.test(file) || folder === '' ? file : resolveIn(folder, file);
}
