import type { LayeredMap } from '../../base/layeredMap';
import { jsonText } from '../../base/printed';
import type { ManifestFile } from '../../manifest/manifest';
import { CONFIGURATION_NAMES, type Configuration, readConfiguration } from '../configuration/configuration';
import type { WorkspaceFolder } from './change';

/** A folder with its parsed configuration. */
export interface ConfiguredFolder extends WorkspaceFolder {
  /** undefined: the folder has no configuration file. */
  readonly read: Configuration | undefined;
}

/**
 * Folders with their configurations. A configuration whose file is unchanged is not read again. Of folders with the same uri the
 * first counts: environments are told apart by the uri of their folder.
 */
export function configuredFolders(
  folders: readonly WorkspaceFolder[],
  files: LayeredMap<string, ManifestFile>,
  before: readonly ConfiguredFolder[],
): readonly ConfiguredFolder[] {
  const isFirst = ({ uri }: WorkspaceFolder, i: number): boolean => folders.findIndex(it => it.uri === uri) === i;
  return folders.filter(isFirst).map(({ uri, configuration, environment }) => {
    const names = configuration === undefined ? CONFIGURATION_NAMES.map(it => `${uri}/${it}`) : [configuration];
    const found = uri === '' && configuration === undefined ? undefined : names.find(it => files.has(it));
    const file = files.get(found ?? '');
    const previous = before.find(it => it.read !== undefined && it.read.file === file)?.read;
    const read = previous ?? (file && readConfiguration(file));
    return { uri, ...(configuration && { configuration }), ...(environment && { environment }), read };
  });
}

/** Whether the settings and environments of all folders are the same; the text of a configuration may differ. */
export function areSameFolders(now: readonly ConfiguredFolder[], before: readonly ConfiguredFolder[]): boolean {
  return now.length === before.length && now.every((it, i) => isSameFolder(it, before[i]));
}

function isSameFolder(a: ConfiguredFolder, b: ConfiguredFolder | undefined): boolean {
  if (a.uri !== b?.uri || a.configuration !== b.configuration || a.environment !== b.environment) return false;
  const contentOf = ({ read }: ConfiguredFolder): string => jsonText([read?.uri, read?.settings, read?.environments]);
  return a.read === b.read || contentOf(a) === contentOf(b);
}
