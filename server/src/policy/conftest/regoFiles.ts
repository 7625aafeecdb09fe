import { lazy } from '../../base/lazy';
import type { Snapshot } from '../../workspace/workspace';
import { PolicyStopped } from '../engine/engine';

/** The path that the engine uses for a file: absolute for file uris, else relative to the working directory. */
export function enginePath(uri: string): string {
  return uri.startsWith('file://') ? decodeURIComponent(uri.slice('file://'.length)) : uri;
}

/** The files that Rego may read: the YAML and JSON of the workspace, by path. */
export interface ReadableFiles {
  /** null: the workspace has no such file. */
  readonly textOf: (path: string) => string | null;
}

export function readableIn(files: Snapshot['files']): ReadableFiles {
  const byPath = lazy(() => new Map([...files.values()].map(it => [enginePath(it.uri), it])));
  return { textOf: path => byPath().get(path)?.text ?? null };
}

const READS = /\b(?:parse_config_file|parse_combined_config_files)\b/;

/** The first call of a function that reads files; undefined when there is none. */
export function readingCall(
  modules: ReadonlyMap<string, string>,
): { readonly uri: string; readonly span: { readonly start: number; readonly end: number } } | undefined {
  for (const [uri, text] of modules) {
    const found = READS.exec(text);
    if (found !== null) return { uri, span: { start: found.index, end: found.index + found[0].length } };
  }
  return undefined;
}

/** An evaluation that requests more files after this many rounds is treated as endless. */
const MAX_ROUNDS = 50;

/**
 * Evaluates, and repeats with the texts of the files that the evaluation requested. Only files of the workspace are
 * provided; `missing` is called with every other path. Throws PolicyStopped after MAX_ROUNDS rounds.
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
