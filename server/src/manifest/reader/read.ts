import { t } from '../../base/l10n';
import { readEntriesOfMap, readItems, readRoot } from './block';
import type { YamlNode } from './node';
import { type ProblemLog, type ReaderState, report, startReading, TooDeep } from './reading';

/** The result of reading one document's text: its tree, as far as it could be read, and the errors of the text. */
export interface ReadDocument {
  readonly root: YamlNode | undefined;
  readonly problems: ProblemLog[];
  /** Offsets of the comments. */
  readonly comments: readonly number[];
  readonly hasAnchors: boolean;
  /** Whether there is a tab where indentation may be. */
  readonly hasTabs: boolean;
  /**
   * The ends of the block sequences that are fields of the root: the line of the next token, or the end of the text.
   */
  readonly ends: ReadonlyMap<YamlNode, number>;
}

/**
 * Reads the text of one document. Never throws: of broken text it reads as much as it can. Accepts what
 * go.yaml.in/yaml/v2 accepts, except that only LF and CR are line breaks. Written by hand: the `yaml` package does not
 * accept exactly what go-yaml v2 accepts, and cannot read a changed part of a document alone.
 */
export function readDocument(text: string): ReadDocument {
  return read(startReading(text), readRoot);
}

/**
 * Reads a text of items of the block sequence that is a field of a document's root. The root is the sequence; undefined
 * if the text contains anything else.
 */
export function readItemsAlone(text: string): ReadDocument {
  return read(startReading(text, 1), readItems);
}

/**
 * Reads a text of entries of a block mapping inside `depth` other collections. The root is the mapping; undefined if the
 * text contains anything else.
 */
export function readEntriesAlone(text: string, depth: number): ReadDocument {
  return read(startReading(text, depth), readEntriesOfMap);
}

function read(r: ReaderState, readFrom: (r: ReaderState) => YamlNode | undefined): ReadDocument {
  const { problems, comments, ends } = r;
  try {
    reportControlCharacter(r);
    const root = readFrom(r);
    return { root, problems, comments, hasAnchors: r.anchors.size > 0, hasTabs: r.tab !== -1, ends };
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    report(
      r,
      'syntax/too-deep',
      () => t('This is nested too deeply: more than 500 levels are not read.'),
      r.at,
      r.at + 1,
    );
    return { root: undefined, problems: problems.slice(-1), comments: [], hasAnchors: false, hasTabs: false, ends };
  }
}

const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/;

function reportControlCharacter(r: { readonly text: string; readonly problems: ProblemLog[] }): void {
  const at = r.text.search(CONTROL);
  if (at === -1) return;
  const code = r.text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  const message = `The control character U+${code} is not allowed in YAML: remove it, or write it as an escape in double quotes.`;
  r.problems.push({ code: 'syntax/control-character', message, start: at, end: at + 1, severity: 'error' });
}
