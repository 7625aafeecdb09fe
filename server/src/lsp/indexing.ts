import { type CancellationToken, type Connection, FileChangeType, type FileEvent } from 'vscode-languageserver/node';

import { isFileRead } from '../analysis/metadata';

export interface FileText {
  readonly uri: string;
  /** undefined: it is gone. */
  readonly text: string | undefined;
}

/** Which ignore files count: all of the repository, or those in the open folders, where nothing above may be looked at. */
export type IgnoreScope = 'repository' | 'folders';

/** The folders that are open, by uri, and what is left out in them. */
export interface OpenFolders {
  readonly folderUris: readonly string[];
  readonly scope: IgnoreScope;
}

/** The disk as the server asks it. */
export interface FilesWorld {
  /**
   * Uris of all manifests below a folder, in chunks; what ignore files and habit leave out is not among them. A folder
   * that a link leads to is not entered, unless it is one of those that are open.
   */
  readonly manifestsBelow: (folderUri: string, open: OpenFolders) => AsyncIterable<readonly string[]>;
  /** Whether `manifestsBelow` would leave a file of some folders out, or it is in none; for one round of questions. */
  readonly excludedFrom: (open: OpenFolders) => (uri: string) => Promise<boolean>;
  /** undefined when it is gone, can't be read, or leads out of the folders. */
  readonly readText: (uri: string, folderUris: readonly string[]) => Promise<string | undefined>;
  /** Resolves when the messages that have come in are handled, and answered where somebody waits. */
  readonly yieldToEventLoop: () => Promise<void>;
}

export interface IndexingOptions {
  readonly connection: Connection;
  readonly world: FilesWorld;
  readonly folders: () => readonly string[];
  readonly ignoreScope: () => IgnoreScope;
  /** An open document wins over what the disk says. */
  readonly isOpen: (uri: string) => boolean;
  readonly isTyping: () => boolean;
  readonly knownUris: () => readonly string[];
  readonly canShowProgress: () => boolean;
  /** Takes files into the index; nothing is told of them yet. */
  readonly index: (files: readonly FileText[]) => void;
  /** Takes files into the index and tells what follows. */
  readonly take: (files: readonly FileText[]) => void;
  /** Everything that was found is in the index now; a sentence when that is not everything. */
  readonly done: (notice: string | undefined) => void;
}

/** Keeps the index in step with the disk. One piece of work is done after the other, so that the newest text wins. */
export interface Indexing {
  readonly folderAdded: (folder: string) => Promise<void>;
  readonly filesChanged: (changes: readonly FileEvent[]) => Promise<void>;
  /** A document was closed: from now on the disk speaks for it. */
  readonly closed: (uri: string) => Promise<void>;
}

/** One turn of reading and parsing: small enough that the loop is free again soon, and sooner where somebody types. */
const SLICE = { files: 24, letters: 60_000, lettersBesideTyping: 12_000 };

/** Most files have an extension, and most folders none. */
const mayBeFolder = (uri: string): boolean => !/\.[A-Za-z0-9]{1,5}$/.test(uri);
const isIgnoreFile = (uri: string): boolean => /\/\.(git|berth)ignore$/.test(uri);

export function createIndexing(options: IndexingOptions): Indexing {
  const { world, folders, isOpen, take } = options;
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work, work);
    return last;
  };
  return {
    folderAdded: folder => inTurn(() => readFolder(folder, options)),
    filesChanged: changes => inTurn(() => followChanges(changes, options)),
    closed: uri =>
      inTurn(async () => {
        const isOut = !isFileRead(uri) || (await world.excludedFrom(openFolders(options))(uri));
        const text = isOut ? undefined : await world.readText(uri, folders());
        if (!isOpen(uri)) take([{ uri, text }]);
      }),
  };
}

const openFolders = ({ folders, ignoreScope }: IndexingOptions): OpenFolders => ({
  folderUris: folders(),
  scope: ignoreScope(),
});

async function readFolder(folder: string, options: IndexingOptions): Promise<void> {
  const { world, connection, canShowProgress, done } = options;
  const progress = canShowProgress() ? await connection.window.createWorkDoneProgress() : undefined;
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

/** Whether a file went: itself, or with a folder, as a folder that goes is told as such and its files are not. */
export function goneWith(gone: readonly string[]): (uri: string) => boolean {
  const all = new Set(gone);
  return uri => {
    for (let end = uri.length; end > 0; end = uri.lastIndexOf('/', end - 1)) {
      if (all.has(uri.slice(0, end))) return true;
    }
    return false;
  };
}

async function followChanges(changes: readonly FileEvent[], options: IndexingOptions): Promise<void> {
  const { world, isOpen, knownUris, take } = options;
  const isOut = world.excludedFrom(openFolders(options));
  const gone = changes.filter(it => it.type === FileChangeType.Deleted).map(it => it.uri);
  const isGone = goneWith(gone);
  const lost = gone.length === 0 ? [] : knownUris().filter(it => isGone(it) && !isOpen(it));
  if (lost.length > 0) take(lost.map(uri => ({ uri, text: undefined })));
  const come = new Set<string>();
  const comes = async (uri: string): Promise<void> => {
    if (!isOpen(uri) && !(await isOut(uri))) come.add(uri);
  };
  for (const { uri, type } of changes) {
    if (type === FileChangeType.Deleted) continue;
    if (isFileRead(uri)) await comes(uri);
    // What is written into a folder at once with it, an editor may not have seen.
    else if (type === FileChangeType.Created && mayBeFolder(uri) && !(await isOut(`${uri}/folder.yaml`)))
      for await (const uris of world.manifestsBelow(uri, openFolders(options))) for (const it of uris) await comes(it);
  }
  await readAll([...come], options, take);
  if (changes.some(it => isIgnoreFile(it.uri))) await followIgnoreFiles(options);
}

/** What ignore files say changed: some files come, others go. */
async function followIgnoreFiles(options: IndexingOptions): Promise<void> {
  const { world, folders, isOpen, knownUris, take } = options;
  const wanted = new Set<string>();
  for (const folder of folders()) {
    for await (const uris of world.manifestsBelow(folder, openFolders(options)))
      for (const uri of uris) wanted.add(uri);
  }
  const known = new Set(knownUris());
  const isOfFolder = (uri: string): boolean => folders().some(it => uri.startsWith(`${it}/`));
  const lost = [...known].filter(it => isOfFolder(it) && !wanted.has(it) && !isOpen(it));
  if (lost.length > 0) take(lost.map(uri => ({ uri, text: undefined })));
  await readAll(
    [...wanted].filter(it => !known.has(it)),
    options,
    take,
  );
}

interface Watching {
  readonly token?: CancellationToken;
  readonly report?: (read: number) => void;
}

/** Reads files in turns and hands each turn over; gives how many were read. */
async function readAll(
  uris: readonly string[],
  { world, folders, isOpen, isTyping }: IndexingOptions,
  use: (files: readonly FileText[]) => void,
  { token, report }: Watching = {},
): Promise<number> {
  let turn: FileText[] = [];
  let letters = 0;
  const finishTurn = async (): Promise<void> => {
    // An editor may have opened one of them while it was read.
    use(turn.filter(it => !isOpen(it.uri)));
    turn = [];
    letters = 0;
    await world.yieldToEventLoop();
  };
  for (let i = 0; i < uris.length; i += SLICE.files) {
    if (token?.isCancellationRequested) return i;
    const wanted = uris.slice(i, i + SLICE.files).filter(it => !isOpen(it));
    const read = await Promise.all(wanted.map(async uri => ({ uri, text: await world.readText(uri, folders()) })));
    for (const it of read) {
      turn.push(it);
      letters += it.text?.length ?? 0;
      if (letters > (isTyping() ? SLICE.lettersBesideTyping : SLICE.letters)) await finishTurn();
    }
    if (turn.length > 0) await finishTurn();
    report?.(Math.min(uris.length, i + SLICE.files));
  }
  return uris.length;
}
