import type { ManifestFile } from '../manifest/manifest';
import { type KustomizationGraph, kustomizationGraph } from '../workspace/kustomize';
import { folderOf, isBelow, resolveIn } from '../workspace/paths';
import type { Settings, WorkspaceFolder } from './analysis';
import { apartIn } from './apart';
import { type Configuration, type ConfiguredEnvironment, settingsIn } from './configuration';

/** Files that are deployed together: they see each other's objects and nobody else's. */
export interface Environment {
  /** Tells it from all others of the workspace. */
  readonly id: string;
  /** As berth.yaml names it; absent for one that Berth made out. */
  readonly name?: string;
  /** `declared`: berth.yaml lists its files, so that they are one cluster; `guessed`: names of folders tell of it. */
  readonly origin: 'declared' | 'guessed';
  readonly settings: Settings;
  /** The uri of its scheduler configuration, where its settings name one. */
  readonly schedulerConfig?: string;
  readonly includes: (uri: string) => boolean;
}

/** All environments of a workspace, and which of them a file belongs to. */
export interface Environments {
  readonly all: readonly Environment[];
  readonly of: (uri: string) => readonly Environment[];
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
  const folderFor = folderFinder(folders, options.absolute);
  const byFolder = new Map(
    folders.map(folder => {
      const isDeclared = (folder.read?.environments.length ?? 0) > 0;
      const uris = [...files.keys()].filter(it => folderFor(it) === folder);
      return [folder, isDeclared ? declaredIn(folder, options) : guessedIn(folder, uris, graph, options)] as const;
    }),
  );
  const known = new Map<string, readonly Environment[]>();
  return {
    all: [...byFolder.values()].flat(),
    graph,
    of(uri) {
      const found = known.get(uri) ?? byFolder.get(folderFor(uri))?.filter(it => it.includes(uri)) ?? [];
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
  return uri => {
    const path = absolute(uri);
    return byLength.find(it => it.uri === '' || isBelow(path, it.uri)) ?? byLength.at(-1)!;
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
  uris: readonly string[],
  graph: KustomizationGraph,
  options: DivisionOptions,
): readonly Environment[] {
  const { variants, isIn } = apartIn(uris, graph);
  const same = settled(folder, undefined, options);
  return variants.map(variant => ({
    id: `${folder.uri} ${variant}`,
    origin: 'guessed' as const,
    ...same,
    includes: uri => isIn(uri, variant),
  }));
}

function settled(
  { read }: ConfiguredFolder,
  environment: ConfiguredEnvironment | undefined,
  { settings, above }: DivisionOptions,
): Pick<Environment, 'settings' | 'schedulerConfig'> {
  const res = above(settingsIn(read, environment?.name, settings));
  if (read === undefined || res.schedulerConfig === undefined) return { settings: res };
  return { settings: res, schedulerConfig: resolveIn(folderOf(read.uri), res.schedulerConfig) };
}

/** Whether a file is one of some paths below a folder, or lies in one of them. */
export function pathMatcher(paths: readonly string[], folder: string): (uri: string) => boolean {
  const patterns = paths.map(it => patternOf(resolveIn(folder, it)));
  return uri => patterns.some(it => it.test(uri));
}

/** Matches the file or what lies below the folder that a path names; `*` stands for letters of a step, `**` for steps. */
function patternOf(path: string): RegExp {
  if (path === '.') return /^(?!\.\.\/)[^/]/;
  const parts = path.split(/(\*\*\/?|\*)/).map(it => {
    if (it === '*') return '[^/]*';
    if (it.startsWith('**')) return it === '**' ? '.*' : '(?:.*/)?';
    return it.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}(?:/|$)`);
}
