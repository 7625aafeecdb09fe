import { posix } from 'node:path';
import { type IgnorePatterns, ignorePatterns } from './ignorePatterns';

/** Ignore files with the syntax of git. */
export const IGNORE_FILES = ['.gitignore', '.berthignore'] as const;

/** The ignore rules of one folder, and the folder's full path with forward slashes. */
export interface IgnoreLevel {
  readonly folder: string;
  readonly patterns: IgnorePatterns;
}

/** Access to ignore files. */
export interface IgnoreWorld {
  readonly exists: (path: string) => Promise<boolean>;
  /** The text of a file; undefined if it does not exist or cannot be read. */
  readonly readText: (path: string) => Promise<string | undefined>;
}

/** The ignore files of a folder as a level, if it has any; `names` are the entries of the folder if they are known. */
export async function levelOf(
  folder: string,
  world: IgnoreWorld,
  names: readonly string[] = IGNORE_FILES,
): Promise<readonly IgnoreLevel[]> {
  const read = IGNORE_FILES.filter(it => names.includes(it)).map(it => world.readText(posix.join(folder, it)));
  const texts = (await Promise.all(read)).filter(it => it !== undefined);
  return texts.length === 0 ? [] : [{ folder, patterns: ignorePatterns(texts.join('\n')) }];
}

/**
 * Ignore files from the top of the repository down to a folder's parent. They do not count if they would exclude the
 * folder itself: an ignored folder that was named explicitly is wanted.
 */
export async function levelsAbove(folder: string, world: IgnoreWorld): Promise<readonly IgnoreLevel[]> {
  if (await world.exists(posix.join(folder, '.git'))) return [];
  const levels: IgnoreLevel[] = [];
  for (let at = posix.dirname(folder); ; at = posix.dirname(at)) {
    levels.unshift(...(await levelOf(at, world)));
    if (await world.exists(posix.join(at, '.git'))) break;
    if (at === posix.dirname(at)) return [];
  }
  return isIgnored(folder, 'folder', levels) ? [] : levels;
}

/** Folders in which tools keep what is theirs. */
const NEVER_ENTERED: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn', '.terraform']);

export const isNeverEntered = (name: string): boolean => NEVER_ENTERED.has(name);

/**
 * Whether a folder is entered on the way through the folder around it. Go keeps copies of modules in `vendor`, with a list of
 * them; their manifests, among them a Node, are data of tests. Other tools keep manifests there that are deployed.
 */
export async function isEntered(folder: string, { exists }: Pick<IgnoreWorld, 'exists'>): Promise<boolean> {
  const name = posix.basename(folder);
  if (name === 'vendor') return !(await exists(posix.join(folder, 'modules.txt')));
  return !isNeverEntered(name);
}

/** The nearest folder with a matching pattern decides, as in git. */
export function isIgnored(path: string, kind: 'file' | 'folder', levels: readonly IgnoreLevel[]): boolean {
  for (const { folder, patterns } of levels.toReversed()) {
    const verdict = patterns.verdictOn(path.slice(folder.endsWith('/') ? folder.length : folder.length + 1), kind);
    if (verdict !== undefined) return verdict === 'ignored';
  }
  return false;
}
