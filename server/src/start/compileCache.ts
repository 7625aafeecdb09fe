import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Older files belong to builds or versions of Node that may no longer exist. */
const MAX_AGE_MILLISECONDS = 30 * 24 * 60 * 60 * 1000;

/** So many files are kept, of some 3 MB each. A build has one for each purpose and each version of Node. */
const MOST_FILES = 50;

/** V8's code cache of scripts, kept between runs. A failure of any kind only costs the time for compiling. */
export interface CompileCache {
  read(name: string): Buffer | undefined;
  write(name: string, data: Uint8Array): void;
}

/**
 * The cache in a folder that only the current user can write to: V8 trusts what it reads, so these files are as
 * sensitive as programs. The folder is that of `BERTH_COMPILE_CACHE` (`off`: none), else one in the user's home folder
 * according to the system. HOME and XDG_CACHE_HOME are ignored, since projects set them to folders of their own.
 */
export function openCompileCache(env: Readonly<Record<string, string | undefined>>): CompileCache | undefined {
  try {
    const folder = folderFor(env);
    if (folder === undefined) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isPrivate(folder) ? cacheIn(folder) : undefined;
  } catch {
    return undefined;
  }
}

function folderFor({ BERTH_COMPILE_CACHE: chosen, LOCALAPPDATA }: Readonly<Record<string, string | undefined>>) {
  if (chosen !== undefined && chosen !== '') return isAbsolute(chosen) ? chosen : undefined;
  if (process.platform === 'win32') return LOCALAPPDATA && join(LOCALAPPDATA, 'berth', 'compiled');
  const { homedir } = userInfo();
  if (process.platform === 'darwin') return join(homedir, 'Library', 'Caches', 'berth', 'compiled');
  return join(homedir, '.cache', 'berth', 'compiled');
}

/**
 * Whether a folder or a file, not a link, belongs to the user, and no one else may change it. Windows uses access
 * control lists for that.
 */
function isPrivate(path: string): boolean {
  const { uid, mode } = lstatSync(path);
  const isLink = (mode & 0o170000) === 0o120000;
  if (isLink) return false;
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

function cacheIn(folder: string): CompileCache {
  return {
    read(name) {
      try {
        const path = join(folder, name);
        return isPrivate(path) ? readFileSync(path) : undefined;
      } catch {
        return undefined;
      }
    },
    write(name, data) {
      const unfinished = join(folder, `${name}.${process.pid}`);
      try {
        removeOld(folder);
        writeDurably(unfinished, data);
        renameSync(unfinished, join(folder, name));
      } catch {
        removeQuietly(unfinished);
      }
    },
  };
}

/** Written to disk before it gets its name: V8 does not detect missing parts. */
function writeDurably(path: string, data: Uint8Array): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    for (let at = 0; at < data.length; ) at += writeSync(file, data, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Removes old files, those that were never finished, too, and leaves room for one more. */
function removeOld(folder: string): void {
  const oldest = Date.now() - MAX_AGE_MILLISECONDS;
  const files = readdirSync(folder)
    .filter(it => /\.v8(?:\.\d+)?$/.test(it))
    .map(it => join(folder, it))
    .map(path => ({ path, written: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.written - a.written);
  for (const [i, { path, written }] of files.entries())
    if (i >= MOST_FILES - 1 || written < oldest) removeQuietly(path);
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another process was faster, or the file was never created.
  }
}
