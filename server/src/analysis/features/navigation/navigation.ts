import type { AnalysisContext } from '../../diagnostics/analysisContext';
import { systemDefinition, systemReferences } from '../../systems/systemNames';
import { definitionAt, referencesAt } from './definition';
import { documentLinksOf } from './documentLinks';
import { distinctLocations, type Link, type Location } from './location';
import { type Renaming, renamable, renameInAll } from './rename';

/** Navigation from names to the objects and locations that they refer to. */
export interface Navigation {
  /** The definition of the name at an offset. */
  definition(uri: string, offset: number): Link | undefined;
  references(uri: string, offset: number, wanted: 'uses' | 'usesAndDefinitions'): readonly Location[];
  renamable(uri: string, offset: number): ReturnType<typeof renamable>;
  rename(uri: string, offset: number, newName: string): Renaming;
  /** Names in a file that refer to other objects. */
  documentLinks(uri: string): readonly Link[];
}

export const navigation = ({ environmentsOf, environmentOf, systems, state }: AnalysisContext): Navigation => ({
  definition(uri, offset) {
    const file = state.files.get(uri);
    if (file !== undefined && systems.isSystem(file)) return systemDefinition(file, offset);
    const [first, ...others] = environmentsOf(uri).flatMap(it => definitionAt(it.written, uri, offset) ?? []);
    return first && { ...first, locations: distinctLocations([first, ...others].flatMap(it => it.locations)) };
  },
  references(uri, offset, wanted) {
    const file = state.files.get(uri);
    if (file !== undefined && systems.isSystem(file)) return systemReferences(file, offset, wanted);
    return distinctLocations(environmentsOf(uri).flatMap(it => referencesAt(it.written, uri, offset, wanted)));
  },
  renamable: (uri, offset) => renamable(environmentOf(uri).written, uri, offset),
  rename(uri, offset, newName) {
    const snapshots = environmentsOf(uri).map(it => it.written);
    return renameInAll(snapshots, uri, offset, newName);
  },
  documentLinks: uri => documentLinksOf(environmentOf(uri).written, uri),
});
