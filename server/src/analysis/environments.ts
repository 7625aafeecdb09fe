import { isOutside, type OutsideSource, parseClusterSource, sourceText } from '../cluster/sources/source';
import type { ManifestFile } from '../manifest/manifest';
import { type ConfiguredConftest, settingsFrom } from '../policy/conftest/folders';
import { type KustomizationGraph, kustomizationGraph } from '../workspace/kustomize';
import { folderOf, isBelow, resolveIn } from '../workspace/paths';
import { isRenderedUri, renderedSources } from '../workspace/rendered/names';
import type { Settings, WorkspaceFolder } from './analysis';
import { type Apart, apartIn } from './apart';
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
  /** The source of its cluster, where somebody must read or ask for what it holds. */
  readonly cluster?: ClusterWish;
  /** The uri of its scheduler configuration, where its settings name one. */
  readonly schedulerConfig?: string;
  /** What its settings say of Conftest, paths as uris. */
  readonly conftest?: ConfiguredConftest;
  /** The file of its baseline. */
  readonly baseline?: string;
  readonly includes: (uri: string) => boolean;
}

/** What environments want to be fetched, each once. */
export function distinctWishes(environments: readonly { readonly cluster?: ClusterWish }[]): readonly ClusterWish[] {
  return [
    ...new Map(environments.flatMap(({ cluster }) => (cluster ? [[cluster.key, cluster] as const] : []))).values(),
  ];
}

/** A cluster that somebody outside of analysis is to fetch. */
export interface ClusterWish {
  /** The source as text, a file of it from the folder of who named it: what the content is given by. */
  readonly key: string;
  readonly source: OutsideSource;
  /** Who named it: a berth.yaml is part of the workspace, and may be trusted less than the user's settings. */
  readonly origin: 'configuration' | 'settings';
  /** The folder of the berth.yaml that named it. */
  readonly folder?: string;
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
      const apart = apartIn(uris, graph);
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
  { variants, isIn }: Apart,
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
      ? wishFor(res.cluster, folderOf(read.uri), 'configuration')
      : wishFor(res.cluster, folder, 'settings');
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

/** What a source as text wants to be fetched, its file from a folder; undefined where nothing is to be. */
export function wishFor(text: string, folder: string, origin: ClusterWish['origin']): ClusterWish | undefined {
  const parsed = parseClusterSource(text);
  if (!('source' in parsed) || !isOutside(parsed.source)) return undefined;
  const { source } = parsed;
  const resolved = 'file' in source ? { ...source, file: resolveFile(folder, source.file) } : source;
  return { key: sourceText(resolved), source: resolved, origin, ...(origin === 'configuration' && { folder }) };
}

/** Paths from the root of a disk or from the user's own folder stay as they are. */
function resolveFile(folder: string, file: string): string {
  return /^(?:\/|~\/|[A-Za-z]:[\\/])/.test(file) || folder === '' ? file : resolveIn(folder, file);
}

/** Whether a file is one of some paths below a folder, or lies in one of them. */
export function pathMatcher(paths: readonly string[], folder: string): (uri: string) => boolean {
  const matchers = paths.map(it => matcherOf(resolveIn(folder, it)));
  return uri => matchers.some(it => it(uri));
}

/** Matches the file or what lies below the folder that a path names; `*` stands for letters of a step, `**` for steps. */
function matcherOf(path: string): (uri: string) => boolean {
  if (!path.includes('*')) return uri => uri === path || isBelow(uri, path);
  const parts = path.split(/(\*\*\/?|\*)/).filter(it => it !== '');
  return uri => {
    // Where in the path each part may begin: going through these is linear, where a pattern of many stars would not be.
    let starts: readonly number[] = [0];
    for (const part of parts) {
      starts = endsOf(part, starts, uri);
      if (starts.length === 0) return false;
    }
    return starts.some(it => it === uri.length || uri[it] === '/');
  };
}

/** Where a part of a pattern may end that begins at one of some places; both in ascending order. */
function endsOf(part: string, starts: readonly number[], uri: string): readonly number[] {
  if (part !== '*' && !part.startsWith('**')) {
    return starts.filter(it => uri.startsWith(part, it)).map(it => it + part.length);
  }
  const isStart = new Set(starts);
  const ends: number[] = [];
  let isWithin = false;
  for (let at = starts[0] ?? 0; at <= uri.length; at++) {
    const isStep = uri[at - 1] === '/';
    isWithin = isStart.has(at) || (isWithin && !(part === '*' && isStep));
    if (isStart.has(at) || (isWithin && (part !== '**/' || isStep))) ends.push(at);
  }
  return ends;
}
