import type { FileChangeType } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { TextFile } from '../corpus';

/** The state of an editor and its disk. Paths are relative to the open folder. */
export interface World {
  readonly disk: ReadonlyMap<string, string>;
  /** Texts of open documents. */
  readonly open: ReadonlyMap<string, string>;
  /** Earlier texts of open documents, the latest last; undo returns to them. */
  readonly past: ReadonlyMap<string, readonly string[]>;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly isTrusted: boolean;
}

/** One action of a user or a change of the disk. It is self-contained, so that it can be written to a file. */
export type Step =
  | { readonly do: 'open' | 'close' | 'save' | 'delete'; readonly path: string }
  | {
      readonly do: 'edit';
      readonly path: string;
      readonly at: number;
      readonly remove: number;
      readonly insert: string;
    }
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  | { readonly do: 'rename'; readonly path: string; readonly to: string }
  /** All files below a folder, none of them open, are below another one. */
  | { readonly do: 'move'; readonly path: string; readonly to: string }
  /** An event about a path at which nothing changed, as clients report them late and twice. */
  | { readonly do: 'tell'; readonly path: string; readonly type: FileChangeType }
  | { readonly do: 'settings'; readonly settings: Readonly<Record<string, unknown>> }
  | { readonly do: 'trust'; readonly isTrusted: boolean }
  | { readonly do: 'pause'; readonly milliseconds: number }
  | { readonly do: 'ask'; readonly method: string; readonly path: string; readonly at: number; readonly seed: number };

const PAST = 12;

export const worldOf = (files: readonly TextFile[], isTrusted: boolean): World => ({
  disk: new Map(files.map(it => [it.path, it.text])),
  open: new Map(),
  past: new Map(),
  settings: {},
  isTrusted,
});

/** The world after a step; undefined when the step is impossible, for example because an earlier one was left out. */
export function after(world: World, step: Step): World | undefined {
  switch (step.do) {
    case 'open': {
      const text = world.disk.get(step.path);
      if (text === undefined || world.open.has(step.path)) return undefined;
      return { ...world, open: withEntry(world.open, step.path, text) };
    }
    case 'close':
      if (!world.open.has(step.path)) return undefined;
      return { ...world, open: without(world.open, step.path), past: without(world.past, step.path) };
    case 'save': {
      const text = world.open.get(step.path);
      return text === undefined ? undefined : { ...world, disk: withEntry(world.disk, step.path, text) };
    }
    case 'edit': {
      const text = world.open.get(step.path);
      if (text === undefined) return undefined;
      const past = [...(world.past.get(step.path) ?? []), text].slice(-PAST);
      return {
        ...world,
        open: withEntry(world.open, step.path, edited(text, step).after),
        past: withEntry(world.past, step.path, past),
      };
    }
    case 'write':
      return { ...world, disk: withEntry(world.disk, step.path, step.text) };
    case 'delete':
      return world.disk.has(step.path) ? { ...world, disk: without(world.disk, step.path) } : undefined;
    case 'rename': {
      const text = world.disk.get(step.path);
      if (text === undefined || world.disk.has(step.to) || world.open.has(step.to)) return undefined;
      const disk = withEntry(without(world.disk, step.path), step.to, text);
      const shown = world.open.get(step.path);
      if (shown === undefined) return { ...world, disk };
      const open = withEntry(without(world.open, step.path), step.to, shown);
      return { ...world, disk, open, past: without(world.past, step.path) };
    }
    case 'move': {
      const { moved, kept } = movedBelow(world.disk, step.path, step.to);
      const isBusy = [...world.open.keys()].some(it => it.startsWith(`${step.path}/`) || moved.has(it));
      const isTaken = [...moved.keys()].some(it => kept.has(it));
      if (moved.size === 0 || isBusy || isTaken) return undefined;
      return { ...world, disk: new Map([...kept, ...moved]) };
    }
    case 'settings':
      return { ...world, settings: step.settings };
    case 'trust':
      return { ...world, isTrusted: step.isTrusted };
    case 'pause':
    case 'tell':
    case 'ask':
      return world;
  }
}

/** The files of a disk that a folder takes along, under their new paths, and the others. */
export function movedBelow(disk: World['disk'], folder: string, to: string) {
  const isBelow = (path: string): boolean => path.startsWith(`${folder}/`);
  return {
    moved: new Map(
      [...disk].flatMap(([path, text]) => (isBelow(path) ? [[to + path.slice(folder.length), text]] : [])),
    ),
    kept: new Map([...disk].filter(([path]) => !isBelow(path))),
  };
}

/** An edit as LSP sends it, and the text after it according to the server's library. */
export function edited(text: string, { at, remove, insert }: Extract<Step, { do: 'edit' }>) {
  const document = TextDocument.create('', 'yaml', 1, text);
  const start = document.positionAt(at);
  const end = document.positionAt(Math.min(text.length, at + remove));
  const change = { range: { start, end }, text: insert };
  return { change, after: TextDocument.update(document, [change], 2).getText() };
}

function withEntry<V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> {
  return new Map(map).set(key, value);
}

function without<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  const res = new Map(map);
  res.delete(key);
  return res;
}
