import { promises } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Bounds, findWithin, MAX_BYTES, NO_LINK, type Trouble } from '../disk/within';

/** Where a path may lead: below folders with these uris, or anywhere. */
export type FileReach = 'anywhere' | readonly string[];

export type FileRead = { readonly text: string } | { readonly failure: string };

/** The path of a `file:` uri; undefined for other schemes and for hosts without a path on this system. */
export function pathOf(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** One spelling per file: without needless escapes, `..` and a slash at the end. */
export function canonicalUri(uri: string): string {
  const path = pathOf(uri);
  return path === undefined ? uri : pathToFileURL(resolve(path)).href;
}

/**
 * The text of a regular file within reach. Nothing outside of the reach is accessed, not even to follow a link, and devices,
 * pipes and sockets are not opened. Never rejects.
 */
export async function readWithin(path: string, reach: FileReach): Promise<FileRead> {
  const found = findWithin(path, boundsOf(reach));
  if ('trouble' in found) return { failure: inWords(found, path) };
  if (!found.stats.isFile()) return { failure: inWords({ trouble: 'irregular' }, path) };
  return readRegular(found.path, path);
}

/** What is at a path within reach; undefined: outside of the reach. */
export async function lookWithin(path: string, reach: FileReach): Promise<'file' | 'folder' | 'nothing' | undefined> {
  const found = findWithin(path, boundsOf(reach));
  if ('trouble' in found) return found.trouble === 'outside' ? undefined : 'nothing';
  return found.stats.isDirectory() ? 'folder' : 'file';
}

/** Checks the opened file again, because it may have been replaced since its path was checked. */
async function readRegular(path: string, name: string): Promise<FileRead> {
  try {
    const file = await promises.open(path, NO_LINK);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return { failure: inWords({ trouble: 'irregular' }, name) };
      if (stats.size > MAX_BYTES) return { failure: inWords({ trouble: 'large' }, name) };
      return { text: await file.readFile('utf8') };
    } finally {
      await file.close();
    }
  } catch {
    return { failure: `${name} cannot be read` };
  }
}

const boundsOf = (reach: FileReach): Bounds => (reach === 'anywhere' ? reach : reach.flatMap(it => pathOf(it) ?? []));

function inWords(trouble: Trouble, path: string): string {
  switch (trouble.trouble) {
    case 'outside':
      return `${path} is outside of the folders that are open`;
    case 'circle':
      return `the links of ${path} go in a circle`;
    case 'irregular':
      return `${path} is no regular file`;
    case 'large':
      return `${path} is too large`;
    case 'failure':
      return ['ENOENT', 'ENOTDIR'].includes(trouble.error.code ?? '')
        ? `there is no file ${path}`
        : `${path} cannot be read`;
  }
}
