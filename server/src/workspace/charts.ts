import { baseNameOf, folderOf } from './paths';

/** What a file is to the Helm chart in whose folder it lies; `other` is read by templates or by nobody. */
export type ChartRole = 'chart' | 'template' | 'values' | 'crd' | 'other';

export interface ChartFile {
  /** The folder that holds Chart.yaml. */
  readonly chart: string;
  readonly role: ChartRole;
}

/** The folders that hold a chart, those inside others too (`charts/`). */
export function chartFolders(uris: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const uri of uris) if (baseNameOf(uri) === 'Chart.yaml') folders.add(folderOf(uri));
  return folders;
}

/**
 * What a file is to the innermost chart around it; undefined outside of charts.
 * Upstream: helm.sh/helm/v3/pkg/chart/loader.LoadFiles
 */
export function chartFileOf(uri: string, charts: ReadonlySet<string>): ChartFile | undefined {
  if (charts.size === 0) return undefined;
  for (let folder = folderOf(uri); ; folder = folderOf(folder)) {
    if (charts.has(folder)) return { chart: folder, role: roleIn(uri.slice(folder === '.' ? 0 : folder.length + 1)) };
    if (folder === folderOf(folder) || folder === '.') return undefined;
  }
}

const VALUES = /^(?:[^/]*values[^/]*\.(?:ya?ml|json)|ci\/.*\.ya?ml)$/i;

function roleIn(path: string): ChartRole {
  if (/^(?:Chart|requirements)\.(?:yaml|lock)$/.test(path)) return 'chart';
  if (path.startsWith('templates/')) return 'template';
  if (path.startsWith('crds/')) return 'crd';
  return VALUES.test(path) ? 'values' : 'other';
}
