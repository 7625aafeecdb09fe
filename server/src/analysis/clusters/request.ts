import { type ExternalSource, isExternal, parseClusterSource, sourceText } from '../../cluster/sources/source';
import { resolveIn } from '../../workspace/paths';

/** The distinct requests of environments. */
export function distinctRequests(
  environments: readonly { readonly cluster?: ClusterRequest }[],
): readonly ClusterRequest[] {
  return [
    ...new Map(environments.flatMap(({ cluster }) => (cluster ? [[cluster.key, cluster] as const] : []))).values(),
  ];
}

/** A cluster that the caller of analysis has to fetch. */
export interface ClusterRequest {
  /** The source as text, with its file resolved; identifies the content. */
  readonly key: string;
  readonly source: ExternalSource;
  /** Who named it. A berth.yaml is part of the workspace, and may be trusted less than the user's settings. */
  readonly origin: 'configuration' | 'settings';
  /** The folder of the berth.yaml that named it. */
  readonly folder?: string;
}

/** The request for a source, with its file resolved in a folder; undefined: the source needs no fetching. */
export function requestFor(text: string, folder: string, origin: ClusterRequest['origin']): ClusterRequest | undefined {
  const parsed = parseClusterSource(text);
  if (!('source' in parsed) || !isExternal(parsed.source)) return undefined;
  const { source } = parsed;
  const resolved = 'file' in source ? { ...source, file: resolveFile(folder, source.file) } : source;
  return { key: sourceText(resolved), source: resolved, origin, ...(origin === 'configuration' && { folder }) };
}

/** Absolute paths and paths in the home folder stay as they are. */
function resolveFile(folder: string, file: string): string {
  return /^(?:\/|~\/|[A-Za-z]:[\\/])/.test(file) || folder === '' ? file : resolveIn(folder, file);
}
