import { posix } from 'node:path';
import { runCli } from '../../server/src/cli/run';
import { checkInThread } from '../../server/src/cli/threads/checking';
import type { CheckingInput } from '../../server/src/cli/threads/checkingMessages';
import type { OuterWorld, PathEntry } from '../../server/src/cli/world';
import type { Bounds } from '../../server/src/disk/within';
import { systemExpander } from '../../server/src/explore/system/expander';
import { loadSolver } from '../../server/src/scheduler/optimum/highs';
import { expanderHere } from '../explore/expanderHere';
import { readPack } from '../support/packs';
import { engineThatIsNotBuilt } from '../support/policyEngine';

const ROOT = '/home/ada/shop';

/** Contents by path below the working folder; a function stands for what the file system answers instead. */
export type Files = Readonly<Record<string, string | Uint8Array | Trouble>>;

/** `gone`: listed, then deleted. `denied`: may not be read. `huge`: larger than any limit. `folder-denied`: a folder. */
export type Trouble = { readonly trouble: 'gone' | 'denied' | 'huge' | 'folder-denied' };

export interface Run {
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
  /** Paths whose bytes were asked for. */
  readonly read: readonly string[];
  /** Files that were written, by the path that was given. */
  readonly written: Readonly<Record<string, string>>;
  /** Those that are no text. */
  readonly writtenBytes: Readonly<Record<string, Uint8Array>>;
  /** How many threads were started. */
  readonly threads: number;
}

/** An outside where nothing is: no network, no program, no cluster, and a build without its policy engine. */
export const NOTHING_OUTSIDE: Outside = {
  post: async () => ({ failure: 'there is no network here' }),
  runProcess: async () => ({ end: 'missing' }),
  live: () => {
    throw new Error('there is no cluster here');
  },
  policyEngine: engineThatIsNotBuilt(),
};

/** Runs a command line over files that exist only in memory. */
export function run(
  argv: readonly string[],
  files: Files = {},
  input: string | Uint8Array = '',
  post: OuterWorld['post'] = NOTHING_OUTSIDE.post,
  runProcess: OuterWorld['runProcess'] = NOTHING_OUTSIDE.runProcess,
  live: OuterWorld['live'] = NOTHING_OUTSIDE.live,
  terminal: 'plain' | 'colours' = 'plain',
  now: OuterWorld['now'] = () => 0,
): Promise<Run> {
  const colours = terminal === 'colours';
  return runIn({ ...NOTHING_OUTSIDE, post, runProcess, live, colours, now }, argv, files, input);
}

type Outside = Pick<OuterWorld, 'post' | 'runProcess' | 'live' | 'policyEngine'>;

/** The same where there is more of an outside than files. */
export async function runIn(
  { threads, ...outside }: Outside & Partial<OuterWorld> & { readonly threads?: 'end early' },
  argv: readonly string[],
  files: Files,
  input: string | Uint8Array,
): Promise<Run> {
  const said = { out: '', err: '' };
  const read: string[] = [];
  const started: object[] = [];
  const written: Record<string, string> = {};
  const writtenBytes: Record<string, Uint8Array> = {};
  const byPath = new Map(Object.entries(files).map(([path, content]) => [posix.join(ROOT, path), content]));
  const absolute = (path: string): string => posix.resolve(ROOT, path);
  const world: OuterWorld = {
    version: '1.2.3',
    out: text => {
      said.out += text;
    },
    err: text => {
      said.err += text;
    },
    colours: false,
    now: () => 0,
    readPack,
    readInput: async () => ({ value: bytesOf(input) }),
    layOut: async ({ dot, format }) => `<${format}>${dot}</${format}>\n`,
    absolute,
    real: async path => absolute(path),
    home: '/home/ada',
    entry: async (path, bounds) =>
      isWithin(absolute(path), bounds) ? entryOf(absolute(path), byPath) : { kind: 'outside' },
    async read(path, bounds) {
      if (!isWithin(absolute(path), bounds)) return { failure: 'it leads outside' };
      read.push(path);
      const content = byPath.get(absolute(path));
      if (content === undefined) return { failure: 'it does not exist any more' };
      if (typeof content === 'string' || content instanceof Uint8Array) return { value: bytesOf(content) };
      return { failure: content.trouble === 'denied' ? 'permission denied' : 'it does not exist any more' };
    },
    async list(path) {
      const folder = absolute(path);
      const own = byPath.get(folder);
      if (own !== undefined) return { failure: 'permission denied' };
      const below = [...byPath.keys()].filter(it => it.startsWith(`${folder}/`)).map(it => it.slice(folder.length + 1));
      const names = [...new Set(below.map(it => it.split('/')[0]!))];
      return {
        value: names.map(name => {
          const { kind } = entryOf(posix.join(folder, name), byPath);
          return { name, kind: kind === 'folder' ? 'folder' : 'file' };
        }),
      };
    },
    async write(path, content) {
      if (typeof content === 'string') written[path] = content;
      else writtenBytes[path] = content;
      return { value: undefined };
    },
    solver: loadSolver,
    checkInThread: async input => {
      started.push(input);
      if (threads === 'end early') {
        takeAll(input);
        throw new Error('the thread has no memory left');
      }
      const own = { readPack: world.readPack, absolute, policyEngine: outside.policyEngine };
      return structuredClone(await checkInThread(takeAll(input), own));
    },
    expandInThread: system => {
      started.push(system);
      return expanderHere(systemExpander(system), threads);
    },
    startServer: () => {
      said.out += '(server)';
    },
    ...outside,
  };
  const code = await runCli(argv, world);
  return { code, ...said, read, written, writtenBytes, threads: started.length };
}

/** What a thread is given, a copy of plain data, with all files for this one: those that it took, nobody else takes. */
function takeAll({ taken, ...input }: CheckingInput): CheckingInput {
  const first = Atomics.exchange(new Int32Array(taken), 0, input.files.length);
  const own = new SharedArrayBuffer(taken.byteLength);
  Atomics.store(new Int32Array(own), 0, first);
  return { ...structuredClone(input), taken: own };
}

function entryOf(path: string, files: ReadonlyMap<string, Files[string]>): PathEntry {
  const content = files.get(path);
  if (content === undefined) {
    return { kind: path === ROOT || [...files.keys()].some(it => it.startsWith(`${path}/`)) ? 'folder' : 'missing' };
  }
  if (typeof content === 'string' || content instanceof Uint8Array) {
    return { kind: 'file', bytes: bytesOf(content).length };
  }
  if (content.trouble === 'folder-denied') return { kind: 'folder' };
  return { kind: 'file', bytes: content.trouble === 'huge' ? 100 * 1024 * 1024 : 10 };
}

/** There are no links here. */
const isWithin = (path: string, bounds: Bounds): boolean =>
  bounds === 'anywhere' || bounds.some(it => path === it || path.startsWith(`${it}/`));

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}
