import { TextDocument } from 'vscode-languageserver-textdocument';
import type { TextFile } from '../corpus';

/** What an editor and its disk hold at one moment. Paths are relative to the folder that is open. */
export interface World {
  readonly disk: ReadonlyMap<string, string>;
  /** Texts of open documents. */
  readonly open: ReadonlyMap<string, string>;
  /** Earlier texts of open documents, the last one at the end; what undo goes back to. */
  readonly past: ReadonlyMap<string, readonly string[]>;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly isTrusted: boolean;
}

/** One thing that a person, or the disk below, does. Everything that it needs is in it, so that it can be written down. */
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

/** The world after a step; undefined where the step cannot be done in it, as when an earlier one was left out. */
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
    case 'settings':
      return { ...world, settings: step.settings };
    case 'trust':
      return { ...world, isTrusted: step.isTrusted };
    case 'pause':
    case 'ask':
      return world;
  }
}

/** The change of an edit as LSP tells it, and the text after it, by the library that the server uses. */
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
