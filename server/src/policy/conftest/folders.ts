import type { ManifestFile } from '../../manifest/manifest';
import { baseNameOf, folderOf, resolveIn } from '../../workspace/paths';
import type { Snapshot } from '../../workspace/workspace';
import { type ConfigFile, isConfigFile, readConfigFile } from './configFile';
import type { ConftestSettings } from './settings';

/** The Rego that Conftest loads in one run, with its settings. */
export interface ConftestFolder {
  /** Uri of the folder in which Conftest runs; '' for the workspace root. */
  readonly root: string;
  /** Settings with paths as uris; `namespaces` are the packages to evaluate. */
  readonly settings: ConftestSettings;
  /** Rego by uri, in order. */
  readonly modules: ReadonlyMap<string, string>;
  /** Files whose values are `data`. */
  readonly data: readonly ManifestFile[];
  /** Text of the file of capabilities. */
  readonly capabilities?: string;
  /** The conftest.toml that the settings come from. */
  readonly config?: ConfigFile;
}

/** Settings with paths as uris. */
export interface ConfiguredConftest extends ConftestSettings {
  readonly root: string;
}

/** Resolves the paths of settings that are written in `folder`. */
export function settingsFrom(folder: string, settings: ConftestSettings): ConfiguredConftest {
  const uriOf = (path: string): string => resolveIn(folder, path);
  const { policy, data, capabilities } = settings;
  return {
    ...settings,
    root: folder === '.' ? '' : folder,
    policy: (policy.length === 0 ? ['policy'] : policy).map(uriOf),
    data: data.map(uriOf),
    ...(capabilities !== undefined && { capabilities: uriOf(capabilities) }),
  };
}

const QUESTION = /^[ \t]*(?:deny|violation|warn)(?:_[a-zA-Z0-9]+)*\b/m;

/**
 * The Conftest runs of a workspace without settings in berth.yaml: one for each conftest.toml, and one for each folder
 * named `policy` whose Rego has deny, warn, violation or test rules and that no conftest.toml covers. A run tests all
 * manifests beside and below its folder.
 * @param texts Rego and conftest.toml by uri.
 */
export function conftestFoldersOf(
  texts: ReadonlyMap<string, string>,
  files: Snapshot['files'],
): readonly ConftestFolder[] {
  const sorted = [...texts].sort(([a], [b]) => (a < b ? -1 : 1));
  const configured = sorted
    .filter(([uri]) => isConfigFile(uri))
    .map(([uri, text]): ConftestFolder => {
      const config = readConfigFile(uri, text);
      return { ...configuredFolder(settingsFrom(folderOf(uri), config.settings), files, texts), config };
    });
  const spokenOf = new Set(configured.flatMap(it => [...it.modules.keys()]));
  const roots = new Set(configured.map(it => it.root));
  const found = new Set(
    sorted.flatMap(([uri]) => {
      const root = isConfigFile(uri) || spokenOf.has(uri) ? undefined : rootOf(uri);
      return root === undefined || roots.has(root) ? [] : [root];
    }),
  );
  const usual = [...found]
    .map(root => configuredFolder(settingsFrom(root === '' ? '.' : root, NOTHING_SAID), files, texts))
    .filter(it => [...it.modules.values()].some(text => QUESTION.test(text)));
  return [...configured, ...usual];
}

const NOTHING_SAID: ConftestSettings = { policy: ['policy'], data: [], namespaces: [] };

/** Collects the Rego and the data that settings name. */
export function configuredFolder(
  { root, ...settings }: ConfiguredConftest,
  files: Snapshot['files'],
  texts: ReadonlyMap<string, string>,
): ConftestFolder {
  const modules = new Map(
    [...texts].filter(([uri]) => isRego(uri) && isIn(uri, settings.policy)).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const namespaces = settings.namespaces.length > 0 ? settings.namespaces : namespacesOf(modules);
  const capabilities = settings.capabilities === undefined ? undefined : files.get(settings.capabilities)?.text;
  return {
    root,
    settings: { ...settings, namespaces },
    modules,
    data: settings.data.length === 0 ? [] : [...files.values()].filter(it => isIn(it.uri, settings.data)),
    ...(capabilities !== undefined && { capabilities }),
  };
}

const isRego = (uri: string): boolean => uri.endsWith('.rego');

export const isIn = (uri: string, folders: readonly string[]): boolean =>
  folders.some(it => uri === it || (it === '.' ? !uri.startsWith('/') : uri.startsWith(`${it}/`)));

/** The `--data` paths for the engine. They are numbered, so that no path points outside. */
export function dataRequest({ settings, data }: ConftestFolder) {
  const nameOf = (uri: string): string => {
    const at = settings.data.findIndex(it => isIn(uri, [it]));
    const folder = settings.data[at] ?? '';
    return uri === folder ? `${at}/${baseNameOf(uri)}` : `${at}/${folder === '.' ? uri : uri.slice(folder.length + 1)}`;
  };
  const names = new Map(data.map(it => [it.uri, nameOf(it.uri)]));
  return {
    dataPaths: settings.data.flatMap((it, at) => {
      if (data.every(file => !isIn(file.uri, [it]))) return [];
      return [names.get(it) ?? String(at)];
    }),
    dataFiles: Object.fromEntries(data.map(it => [names.get(it.uri) ?? '', it.text])),
  };
}

/** The folder that holds the first path segment named `policy`. */
function rootOf(uri: string): string | undefined {
  const steps = uri.split('/');
  const at = steps.indexOf('policy');
  return at < 0 || at === steps.length - 1 ? undefined : steps.slice(0, at).join('/');
}

/** `main`, Conftest's default. If no package has that name: all of them, as with --all-namespaces. */
function namespacesOf(modules: ReadonlyMap<string, string>): readonly string[] {
  const isMain = [...modules.values()].some(it => /^[ \t]*package\s+main[ \t\r]*(?:#.*)?$/m.test(it));
  return isMain ? ['main'] : ['*'];
}

/** The path of a file relative to the root; undefined when it is elsewhere. */
export function pathIn(root: string, uri: string): string | undefined {
  if (root === '') return uri;
  return uri.startsWith(`${root}/`) ? uri.slice(root.length + 1) : undefined;
}
