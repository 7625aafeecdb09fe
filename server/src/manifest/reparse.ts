import type { ManifestFile } from './manifest';
import { parseManifests } from './parse';

/** Parses the new text of a file that was parsed before. */
export function reparseManifests(previous: ManifestFile, newText: string): ManifestFile {
  return newText === previous.text ? previous : parseManifests(previous.uri, newText);
}
