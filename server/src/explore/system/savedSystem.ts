import type { ManifestFile } from '../../manifest/manifest';
import type { ProcessModel } from '../core/model';
import { hashOfText, readSaved, savedBytes } from '../core/savedFile';
import { isSearchOf, type SavedSearch } from '../core/savedSearch';
import type { BuiltSystem } from './build';

/** A search of a system that was stopped, as a file. */
export interface SavedExploration {
  readonly file: ManifestFile;
  readonly symmetry: 'used' | 'ignored';
  readonly search: SavedSearch;
}

/** A clause about a file. */
export const CHANGED = 'was changed since it was saved';

export function savedSystemBytes({ file, symmetry, search }: SavedExploration): Uint8Array {
  return savedBytes({ identity: identityOf(file, symmetry), search });
}

/** The search in the bytes of a file; else why a search of the system cannot go on from there, a clause about the file. */
export function savedSystemSearch(
  bytes: Uint8Array,
  { file, symmetry }: Pick<SavedExploration, 'file' | 'symmetry'>,
  model: ProcessModel,
  { properties }: Pick<BuiltSystem, 'properties'>,
): SavedSearch | { readonly refused: string } {
  const saved = readSaved(bytes);
  if (saved === undefined) return { refused: 'is nothing that --save wrote, or was changed since' };
  if (saved.identity !== identityOf(file, symmetry)) {
    return { refused: 'was saved for another system, for an earlier text of this one, or with other options' };
  }
  return isSearchOf(saved.search, model, properties) ? saved.search : { refused: CHANGED };
}

/** Equal for texts that differ in comments and layout alone. */
function identityOf({ documents }: ManifestFile, symmetry: 'used' | 'ignored'): string {
  return hashOfText(JSON.stringify([symmetry, ...documents.map(it => it.value ?? null)]));
}
