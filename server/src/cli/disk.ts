import { accessSync, constants, lstatSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type Bounds, findWithin, readKnown, readWithin, realPath, type Trouble } from '../disk/within';
import type { Fallible, ListedEntry, OuterWorld, PathEntry } from './world';

/** Node's words for what a user may meet; others keep their code. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist any more',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its links go in a circle',
  EISDIR: 'it is a folder',
  EMFILE: 'too many files are open',
};

const TROUBLES: Readonly<Record<Exclude<Trouble['trouble'], 'failure'>, string>> = {
  outside: 'it leads outside',
  circle: 'its links go in a circle',
  irregular: 'it is no regular file',
  large: 'it is too large',
};

export function reasonOf(error: unknown): string {
  const cause = (error as Error).cause instanceof Error ? (error as Error).cause : error;
  const { code = '' } = cause as NodeJS.ErrnoException;
  return REASONS[code] ?? (code === '' || typeof code !== 'string' ? String(cause) : code);
}

/**
 * One file is read after the other, and nothing else is done meanwhile: what the file system answers at once takes a fraction
 * of the time that its threads would take, and of the start of the module that asks them.
 */
function answerAtOnce<T>(work: () => T): Fallible<T> {
  try {
    return { value: work() };
  } catch (error) {
    return { failure: reasonOf(error) };
  }
}

type Disk = Pick<OuterWorld, 'entry' | 'read' | 'list' | 'write' | 'absolute' | 'real' | 'home'>;

/** The file system, relative paths being those of a folder: the present one when it is not given. */
export function diskFrom(folder = ''): Disk {
  const at = (path: string): string => resolve(folder, path);
  return {
    home: forward(ownFolder()),
    absolute: path => forward(at(path)),
    real: async path => forward(realPath(at(path))),
    entry: async (path, bounds) => entryAt(at(path), bounds),
    read: async (path, bounds, most) => readAt(at(path), bounds, most),
    list: async path => answerAtOnce(() => listed(at(path))),
    write: async (path, content) => answerAtOnce(() => writeFileSync(at(path), content)),
  };
}

/** A user whom the system has no name for has none. */
function ownFolder(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

export const forward = (path: string): string => path.replaceAll('\\', '/');

function entryAt(path: string, bounds: Bounds): PathEntry {
  // What may lie anywhere needs one question to the system, however many links there are.
  const found = bounds === 'anywhere' ? statsOf(path) : findWithin(path, bounds);
  if ('stats' in found) {
    if (found.stats.isFile()) return { kind: 'file', bytes: found.stats.size };
    return { kind: found.stats.isDirectory() ? 'folder' : 'other' };
  }
  if (found.trouble === 'outside') return { kind: 'outside' };
  const { reason, code } = reasonFor(found);
  if (code !== 'ENOENT') return { kind: 'failure', reason };
  return isLink(path) ? { kind: 'failure', reason: 'the link leads nowhere' } : { kind: 'missing' };
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function statsOf(path: string): ReturnType<typeof findWithin> {
  try {
    return { path, stats: statSync(path) };
  } catch (error) {
    return { trouble: 'failure', error: error as NodeJS.ErrnoException };
  }
}

function readAt(path: string, bounds: Bounds, most?: number): Fallible<Uint8Array> {
  const read = bounds === 'anywhere' ? readKnown(path, most) : readWithin(path, bounds, most);
  return 'bytes' in read ? { value: read.bytes } : { failure: reasonFor(read).reason };
}

function reasonFor(it: Trouble): { readonly reason: string; readonly code?: string } {
  if (it.trouble !== 'failure') return { reason: TROUBLES[it.trouble] };
  const { code } = it.error;
  return { reason: reasonOf(it.error), ...(code !== undefined && { code }) };
}

function listed(folder: string): readonly ListedEntry[] {
  accessSync(folder, constants.R_OK);
  return readdirSync(folder, { withFileTypes: true }).flatMap((it): readonly ListedEntry[] => {
    if (it.isDirectory()) return [{ name: it.name, kind: 'folder' }];
    if (it.isFile()) return [{ name: it.name, kind: 'file' }];
    return it.isSymbolicLink() ? [{ name: it.name, kind: 'link' }] : [];
  });
}
