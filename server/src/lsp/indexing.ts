import { type CancellationToken, type Connection, FileChangeType, type FileEvent } from 'vscode-languageserver/node';

import type { ChangedFile } from '../analysis/analysis';
import { isFileRead, ROLE_FILES } from '../analysis/metadata';
import { atOrBelow, isBelowOne } from './atOrBelow';

/** Which ignore files apply: those of the whole repository, or only those in open folders, where nothing above may be read. */
export type IgnoreScope = 'repository' | 'folders';

/** The open folders, by uri, and which ignore files apply in them. */
export interface OpenFolders {
  readonly folderUris: readonly string[];
  readonly scope: IgnoreScope;
}

/** Access to the disk. */
export interface FilesWorld {
  /**
   * Uris of all manifests below a folder, in chunks, without files that are ignored or usually irrelevant. Links to folders
   * are followed only for open folders.
   */
  readonly manifestsBelow: (folderUri: string, open: OpenFolders) => AsyncIterable<readonly string[]>;
  /** Whether `manifestsBelow` leaves out a file, or it is in none of the folders. The returned function caches ignore files. */
  readonly excludedFrom: (open: OpenFolders) => (uri: string) => Promise<boolean>;
  /** undefined: the file is missing, unreadable, or outside of the folders. */
  readonly readText: (uri: string, folderUris: readonly string[]) => Promise<string | undefined>;
  /** Resolves when received messages are handled. */
  readonly yieldToEventLoop: () => Promise<void>;
}

export interface IndexingOptions {
  readonly connection: Connection;
  readonly world: FilesWorld;
  readonly folders: () => readonly string[];
  readonly ignoreScope: () => IgnoreScope;
  /** An open document takes precedence over the file on disk. */
  readonly isOpen: (uri: string) => boolean;
  readonly isTyping: () => boolean;
  readonly knownUris: () => readonly string[];
  readonly canShowProgress: () => boolean;
  /** The files, parsed before they are added. */
  readonly parsed: (files: readonly ChangedFile[]) => readonly ChangedFile[];
  /** Adds files to the index without publishing their problems. */
  readonly index: (files: readonly ChangedFile[]) => void;
  /** Adds files to the index and publishes problems. */
  readonly take: (files: readonly ChangedFile[]) => void;
  /** Called with each piece of work; with the last one done, the index is up to date with the disk. */
  readonly onReading: (work: Promise<void>) => void;
  /** Called when all found files are in the index; `notice`: a sentence about files that are missing. */
  readonly done: (notice: string | undefined) => void;
}

/** Keeps the index up to date with the disk. Work is done one after the other, so that the newest text wins. */
export interface Indexing {
  readonly folderAdded: (folder: string) => Promise<void>;
  /**
   * Reads the kustomizations and charts around a document that was opened, which say what it is: a patch is no object. Without
   * them it would have problems of an object until its whole folder is read.
   */
  readonly opened: (uri: string) => Promise<void>;
  /** Resolves with the files that were read again or removed. */
  readonly filesChanged: (changes: readonly FileEvent[]) => Promise<readonly string[]>;
  /** A document was closed: the file on disk counts from now on. */
  readonly closed: (uri: string) => Promise<void>;
  /** Other files may be left out: those that are now are removed, and those that no longer are are read. */
  readonly othersLeftOut: () => Promise<void>;
}

/** Limits of one slice of reading and parsing, so that the event loop is free again soon, and sooner during typing. */
const SLICE = { files: 96, letters: 60_000, lettersDuringTyping: 12_000 };

/**
 * Adding files to the index takes a look at all that it has. This part of that is added at once, or so many letters: ten
 * repositories with 10,889 files took five times as long when each slice was added by itself.
 */
const BATCH = { part: 1 / 16, letters: 1_200_000 };

/** More files than these change together where a branch is switched: after each slice of them all that is open would be checked. */
const MANY = 200;

const isIgnoreFile = (uri: string): boolean => /\/\.(git|berth)ignore$/.test(uri);

export function createIndexing(given: IndexingOptions): Indexing {
  const { world, folders, isOpen } = given;
  // A document may have been opened while its file was read, and a folder closed.
  const fromDisk =
    (use: IndexingOptions['take']): IndexingOptions['take'] =>
    files =>
      use(files.filter(it => !isOpen(it.uri) && (it.text === undefined || isBelowOne(it.uri, folders()))));
  const options = { ...given, index: fromDisk(given.index), take: fromDisk(given.take) };
  const { take } = options;
  let last: Promise<void> = Promise.resolve();
  const told = { changes: 0 };
  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work, work);
    last = done.then(
      () => undefined,
      () => undefined,
    );
    given.onReading(last);
    return done;
  };
  return {
    folderAdded: folder => enqueue(() => readFolder(folder, options)),
    opened: uri => readAround(uri, options, () => told.changes),
    filesChanged(changes) {
      told.changes += 1;
      return enqueue(() => followChanges(changes, options));
    },
    closed: uri =>
      enqueue(async () => {
        const isOut = !isFileRead(uri) || (await world.excludedFrom(openFolders(options))(uri));
        const text = isOut ? undefined : await world.readText(uri, folders());
        take([{ uri, text }]);
      }),
    othersLeftOut: () => enqueue(() => sift(options)),
  };
}

/** @param changes how often files changed so far: what was read before the last time may be outdated. */
async function readAround(uri: string, options: IndexingOptions, changes: () => number): Promise<void> {
  const { world, folders, isOpen, knownUris, take } = options;
  const before = changes();
  const root = folders().find(it => uri.startsWith(`${it}/`));
  if (root === undefined) return;
  const known = new Set(knownUris());
  const isOut = world.excludedFrom(openFolders(options));
  const around = foldersUpTo(root, uri).flatMap(folder => ROLE_FILES.map(name => `${folder}/${name}`));
  const wanted = around.filter(it => !known.has(it) && !isOpen(it));
  const read = await Promise.all(
    wanted.map(async it => {
      const text = await world.readText(it, folders());
      return text === undefined || (await isOut(it)) ? [] : [{ uri: it, text }];
    }),
  );
  if (changes() !== before) return readAround(uri, options, changes);
  take(read.flat());
}

/** The folder of a file, and those above it up to the root. */
function foldersUpTo(root: string, uri: string): readonly string[] {
  const folder = uri.slice(0, uri.lastIndexOf('/'));
  return folder.length <= root.length ? [root] : [folder, ...foldersUpTo(root, folder)];
}

const openFolders = ({ folders, ignoreScope }: IndexingOptions): OpenFolders => ({
  folderUris: folders(),
  scope: ignoreScope(),
});

async function readFolder(folder: string, options: IndexingOptions): Promise<void> {
  const { world, connection, canShowProgress, done } = options;
  // A client may refuse to show it.
  const shown = canShowProgress() ? connection.window.createWorkDoneProgress() : undefined;
  const progress = await shown?.catch(() => undefined);
  progress?.begin('Berth', 0, 'looking for manifests', true);
  const uris: string[] = [];
  for await (const chunk of world.manifestsBelow(folder, openFolders(options))) {
    if (progress?.token.isCancellationRequested) break;
    for (const uri of chunk) uris.push(uri);
  }
  const report = (read: number): void =>
    progress?.report(Math.floor((100 * read) / uris.length), `${read} of ${uris.length} files`);
  const read = await readAll(uris, options, options.index, { ...(progress && { token: progress.token }), report });
  const isStopped = progress?.token.isCancellationRequested === true;
  progress?.done();
  const notice = `Reading ${folder} was stopped after ${read} of ${uris.length} files; what is in the others counts as not there.`;
  done(isStopped ? notice : undefined);
}

/**
 * Reads what is at the paths of events and below them. What an event says of a path may be outdated, and clients report them
 * in any order, so that the disk alone decides what is there.
 */
async function followChanges(changes: readonly FileEvent[], options: IndexingOptions): Promise<readonly string[]> {
  const { world, folders, knownUris, take } = options;
  const isOut = world.excludedFrom(openFolders(options));
  const paths = new Set(changes.map(it => it.uri));
  const removed = new Set(changes.filter(it => it.type === FileChangeType.Deleted).map(it => it.uri));
  const isGone = async (uri: string): Promise<boolean> =>
    removed.has(uri) && (await world.readText(uri, folders())) === undefined;
  const found = new Set<string>();
  for (const path of paths) {
    if (isFileRead(path) && !(await isOut(path)) && !(await isGone(path))) found.add(path);
    for await (const uris of manifestsAt(path, isOut, options))
      for (const uri of uris) if (!(await isOut(uri))) found.add(uri);
  }
  const isTouched = atOrBelow(paths);
  const lost = knownUris().filter(it => isTouched(it) && !found.has(it));
  if (lost.length > 0) take(lost.map(uri => ({ uri, text: undefined })));
  await readChanged([...found], options);
  if (changes.some(it => isIgnoreFile(it.uri))) await sift(options);
  return [...lost, ...found];
}

/** The manifests below a path, if that is a folder that is read. */
async function* manifestsAt(
  path: string,
  isOut: (uri: string) => Promise<boolean>,
  options: IndexingOptions,
): AsyncIterable<readonly string[]> {
  const { world } = options;
  const open = openFolders(options);
  if (!(await isOut(`${path}/folder.yaml`))) return yield* world.manifestsBelow(path, open);
  for (const folder of open.folderUris.filter(it => it.startsWith(`${path}/`)))
    yield* world.manifestsBelow(folder, open);
}

/** Adds and removes files after a change of what is left out. */
async function sift(options: IndexingOptions): Promise<void> {
  const { world, folders, knownUris, take } = options;
  const wanted = new Set<string>();
  for (const folder of folders()) {
    for await (const uris of world.manifestsBelow(folder, openFolders(options)))
      for (const uri of uris) wanted.add(uri);
  }
  const known = new Set(knownUris());
  const lost = [...known].filter(it => isBelowOne(it, folders()) && !wanted.has(it));
  if (lost.length > 0) take(lost.map(uri => ({ uri, text: undefined })));
  await readChanged(
    [...wanted].filter(it => !known.has(it)),
    options,
  );
}

/** Reads files that changed; of many, problems are published once all are read. */
async function readChanged(uris: readonly string[], options: IndexingOptions): Promise<void> {
  const { index, take, done } = options;
  if (uris.length <= MANY) return void (await readAll(uris, options, take));
  await readAll(uris, options, index);
  done(undefined);
}

interface Progress {
  readonly token?: CancellationToken;
  readonly report?: (read: number) => void;
}

/** Reads and parses files in slices, and hands them over in batches. Returns the number of files read. */
async function readAll(
  all: readonly string[],
  { world, folders, isOpen, isTyping, knownUris, parsed }: IndexingOptions,
  use: (files: readonly ChangedFile[]) => void,
  { token, report }: Progress = {},
): Promise<number> {
  const uris = roleFilesFirst(all);
  let known = knownUris().length;
  let batch: readonly ChangedFile[] = [];
  const isFull = (): boolean => {
    const letters = lettersOf(batch);
    const isSlice = letters > SLICE.letters || batch.length >= SLICE.files;
    return isSlice && (batch.length >= known * BATCH.part || letters > BATCH.letters);
  };
  const handOver = (): void => {
    if (batch.length === 0) return;
    use(batch);
    known += batch.length;
    batch = [];
  };
  for (let i = 0; i < uris.length; i += SLICE.files) {
    if (token?.isCancellationRequested) {
      handOver();
      return i;
    }
    const wanted = uris.slice(i, i + SLICE.files).filter(it => !isOpen(it));
    const read = await Promise.all(wanted.map(async uri => ({ uri, text: await world.readText(uri, folders()) })));
    for (let first = 0; first < read.length; ) {
      const slice = sliceOf(read, first, isTyping() ? SLICE.lettersDuringTyping : SLICE.letters);
      first += slice.length;
      batch = [...batch, ...parsed(slice)];
      if (isFull()) handOver();
      await world.yieldToEventLoop();
    }
    report?.(Math.min(uris.length, i + SLICE.files));
  }
  handOver();
  return uris.length;
}

const lettersOf = (files: readonly ChangedFile[]): number => files.reduce((sum, it) => sum + (it.text?.length ?? 0), 0);

/** The files from one on until they have more than so many letters; at least one. */
function sliceOf(files: readonly ChangedFile[], first: number, most: number): readonly ChangedFile[] {
  let letters = 0;
  const isLast = ({ text }: ChangedFile): boolean => {
    letters += text?.length ?? 0;
    return letters > most;
  };
  const last = files.findIndex((it, i) => i >= first && isLast(it));
  return files.slice(first, last < 0 ? undefined : last + 1);
}

const isRoleFile = (uri: string): boolean => ROLE_FILES.includes(uri.slice(uri.lastIndexOf('/') + 1));

/** What kustomizations and charts say of other files is known before these: else it would be worked out anew for each batch. */
function roleFilesFirst(uris: readonly string[]): readonly string[] {
  return [...uris.filter(isRoleFile), ...uris.filter(it => !isRoleFile(it))];
}
