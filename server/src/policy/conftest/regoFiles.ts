import { lazy } from '../../base/lazy';
import type { Snapshot } from '../../workspace/workspace';
import { PolicyStopped } from '../engine/engine';

/** Paths of files as the engine knows them: those of a disk, or from where the command line is. */
export function enginePath(uri: string): string {
  return uri.startsWith('file://') ? decodeURIComponent(uri.slice('file://'.length)) : uri;
}

/** What Rego may read of a workspace: the texts of its YAML and JSON, by path. */
export interface ReadableFiles {
  /** null: no such file is in the workspace. */
  readonly textOf: (path: string) => string | null;
}

export function readableIn(files: Snapshot['files']): ReadableFiles {
  const byPath = lazy(() => new Map([...files.values()].map(it => [enginePath(it.uri), it])));
  return { textOf: path => byPath().get(path)?.text ?? null };
}

const READS = /\b(?:parse_config_file|parse_combined_config_files)\b/;

/** Where Rego calls a function that reads files; undefined where it does not. */
export function readingCall(
  modules: ReadonlyMap<string, string>,
): { readonly uri: string; readonly span: { readonly start: number; readonly end: number } } | undefined {
  for (const [uri, text] of modules) {
    const found = READS.exec(text);
    if (found !== null) return { uri, span: { start: found.index, end: found.index + found[0].length } };
  }
  return undefined;
}

/** A question that after so many rounds asks for one more file asks for files without end. */
const MAX_ROUNDS = 50;

/**
 * Asks, and asks again with the texts of the files that were wanted meanwhile. Nothing but files of the workspace is
 * handed over. `missing` hears of each path that is none. Throws PolicyStopped where there is no end of files.
 */
export async function evaluateWithFiles<Answer extends { readonly wanted?: readonly string[] | null }>(
  files: ReadableFiles,
  missing: (path: string) => void,
  ask: (readable: Readonly<Record<string, string | null>>) => Promise<Answer>,
): Promise<Answer> {
  const readable = new Map<string, string | null>();
  for (let round = 0; ; round++) {
    const answer = await ask(Object.fromEntries(readable));
    const wanted = (answer.wanted ?? []).filter(it => !readable.has(it));
    if (wanted.length === 0) return answer;
    if (round >= MAX_ROUNDS) throw new PolicyStopped(`it reads more than ${MAX_ROUNDS} files one after the other`);
    for (const path of wanted) {
      const text = files.textOf(path);
      readable.set(path, text);
      if (text === null) missing(path);
    }
  }
}
