import { lazyByObject, lazyByText } from '../../base/lazy';
import { grouped, push } from '../../base/multiMap';
import type { ClusterContent } from '../../cluster/sources/content';
import type { ManifestFile } from '../../manifest/manifest';
import { type ConfiguredConftest, settingsFrom } from '../../policy/conftest/folders';
import { type KustomizationGraph, kustomizationGraph } from '../../workspace/kustomize';
import { folderOf, isBelow, resolveIn } from '../../workspace/paths';
import { isRenderedUri, renderedSources } from '../../workspace/rendered/names';
import { type ClusterRequest, requestFor } from '../clusters/request';
import { type ConfiguredEnvironment, settingsIn } from '../configuration/configuration';
import { pathFinder } from '../configuration/pathMatcher';
import { type Settings, settingsUnder } from '../configuration/settings';
import type { ConfiguredFolder } from './configuredFolders';
import { indexKey } from './indexKey';
import { detectVariants, type Variants } from './variants';

/** Files that are deployed together. They see each other's objects and no others. */
export interface Environment {
  /** Unique in the workspace. */
  readonly id: string;
  /** The name in berth.yaml; absent for an environment that Berth detected. */
  readonly name?: string;
  /** The folders that set it apart, such as `prod`; absent: it is declared, or nothing sets it apart. */
  readonly variant?: string;
  /** `declared`: berth.yaml lists its files, which form one cluster; `guessed`: detected from folder names. */
  readonly origin: 'declared' | 'guessed';
  readonly settings: Settings;
  /** The `indexKey` of the settings. */
  readonly index: string;
  /** The request for its cluster's content; absent: the source needs no fetching. */
  readonly cluster?: ClusterRequest;
  /** The uri of its scheduler configuration; absent: the settings name none. */
  readonly schedulerConfig?: string;
  /** Conftest's settings with paths as uris. */
  readonly conftest?: ConfiguredConftest;
  /** The uri of its baseline. */
  readonly baseline?: string;
  readonly includes: (uri: string) => boolean;
  /** Those of some files that it includes; all environments share one pass through the files. */
  readonly uris: (all: readonly string[]) => readonly string[];
  /** A part of a list, in its order, that holds all items of files that it includes; all environments share one pass, too. */
  readonly among: <T>(all: readonly T[], uriOf: (item: T) => string) => readonly T[];
}

/** All environments of a workspace. */
export interface Environments {
  readonly all: readonly Environment[];
  /** The environments that a file belongs to. */
  readonly of: (uri: string) => readonly Environment[];
  /** Whether adding this file leaves the environments unchanged. */
  readonly expects: (uri: string) => boolean;
  readonly graph: KustomizationGraph;
  /** Whether no other environment shares the index of this one. */
  readonly isAlone: (environment: Environment) => boolean;
}

/** An environment that knows the sources of what is rendered, and not the rendered documents. */
type SourceEnvironment = Omit<Environment, 'uris' | 'among'>;

const NO_URIS: readonly string[] = [];

/** The environments of the files of one folder. */
type Division = Pick<Environments, 'all' | 'of' | 'expects'>;

export interface DivisionOptions {
  readonly settings: Settings;
  readonly above: (configured: Settings) => Settings;
  readonly absolute: (uri: string) => string;
  /** What a cluster says of its version and gates, by the key of its request. */
  readonly clusterOf: (key: string) => ClusterContent | undefined;
}

/**
 * Divides the files of a workspace into environments.
 * @param files All files except configurations.
 */
export function divideIntoEnvironments(
  folders: readonly ConfiguredFolder[],
  files: ReadonlyMap<string, ManifestFile>,
  options: DivisionOptions,
  previous?: Environments,
): Environments {
  const graph = kustomizationGraph(files, previous?.graph);
  const finder = folderFinder(folders, options.absolute);
  // Of all kustomizations, not of the roots: a file is in the same environments whatever other files say.
  const rendered = renderedSources(graph.kustomizations.values(), files.keys());
  /** A rendered document belongs to the folder of its kustomization or chart. */
  const sourceOf = (uri: string): string => rendered.get(uri) ?? uri;
  const folderFor = (uri: string): ConfiguredFolder => finder(sourceOf(uri));
  const within = (folder: ConfiguredFolder, all: readonly SourceEnvironment[]): readonly Environment[] =>
    all.map(it => ({
      ...it,
      includes: uri => folderFor(uri) === folder && it.includes(sourceOf(uri)),
      uris: all => urisByEnvironment(all).get(it.id) ?? NO_URIS,
      among: (all, uriOf) => among(it.id, all, uriOf),
    }));
  const byFolder = new Map(
    folders.map((folder): [ConfiguredFolder, Division] => {
      const isDeclared = (folder.read?.environments.length ?? 0) > 0;
      const uris = [...files.keys()].filter(it => !isRenderedUri(it) && folderFor(it) === folder);
      if (isDeclared) {
        const declared = declaredIn(folder, options);
        const all = within(folder, declared.all);
        const of = (uri: string) => declared.of(sourceOf(uri)).map(it => all[it]!);
        return [folder, { all, of, expects: () => true }];
      }
      const detected = detectVariants(uris, graph);
      const all = within(folder, guessedIn(folder, detected, options));
      const ofVariant = new Map(detected.variants.map((it, i) => [it, all[i]!]));
      // There may be thousands, which are not asked one by one for each file.
      const of = (uri: string) => detected.of(sourceOf(uri)).map(it => ofVariant.get(it)!);
      return [folder, { all, of, expects: detected.expects }];
    }),
  );
  const of = lazyByText((uri): readonly Environment[] => byFolder.get(folderFor(uri))?.of(uri) ?? []);
  const urisByEnvironment = lazyByObject((all: readonly string[]) => {
    const uris = new Map<string, string[]>();
    for (const uri of all) for (const { id } of of(uri)) push(uris, id, uri);
    return uris;
  });
  const among = amongTheirs(of);
  const all = [...byFolder.values()].flatMap(it => it.all);
  const byIndex = grouped(all, it => it.index);
  return {
    all,
    isAlone: ({ index }) => byIndex.get(index)?.length === 1,
    expects: uri => !isRenderedUri(uri) && (byFolder.get(folderFor(uri))?.expects(uri) ?? false),
    graph,
    of,
  };
}

/** The places of the items of a list: of those that one environment has alone, and of those that several have. */
interface Shares {
  readonly own: ReadonlyMap<string, readonly number[]>;
  readonly shared: readonly number[];
}

/**
 * The items of a list that an environment, by its id, may have. Of one name there may be an object in each of thousands of
 * environments: a list that a second one asks for is divided for all of them.
 * @param of the environments of a file
 */
function amongTheirs(
  of: Environments['of'],
): <T>(id: string, all: readonly T[], uriOf: (item: T) => string) => readonly T[] {
  const known = new WeakMap<readonly unknown[], Shares | 'asked'>();
  return (id, all, uriOf) => {
    const before = known.get(all);
    if (before === undefined) {
      known.set(all, 'asked');
      return all;
    }
    const { own, shared } = before === 'asked' ? sharesIn(all.map(uriOf), of) : before;
    known.set(all, { own, shared });
    // Few are left out.
    if (shared.length * 2 > all.length) return all;
    return [...(own.get(id) ?? []), ...shared].sort((a, b) => a - b).map(it => all[it]!);
  };
}

function sharesIn(uris: readonly string[], of: Environments['of']): Shares {
  const own = new Map<string, number[]>();
  const shared: number[] = [];
  for (const [i, uri] of uris.entries()) {
    const [first, second] = of(uri);
    if (second !== undefined) shared.push(i);
    else if (first !== undefined) push(own, first.id, i);
  }
  return { own, shared };
}

/** The innermost folder of a file; the last folder where it is in none. */
function folderFinder(
  folders: readonly ConfiguredFolder[],
  absolute: DivisionOptions['absolute'],
): (uri: string) => ConfiguredFolder {
  const byLength = [...folders].sort((a, b) => b.uri.length - a.uri.length);
  const find = (path: string): ConfiguredFolder =>
    byLength.find(it => it.uri === '' || isBelow(path, it.uri)) ?? byLength.at(-1)!;
  return lazyByText(uri => find(absolute(uri)));
}

/** The environments that a folder declares, with one for all other files, and which of them a file belongs to. */
interface Declared {
  readonly all: readonly SourceEnvironment[];
  readonly of: (uri: string) => readonly number[];
}

function declaredIn(folder: ConfiguredFolder, options: DivisionOptions): Declared {
  const { read } = folder;
  if (read === undefined) return { all: [], of: () => [] };
  const root = options.absolute(folderOf(read.uri));
  const chosen = read.environments.filter(it => folder.environment === undefined || it.name === folder.environment);
  const find = pathFinder(
    chosen.map(it => it.paths),
    root,
  );
  // Each environment is asked for the file of each object.
  const of = lazyByText((uri): ReadonlySet<number> => {
    const found = find(options.absolute(uri));
    return new Set(found.length > 0 ? found : [chosen.length]);
  });
  // Hundreds of environments may have the settings of one large configuration, which are compared as texts.
  const common = settingsOf(folder, undefined, options);
  const declared = chosen.map(
    (it, i): SourceEnvironment => ({
      id: `${folder.uri} ${it.name}`,
      name: it.name,
      origin: 'declared',
      ...(Object.keys(it.settings).length === 0 ? common : settingsOf(folder, it, options)),
      includes: uri => of(uri).has(i),
    }),
  );
  const rest: SourceEnvironment = {
    id: `${folder.uri} `,
    origin: 'guessed',
    ...common,
    includes: uri => of(uri).has(chosen.length),
  };
  return { all: [...declared, rest], of: uri => [...of(uri)] };
}

function guessedIn(
  folder: ConfiguredFolder,
  { variants, isIn }: Variants,
  options: DivisionOptions,
): readonly SourceEnvironment[] {
  const same = settingsOf(folder, undefined, options);
  return variants.map(variant => ({
    id: `${folder.uri} ${variant}`,
    ...(variant !== '' && { variant }),
    origin: 'guessed' as const,
    ...same,
    includes: uri => isIn(uri, variant),
  }));
}

function settingsOf(
  { read, uri: folder }: ConfiguredFolder,
  environment: ConfiguredEnvironment | undefined,
  { settings, above, clusterOf }: DivisionOptions,
): Pick<Environment, 'settings' | 'index' | 'schedulerConfig' | 'baseline' | 'cluster' | 'conftest'> {
  const configured = settingsIn(read, environment?.name, settings);
  const res = above(configured);
  const isConfigured = (environment?.settings.cluster ?? read?.settings.cluster) !== undefined;
  const request =
    read !== undefined && isConfigured && res.cluster === configured.cluster
      ? requestFor(res.cluster, folderOf(read.uri), 'configuration')
      : requestFor(res.cluster, folder, 'settings');
  const from = read === undefined ? folder : folderOf(read.uri);
  const { schedulerConfig, baseline, conftest } = res;
  // A path on the command line is relative to the working directory.
  const isOfFile = baseline === configured.baseline;
  const meant = settingsUnder(res, request && clusterOf(request.key));
  return {
    settings: meant,
    index: indexKey(meant),
    ...(request && { cluster: request }),
    ...(schedulerConfig !== undefined && { schedulerConfig: resolveIn(from, schedulerConfig) }),
    ...(conftest !== undefined && { conftest: settingsFrom(from, conftest) }),
    ...(baseline !== undefined && { baseline: isOfFile ? resolveIn(from, baseline) : baseline }),
  };
}
