import { baseNameOf, folderOf } from './paths';

/** The role of a file in the Helm chart whose folder contains it; `other` files are read by templates or not at all. */
export type ChartRole = 'chart' | 'template' | 'values' | 'crd' | 'other';

export interface ChartFile {
  /** The folder with Chart.yaml. */
  readonly chart: string;
  readonly role: ChartRole;
}

/** The folders that contain a chart, including nested ones (`charts/`). */
export function chartFolders(uris: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const uri of uris) if (baseNameOf(uri) === 'Chart.yaml') folders.add(folderOf(uri));
  return folders;
}

/**
 * The role of a file in the innermost enclosing chart; undefined outside of charts. Upstream:
 * helm.sh/helm/v3/pkg/chart/loader.LoadFiles
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
