import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const ignoredFolders = new Set(['node_modules', '.git', '.hg', '.svn', '.terraform', 'vendor', 'dist', 'out']);

/** Paths of all *.yaml, *.yml, *.json and *.rego below a folder, a chunk for each folder; links are not followed. */
export async function* findManifests(folder: string): AsyncIterable<readonly string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch {
    // A folder that can't be read holds nothing for us; the others go on.
    return;
  }
  const files = entries
    .filter(it => it.isFile() && /\.(ya?ml|json|rego)$/i.test(it.name))
    .map(it => join(folder, it.name));
  if (files.length > 0) yield files;
  for (const entry of entries) {
    if (entry.isDirectory() && !ignoredFolders.has(entry.name)) yield* findManifests(join(folder, entry.name));
  }
}

/** Whether `findManifests` would pass a file of one of these folders by; both as uris. */
export function isPassedBy(uri: string, folders: readonly string[]): boolean {
  const folder = folders.find(it => uri.startsWith(`${it}/`));
  const steps = folder === undefined ? [] : uri.slice(folder.length + 1).split('/');
  return steps.slice(0, -1).some(it => ignoredFolders.has(it));
}
