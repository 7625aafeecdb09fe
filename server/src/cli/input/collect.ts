import { posix } from 'node:path';
import {
  type IgnoreLevel,
  type IgnoreWorld,
  isEntered,
  isFileRead,
  isIgnored,
  isNeverEntered,
  isPolicyText,
  levelOf,
  levelsAbove,
} from '../../analysis/metadata';
import { type Bounds, MAX_BYTES } from '../../disk/within';
import type { CliWorld, Fallible, PathEntry } from '../world';
import { OUTSIDE } from './borders';
import type { BoundedPath, Collected } from './collected';
import { decodeText } from './decode';

/** What is to be read: an argument of the command line, wherever it leads, or what a file names. */
export type RequestedPath = string | BoundedPath;

export const pathOf = (wanted: RequestedPath): string => (typeof wanted === 'string' ? wanted : wanted.path);

/** The name of standard input, as an argument and in what is printed. */
export const STANDARD_INPUT = '-';

/**
 * Reads every file that the arguments name, folders with all manifests below them, each file once and in the order of
 * the arguments, within a folder by name. What cannot be read comes back as a failure and hides nothing else. Links in a
 * folder that lead out of it and of its repository are reported and left out.
 */
export async function collect(
  paths: readonly RequestedPath[],
  world: CliWorld,
  isWanted: (path: string) => boolean = () => true,
): Promise<readonly Collected[]> {
  const byPath = new Map<string, Collected>();
  const wanted = new Map(paths.map(it => [normalized(it), it]));
  for (const path of wanted.values()) {
    for await (const { path: found, read } of findOne(path, world)) {
      if (!byPath.has(found) && isWanted(found)) byPath.set(found, await read());
    }
  }
  return [...byPath.values()];
}

/** As `collect`, without the texts of policies that are no manifests, such as Rego. */
export function collectManifests(
  paths: readonly RequestedPath[],
  world: CliWorld,
  isWanted: (path: string) => boolean = () => true,
): Promise<readonly Collected[]> {
  return collect(paths, world, it => !isPolicyText(it) && isWanted(it));
}

const normalized = (wanted: RequestedPath): string => posix.normalize(pathOf(wanted)).replace(/(?<=.)\/$/, '');

/** A path that was come upon, to be read once it is clear that it is wanted. */
interface Candidate {
  readonly path: string;
  readonly read: () => Promise<Collected>;
}

async function* findOne(wanted: RequestedPath, world: CliWorld): AsyncIterable<Candidate> {
  if (wanted === STANDARD_INPUT) {
    yield { path: STANDARD_INPUT, read: async () => withText(STANDARD_INPUT, await world.readInput()) };
    return;
  }
  const path = normalized(wanted);
  const named = typeof wanted === 'string' ? await world.borders.named(path) : wanted.bounds;
  const entry = await world.entry(path, named);
  if (entry.kind === 'folder') {
    const bounds = typeof wanted === 'string' ? await world.borders.of(path) : wanted.bounds;
    yield* below(path, world, bounds, await levelsAbove(world.absolute(path), ignoreWorld(world, bounds)));
  } else yield { path, read: () => readFile(path, entry, world, named) };
}

async function* below(
  folder: string,
  world: CliWorld,
  bounds: Bounds,
  above: readonly IgnoreLevel[],
): AsyncIterable<Candidate> {
  const listed = await world.list(folder);
  if ('failure' in listed) {
    const { failure } = listed;
    yield { path: folder, read: async () => ({ path: folder, failure: `The folder cannot be read: ${failure}.` }) };
    return;
  }
  const ignored = ignoreWorld(world, bounds);
  const names = listed.value.map(it => it.name);
  const levels = [...above, ...(await levelOf(world.absolute(folder), ignored, names))];
  for (const { name, kind } of [...listed.value].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '.' ? name : posix.join(folder, name);
    if (kind !== 'folder' && !mayMatter(name, kind)) continue;
    if (isIgnored(world.absolute(path), kind === 'folder' ? kind : 'file', levels)) continue;
    if (kind === 'folder' && !(await isEntered(world.absolute(path), ignored))) continue;
    if (kind === 'folder') yield* below(path, world, bounds, levels);
    // No step of the way is a link, so that there is nothing to follow.
    else if (kind === 'file')
      yield { path, read: async () => readFile(path, await world.entry(path, 'anywhere'), world, 'anywhere') };
    else yield* behindLink(path, world, bounds);
  }
}

/** A file that a link leads to; links to folders are not followed. */
async function* behindLink(path: string, world: CliWorld, bounds: Bounds): AsyncIterable<Candidate> {
  const entry = await world.entry(path, bounds);
  if (entry.kind === 'outside') world.borders.skip(path);
  else if (entry.kind !== 'folder' && isFileRead(path))
    yield { path, read: () => readFile(path, entry, world, bounds) };
}

/** Whether an entry is read, or a link that may lead to a folder: most files have an extension, and most folders none. */
const mayMatter = (name: string, kind: 'file' | 'link'): boolean =>
  isFileRead(name) || (kind === 'link' && !isNeverEntered(name) && !/\.[A-Za-z0-9]{1,5}$/.test(name));

async function readFile(path: string, entry: PathEntry, world: CliWorld, bounds: Bounds): Promise<Collected> {
  if (entry.kind === 'missing') return { path, failure: 'There is no such file or folder.' };
  if (entry.kind === 'failure') return { path, failure: `The file cannot be read: ${entry.reason}.` };
  if (entry.kind === 'outside') return { path, failure: `The file is not read: ${OUTSIDE}.` };
  if (entry.kind !== 'file') return { path, failure: 'This is neither a file nor a folder.' };
  if (entry.bytes > MAX_BYTES) return { path, failure: tooLarge(entry.bytes) };
  return withText(path, await world.read(path, bounds));
}

function withText(path: string, read: Fallible<Uint8Array>): Collected {
  if ('failure' in read) return { path, failure: `The file cannot be read: ${read.failure}.` };
  if (read.value.length > MAX_BYTES) return { path, failure: tooLarge(read.value.length) };
  return { path, ...decodeText(read.value) };
}

function tooLarge(bytes: number): string {
  const mebibytes = (it: number): string => `${Math.ceil(it / 1024 / 1024)} MiB`;
  return `The file was not read: it has ${mebibytes(bytes)}, and the limit is ${mebibytes(MAX_BYTES)}.`;
}

const ignoreWorld = (world: CliWorld, bounds: Bounds): IgnoreWorld => ({
  exists: async path => (await world.entry(path, 'anywhere')).kind !== 'missing',
  async readText(path) {
    if ((await world.entry(path, bounds)).kind !== 'file') return undefined;
    const read = await world.read(path, bounds);
    return 'value' in read ? decodeText(read.value).text : undefined;
  },
});
