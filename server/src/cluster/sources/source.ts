import { t } from '../../base/l10n';
/** Where a cluster comes from, as in the setting, `berth.yaml` and `--cluster`. */
export type ClusterSource =
  | { readonly from: 'auto' | 'default' | 'workspace' }
  | { readonly from: 'kind' | 'snapshot'; readonly file: string }
  /** Without a context, the kubeconfig's current one. */
  | { readonly from: 'live'; readonly context?: string };

/** A source whose content must be read from a file or a server. */
export type ExternalSource = Exclude<ClusterSource, { readonly from: 'auto' | 'default' | 'workspace' }>;

export function isExternal(source: ClusterSource): source is ExternalSource {
  return source.from === 'kind' || source.from === 'snapshot' || source.from === 'live';
}

export const CLUSTER_SOURCES = 'auto, default, workspace, kind:FILE, snapshot:FILE, live or live:CONTEXT';

const EMBEDDED = ['auto', 'default', 'workspace'] as const;

/** Parses a source; `problem` is half a sentence, to be appended to the name of the setting or option. */
export function parseClusterSource(text: string): { readonly source: ClusterSource } | { readonly problem: string } {
  const embedded = EMBEDDED.find(it => it === text);
  if (embedded !== undefined) return { source: { from: embedded } };
  const [, from = '', rest] = /^([a-z]+)(?::(.*))?$/s.exec(text) ?? [];
  if (from === 'live' && rest !== '') return { source: { from, ...(rest !== undefined && { context: rest }) } };
  if (from === 'live') return { problem: t`"${text}" names no context after the colon` };
  if (from !== 'kind' && from !== 'snapshot') return { problem: t`"${text}" is not one of: ${CLUSTER_SOURCES}` };
  if (!rest) return { problem: t`"${text}" names no file; it must look like ${from}:FILE` };
  return { source: { from, file: rest } };
}

/** The text that `parseClusterSource` parses as the source. */
export function sourceText(source: ClusterSource): string {
  if ('file' in source) return `${source.from}:${source.file}`;
  return source.from === 'live' && source.context !== undefined ? `live:${source.context}` : source.from;
}
