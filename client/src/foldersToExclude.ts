import { isAsideFolder } from '../../server/src/workspace/asideFolders';

/** A folder with problems: its path in the workspace folder, and how many problems are below it. */
export interface FolderCount {
  readonly path: string;
  readonly problems: number;
  /** Its name says that its files are no deployment of this repository. */
  readonly isSuggested: boolean;
}

/**
 * Folders that one may want to exclude, those with the most problems first: of each file the outermost folder whose name
 * says that it is not deployed, else its first folder.
 * @param files paths in the workspace folder, with forward slashes, and their numbers of problems
 */
export function foldersToExclude(
  files: readonly (readonly [path: string, problems: number])[],
): readonly FolderCount[] {
  const counts = new Map<string, FolderCount>();
  for (const [file, problems] of files) {
    const parents = file.split('/').slice(0, -1);
    if (parents.length === 0) continue;
    const at = parents.findIndex(isAsideFolder);
    const path = parents.slice(0, at < 0 ? 1 : at + 1).join('/');
    counts.set(path, { path, problems: (counts.get(path)?.problems ?? 0) + problems, isSuggested: at >= 0 });
  }
  return [...counts.values()].sort((a, b) => b.problems - a.problems || a.path.localeCompare(b.path));
}

/** The text of an ignore file with folders added, each written once. */
export function withIgnored(text: string, paths: readonly string[]): string {
  const lines = new Set(text.split(/\r?\n/).map(it => it.trim()));
  const added = paths.map(it => `/${it.replace(/[\\*?[\]!# ]/g, '\\$&')}/`).filter(it => !lines.has(it));
  if (added.length === 0) return text;
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${before}${added.join('\n')}\n`;
}
