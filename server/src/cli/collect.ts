import { posix } from 'node:path';
import { type IgnoreLevel, type IgnoreWorld, isFileRead, isIgnored, levelOf, levelsAbove } from '../analysis/known';
import { isPolicyText } from '../analysis/policyTexts';
import { decodeText } from './decode';
import type { Answer, CliWorld, Entry } from './world';

/** A file that was asked for, with its text or why there is none. */
export type Collected =
  | { readonly path: string; readonly text: string; readonly problem?: string }
  | { readonly path: string; readonly failure: string };

/** Larger files are not read. The language server has the same limit. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** The name of standard input, as an argument and in what is printed. */
export const STANDARD_INPUT = '-';

const NEVER_ENTERED: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn']);

/**
 * Reads every file that the arguments name, folders with all manifests below them, each file once and in the order of
 * the arguments, within a folder by name. What cannot be read comes back as a failure and hides nothing else.
 */
export async function collect(
  paths: readonly string[],
  world: CliWorld,
  isWanted: (path: string) => boolean = () => true,
): Promise<readonly Collected[]> {
  const byPath = new Map<string, Collected>();
  for (const path of paths) {
    for await (const { path: found, read } of findOne(path, world)) {
      if (!byPath.has(found) && isWanted(found)) byPath.set(found, await read());
    }
  }
  return [...byPath.values()];
}

/** As `collect`, without the texts of policies that are no manifests, such as Rego. */
export function collectManifests(
  paths: readonly string[],
  world: CliWorld,
  isWanted: (path: string) => boolean = () => true,
): Promise<readonly Collected[]> {
  return collect(paths, world, it => !isPolicyText(it) && isWanted(it));
}

/** A path that was come upon, to be read once it is clear that it is wanted. */
interface Candidate {
  readonly path: string;
  readonly read: () => Promise<Collected>;
}

async function* findOne(argument: string, world: CliWorld): AsyncIterable<Candidate> {
  if (argument === STANDARD_INPUT) {
    yield { path: STANDARD_INPUT, read: async () => withText(STANDARD_INPUT, await world.readInput()) };
    return;
  }
  const path = posix.normalize(argument).replace(/(?<=.)\/$/, '');
  const entry = await world.entry(path);
  if (entry.kind === 'folder') yield* below(path, world, await levelsAbove(world.absolute(path), ignoreWorld(world)));
  else yield { path, read: () => readFile(path, entry, world) };
}

async function* below(folder: string, world: CliWorld, above: readonly IgnoreLevel[]): AsyncIterable<Candidate> {
  const listed = await world.list(folder);
  if ('failure' in listed) {
    const { failure } = listed;
    yield { path: folder, read: async () => ({ path: folder, failure: `The folder cannot be read: ${failure}.` }) };
    return;
  }
  const levels = [
    ...above,
    ...(await levelOf(
      world.absolute(folder),
      ignoreWorld(world),
      listed.value.map(it => it.name),
    )),
  ];
  for (const { name, kind } of [...listed.value].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '.' ? name : posix.join(folder, name);
    if (kind === 'folder' ? NEVER_ENTERED.has(name) : !isFileRead(name)) continue;
    if (isIgnored(world.absolute(path), kind, levels)) continue;
    if (kind === 'folder') yield* below(path, world, levels);
    else yield { path, read: async () => readFile(path, await world.entry(path), world) };
  }
}

async function readFile(path: string, entry: Entry, world: CliWorld): Promise<Collected> {
  if (entry.kind === 'missing') return { path, failure: 'There is no such file or folder.' };
  if (entry.kind === 'failure') return { path, failure: `The file cannot be read: ${entry.reason}.` };
  if (entry.kind !== 'file') return { path, failure: 'This is neither a file nor a folder.' };
  if (entry.bytes > MAX_FILE_BYTES) return { path, failure: tooLarge(entry.bytes) };
  return withText(path, await world.read(path));
}

function withText(path: string, read: Answer<Uint8Array>): Collected {
  if ('failure' in read) return { path, failure: `The file cannot be read: ${read.failure}.` };
  if (read.value.length > MAX_FILE_BYTES) return { path, failure: tooLarge(read.value.length) };
  return { path, ...decodeText(read.value) };
}

function tooLarge(bytes: number): string {
  const mebibytes = (it: number): string => `${Math.ceil(it / 1024 / 1024)} MiB`;
  return `The file was not read: it has ${mebibytes(bytes)}, and the limit is ${mebibytes(MAX_FILE_BYTES)}.`;
}

const ignoreWorld = (world: CliWorld): IgnoreWorld => ({
  exists: async path => (await world.entry(path)).kind !== 'missing',
  async readText(path) {
    if ((await world.entry(path)).kind !== 'file') return undefined;
    const read = await world.read(path);
    return 'value' in read ? decodeText(read.value).text : undefined;
  },
});
