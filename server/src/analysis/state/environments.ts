import type { ManifestFile } from '../../manifest/manifest';
import { type ConfiguredConftest, settingsFrom } from '../../policy/conftest/folders';
import { type KustomizationGraph, kustomizationGraph } from '../../workspace/kustomize';
import { folderOf, isBelow, resolveIn } from '../../workspace/paths';
import { isRenderedUri, renderedSources } from '../../workspace/rendered/names';
import type { ClusterRequest } from '../clusters/request';
import { requestFor } from '../clusters/request';
import { type Configuration, type ConfiguredEnvironment, settingsIn } from '../configuration/configuration';
import { pathMatcher } from '../configuration/pathMatcher';
import type { Settings } from '../configuration/settings';
import type { WorkspaceFolder } from './change';
import { detectVariants, type Variants } from './variants';

/** Files that are deployed together: they see each other's objects and nobody else's. */
export interface Environment {
  /** Tells it from all others of the workspace. */
  readonly id: string;
  /** As berth.yaml names it; absent for one that Berth made out. */
  readonly name?: string;
  /** `declared`: berth.yaml lists its files, so that they are one cluster; `guessed`: names of folders tell of it. */
  readonly origin: 'declared' | 'guessed';
  readonly settings: Settings;
  /** The source of its cluster, where somebody must read or ask for what it holds. */
  readonly cluster?: ClusterRequest;
  /** The uri of its scheduler configuration, where its settings name one. */
  readonly schedulerConfig?: string;
  /** What its settings say of Conftest, paths as uris. */
  readonly conftest?: ConfiguredConftest;
  /** The file of its baseline. */
  readonly baseline?: string;
  readonly includes: (uri: string) => boolean;
}

/** All environments of a workspace, and which of them a file belongs to. */
export interface Environments {
  readonly all: readonly Environment[];
  readonly of: (uri: string) => readonly Environment[];
  /** Whether the environments stay as they are when such a file comes. */
  readonly expects: (uri: string) => boolean;
  readonly graph: KustomizationGraph;
}

/** A folder with what its configuration says. */
export interface ConfiguredFolder extends WorkspaceFolder {
  readonly read: Configuration | undefined;
}

export interface DivisionOptions {
  readonly settings: Settings;
  readonly above: (configured: Settings) => Settings;
  readonly absolute: (uri: string) => string;
}

/** Divides the files of a workspace into environments; `files` are all of them but configurations. */
export function divided(
  folders: readonly ConfiguredFolder[],
  files: ReadonlyMap<string, ManifestFile>,
  options: DivisionOptions,
  previous?: Environments,
): Environments {
  const graph = kustomizationGraph(files, previous?.graph);
  const finder = folderFinder(folders, options.absolute);
  const rendered = renderedSources(graph, files.keys());
  /** What is rendered belongs where its kustomization or chart does. */
  const sourceOf = (uri: string): string => rendered.get(uri) ?? uri;
  const folderFor = (uri: string): ConfiguredFolder => finder(sourceOf(uri));
  const within = (folder: ConfiguredFolder, all: readonly Environment[]): readonly Environment[] =>
    all.map(it => ({ ...it, includes: uri => folderFor(uri) === folder && it.includes(sourceOf(uri)) }));
  const byFolder = new Map(
    folders.map(folder => {
      const isDeclared = (folder.read?.environments.length ?? 0) > 0;
      const uris = [...files.keys()].filter(it => !isRenderedUri(it) && folderFor(it) === folder);
      if (isDeclared)
        return [folder, { all: within(folder, declaredIn(folder, options)), expects: () => true }] as const;
      const apart = detectVariants(uris, graph);
      return [folder, { all: within(folder, guessedIn(folder, apart, options)), expects: apart.expects }] as const;
    }),
  );
  const known = new Map<string, readonly Environment[]>();
  return {
    all: [...byFolder.values()].flatMap(it => it.all),
    expects: uri => !isRenderedUri(uri) && (byFolder.get(folderFor(uri))?.expects(uri) ?? false),
    graph,
    of(uri) {
      const found = known.get(uri) ?? byFolder.get(folderFor(uri))?.all.filter(it => it.includes(uri)) ?? [];
      known.set(uri, found);
      return found;
    },
  };
}

/** The innermost folder wins; whatever is in none belongs to the last one. */
function folderFinder(
  folders: readonly ConfiguredFolder[],
  absolute: DivisionOptions['absolute'],
): (uri: string) => ConfiguredFolder {
  const byLength = [...folders].sort((a, b) => b.uri.length - a.uri.length);
  const known = new Map<string, ConfiguredFolder>();
  const find = (path: string): ConfiguredFolder =>
    byLength.find(it => it.uri === '' || isBelow(path, it.uri)) ?? byLength.at(-1)!;
  return uri => {
    const found = known.get(uri) ?? find(absolute(uri));
    known.set(uri, found);
    return found;
  };
}

function declaredIn(folder: ConfiguredFolder, options: DivisionOptions): readonly Environment[] {
  const { read } = folder;
  if (read === undefined) return [];
  const root = options.absolute(folderOf(read.uri));
  const chosen = read.environments.filter(it => folder.environment === undefined || it.name === folder.environment);
  const declared = chosen.map((it): Environment => {
    const isNamed = pathMatcher(it.paths, root);
    return {
      id: `${folder.uri} ${it.name}`,
      name: it.name,
      origin: 'declared',
      ...settled(folder, it, options),
      includes: uri => isNamed(options.absolute(uri)),
    };
  });
  const rest: Environment = {
    id: `${folder.uri} `,
    origin: 'guessed',
    ...settled(folder, undefined, options),
    includes: uri => !declared.some(it => it.includes(uri)),
  };
  return [...declared, rest];
}

function guessedIn(
  folder: ConfiguredFolder,
  { variants, isIn }: Variants,
  options: DivisionOptions,
): readonly Environment[] {
  const same = settled(folder, undefined, options);
  return variants.map(variant => ({
    id: `${folder.uri} ${variant}`,
    origin: 'guessed' as const,
    ...same,
    includes: uri => isIn(uri, variant),
  }));
}

function settled(
  { read, uri: folder }: ConfiguredFolder,
  environment: ConfiguredEnvironment | undefined,
  { settings, above }: DivisionOptions,
): Pick<Environment, 'settings' | 'schedulerConfig' | 'baseline' | 'cluster' | 'conftest'> {
  const configured = settingsIn(read, environment?.name, settings);
  const res = above(configured);
  const isConfigured = (environment?.settings.cluster ?? read?.settings.cluster) !== undefined;
  const wish =
    read !== undefined && isConfigured && res.cluster === configured.cluster
      ? requestFor(res.cluster, folderOf(read.uri), 'configuration')
      : requestFor(res.cluster, folder, 'settings');
  const from = read === undefined ? folder : folderOf(read.uri);
  const { schedulerConfig, baseline, conftest } = res;
  // What a command line names is a path from where it is run.
  const isOfFile = baseline === configured.baseline;
  return {
    settings: res,
    ...(wish && { cluster: wish }),
    ...(schedulerConfig !== undefined && { schedulerConfig: resolveIn(from, schedulerConfig) }),
    ...(conftest !== undefined && { conftest: settingsFrom(from, conftest) }),
    ...(baseline !== undefined && { baseline: isOfFile ? resolveIn(from, baseline) : baseline }),
  };
}
