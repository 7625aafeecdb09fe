import { posix } from 'node:path';
import type { WorkspaceFolder } from '../../analysis/analysis';
import {
  CONFIGURATION_NAMES,
  type Configuration,
  configurationOf,
  emptyPath,
  pathMatcher,
} from '../../analysis/settings';
import type { Bounds } from '../../disk/within';
import { lineIndex } from '../../text/lineIndex';
import { complain } from '../complain';
import { type CliWorld, UsageError } from '../world';
import { joinedBounds, OUTSIDE } from './borders';
import { STANDARD_INPUT } from './collect';
import type { BoundedPath } from './collected';
import { decodeText } from './decode';

/** A configuration that counts for the command, with the folder that it configures. */
export interface FoundConfiguration {
  readonly folder: WorkspaceFolder;
  readonly configuration: Configuration;
  /** How far the paths that it names may lead. */
  readonly bounds: Bounds;
}

/** The options of the command line about configurations. */
export interface ConfigurationFlags {
  readonly config?: string;
  readonly environment?: string;
}

/**
 * The configuration that was named, which counts for everything; else the nearest berth.yaml in or above each path, up to
 * the top of its repository. Throws UsageError for one that cannot be read or followed.
 */
export async function findConfigurations(
  paths: readonly string[],
  { config, environment }: ConfigurationFlags,
  world: CliWorld,
): Promise<readonly FoundConfiguration[]> {
  const named = config === undefined ? await nearestTo(paths, world) : [config];
  const chosen = environment === undefined ? {} : { environment };
  const found: FoundConfiguration[] = [];
  for (const path of named) {
    const uri = config === undefined ? world.absolute(posix.dirname(path)) : '';
    const bounds = await world.borders.of(posix.dirname(path));
    const configuration = await read(path, config === undefined ? bounds : await world.borders.named(path), world);
    found.push({ folder: { uri, configuration: path, ...chosen }, configuration, bounds });
  }
  if (environment !== undefined) checkChosen(environment, found);
  return found;
}

function checkChosen(environment: string, found: readonly FoundConfiguration[]): void {
  const names = found.flatMap(it => it.configuration.environments.map(({ name }) => name));
  if (names.includes(environment)) return;
  if (names.length > 0) throw new UsageError(`--environment "${environment}" is not one of: ${names.join(', ')}.`);
  throw new UsageError(`--environment "${environment}" needs a berth.yaml that lists environments.`);
}

async function nearestTo(paths: readonly string[], world: CliWorld): Promise<readonly string[]> {
  const known = new Map<string, string | undefined>();
  for (const path of paths) {
    const isFolder = path !== STANDARD_INPUT && (await world.entry(path, 'anywhere')).kind === 'folder';
    const folder = path === STANDARD_INPUT ? '.' : isFolder ? posix.normalize(path) : posix.dirname(path);
    if (!known.has(folder)) known.set(folder, await nearestAbove(folder, world));
  }
  return [...new Set([...known.values()].flatMap(it => it ?? []))];
}

/** Paths stay as the user writes them: `../berth.yaml` above a relative one. */
async function nearestAbove(start: string, world: CliWorld): Promise<string | undefined> {
  const last = await world.borders.searched(start);
  for (let folder = start; ; folder = parentOf(folder)) {
    const bounds = await world.borders.of(folder);
    for (const name of CONFIGURATION_NAMES) {
      const path = posix.join(folder, name);
      const { kind } = await world.entry(path, bounds);
      if (kind === 'file') return path;
      if (kind === 'outside') world.borders.skip(path);
    }
    const here = world.absolute(folder);
    if (here === last || here === world.absolute(parentOf(folder))) return undefined;
  }
}

const parentOf = (folder: string): string => posix.join(folder, '..');

/** The paths of some environments as the user would write them; of a pattern the part before it. */
export function pathsOf(found: readonly FoundConfiguration[], names: ReadonlySet<string>): readonly BoundedPath[] {
  return found.flatMap(({ configuration: { uri, environments }, bounds }) =>
    environments
      .filter(it => names.has(it.name))
      .flatMap(it => it.paths)
      .map(it => ({ path: fixedPath(uri, it), bounds })),
  );
}

/** A path of the configuration at `uri` as the user would write it; of a pattern the part before it. */
const fixedPath = (uri: string, path: string): string =>
  posix.join(posix.dirname(uri), path.replace(/(^|\/)[^/]*\*.*$/, '')).replace(/(?<=.)\/$/, '');

/** Throws UsageError for a path that a configuration names and that is not there, or leads further than it may. */
export async function checkNamed({ path, bounds }: BoundedPath, world: CliWorld): Promise<void> {
  const entry = await world.entry(path, bounds);
  const { kind } = entry;
  if (kind === 'failure') throw new UsageError(`berth.yaml names ${path}, but it cannot be read: ${entry.reason}.`);
  if (kind === 'outside') throw new UsageError(`berth.yaml names ${path}, but ${OUTSIDE}.`);
  if (kind === 'missing') throw new UsageError(`berth.yaml names ${path}, but there is no such file or folder.`);
}

/** How far some configurations may lead together. */
export function boundsOf(found: readonly FoundConfiguration[]): Bounds {
  return joinedBounds(found.map(it => it.bounds));
}

/** Whether a file belongs to an environment of a configuration. */
export function filesIn(
  { configuration }: FoundConfiguration,
  environment: string,
  world: CliWorld,
): (path: string) => boolean {
  const own = configuration.environments.find(it => it.name === environment);
  const isNamed = pathMatcher(own?.paths ?? [], world.absolute(posix.dirname(configuration.uri)));
  return path => path !== configuration.uri && isNamed(world.absolute(path));
}

/** A path of a configuration as the user would write it. */
export function pathFrom(found: FoundConfiguration | undefined, path: string | undefined): BoundedPath | undefined {
  if (found === undefined || path === undefined) return undefined;
  return { path: posix.join(posix.dirname(found.configuration.uri), path), bounds: found.bounds };
}

async function read(path: string, bounds: Bounds, world: CliWorld): Promise<Configuration> {
  const isOther = (await world.entry(path, bounds)).kind === 'other';
  const answer = isOther ? { failure: 'it is no regular file' } : await world.read(path, bounds);
  if ('failure' in answer) throw new UsageError(`The configuration ${path} cannot be read: ${answer.failure}.`);
  const configuration = configurationOf(path, decodeText(answer.value).text);
  const { file, problems } = configuration;
  const [broken] = [...file.problems, ...file.documents.flatMap(it => it.problems)].filter(isError);
  if (broken !== undefined) throw new UsageError(`The configuration ${path} is not YAML: ${broken.message}`);
  const errors = problems.filter(isError).sort((a, b) => a.span.start - b.span.start);
  const lines = lineIndex(file.text);
  const empty = errors.length === 0 ? await emptyPathsOf(configuration, bounds, world) : [];
  for (const { clause, span } of [...problems.filter(it => !isError(it)), ...empty]) {
    const line = lines.position(span.start).line + 1;
    complain(world, `${path}, line ${line}: ${clause}${clause.endsWith('?') ? '' : '.'}`);
  }
  if (errors.length === 0) return configuration;
  const clauses = clausesOf(errors);
  const wrong = errors.map((it, i) => `line ${lines.position(it.span.start).line + 1}: ${clauses[i]}`).join('; ');
  throw new UsageError(`The configuration ${path} is not valid: ${wrong}${wrong.endsWith('?') ? '' : '.'}`);
}

/** Environments that are looked for: a configuration may have any number. */
const MOST_LOOKED_FOR = 1_000;

/**
 * The paths of environments that have nothing at any of their paths: what is meant to be in one is in none, and nothing that is
 * checked says so. An environment with some of its paths ends the command once its files are checked, see `checkNamed`.
 */
async function emptyPathsOf(
  configuration: Configuration,
  bounds: Bounds,
  world: CliWorld,
): Promise<Configuration['problems']> {
  const isThere = async (paths: readonly string[]): Promise<boolean> => {
    for (const it of paths) {
      const { kind } = await world.entry(fixedPath(configuration.uri, it), bounds);
      if (kind !== 'missing') return true;
    }
    return false;
  };
  const empty: Configuration['problems'][number][] = [];
  for (const it of configuration.environments.slice(0, MOST_LOOKED_FOR)) {
    if (!(await isThere(it.paths)))
      for (const each of it.paths.map((_, i) => emptyPath(configuration, it, i))) empty.push(each);
  }
  return empty;
}

/** The keys that a mapping may have are listed for the first wrong one. */
function clausesOf(errors: Configuration['problems']): readonly string[] {
  const listed = new Set<string>();
  return errors.map(({ clause, headline, at }) => {
    if (headline === undefined) return clause;
    const before = listed.size;
    return listed.add(String(at.parent)).size === before ? headline : clause;
  });
}

const isError = (it: { readonly severity: string }): boolean => it.severity === 'error';
