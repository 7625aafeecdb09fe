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

/** Files that were written so long ago are of builds or versions of Node that may be gone. */
const MAX_AGE_MILLISECONDS = 30 * 24 * 60 * 60 * 1000;

/** What V8 made of scripts, kept between runs. A failure of any kind only costs the time that compiling takes. */
export interface CompileCache {
  read(name: string): Buffer | undefined;
  write(name: string, data: Uint8Array): void;
}

/**
 * The cache in a folder that nobody but the present user can write to: V8 trusts what it reads, so that these files are as
 * good as programs. The folder is the one that `BERTH_COMPILE_CACHE` names (`off`: none), else one of the user's home folder as
 * the system knows it. HOME and XDG_CACHE_HOME do not count, since projects set them to folders of their own.
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

/** Whether a folder or a file, not a link, is the user's own and nobody else may change it. Windows has its lists for that. */
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

/** On the disk before it gets its name: V8 does not notice where a part of it is missing. */
function writeDurably(path: string, data: Uint8Array): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    for (let at = 0; at < data.length; ) at += writeSync(file, data, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function removeOld(folder: string): void {
  const oldest = Date.now() - MAX_AGE_MILLISECONDS;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.v8') && statSync(path).mtimeMs < oldest) removeQuietly(path);
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another process was quicker, or the file was never made.
  }
}
