import type { JsonValue } from '../../../base/json';
import { runAtEnd } from '../../../base/runAtEnd';
import type { FieldPath } from '../../../manifest/fieldPath';
import type { ManifestFile } from '../../../manifest/manifest';
import { reparseManifests } from '../../../manifest/reparse';
import { valueAt } from '../../../manifest/valueAt';
import { lineStartAfterAnyBreak, lineStart as lineStartOf } from '../../../text/lineStart';
import type { Span } from '../../../text/span';
import type { WorkspaceObject } from '../../../workspace/object';
import { type IsNamespaced, workspaceObject } from '../../../workspace/snapshot';

/** A placeholder for the typed word; it occurs in no manifest. */
export const STAND_IN = 'berthTypesHere';

/** The position of the caret in an object, found even in broken text. */
export interface TypedPlace {
  /** The object without the typed word. */
  readonly object: WorkspaceObject;
  /** key: a field of the mapping at `path`, or an item of the list there; value: the value at `path`. */
  readonly part: 'key' | 'value';
  readonly path: FieldPath;
  /** The span to replace: the word around the caret, with its quotes. */
  readonly span: Span;
  /** The part of the word before the caret, without a quote. */
  readonly typed: string;
  readonly quote: '' | '"' | "'";
  readonly style: 'block' | 'flow' | 'json';
  /** Whether a colon follows, so that only the key is replaced. */
  readonly hasColon: boolean;
  /** Text to insert before: a dash where an item of a list begins, or blanks to align with the item above. */
  readonly lead: '' | '- ' | '  ';
  /** The column of the word. */
  readonly column: number;
  /** The column of the first key in the line. */
  readonly keyColumn: number;
  /** The number of blanks before the word. */
  readonly gap: number;
}

interface Word {
  readonly span: Span;
  readonly quote: TypedPlace['quote'];
  readonly lineStart: number;
  /** The text of the line before the word. */
  readonly lead: string;
  readonly hasColon: boolean;
}

/**
 * The possible positions of the caret, the most likely first; none in comments, in blocks of text, or in the middle of a
 * value. A placeholder replaces the word around the caret, and parsing the text tells the path of the placeholder.
 */
export function typedPlaces(file: ManifestFile, caret: number, isNamespaced: IsNamespaced): readonly TypedPlace[] {
  const word = wordAt(file.text, caret);
  if (word === undefined) return [];
  const places = (attempts: readonly Attempt[]): readonly TypedPlace[] =>
    attempts.flatMap(it => placeOf(file, word, it, caret, isNamespaced));
  if (file.format === 'json') return places([flowAttempt(file.text, word)]);
  const inBrackets = isInBrackets(file.text, word) ? places([flowAttempt(file.text, word)]) : [];
  return inBrackets.length > 0 ? inBrackets : places(blockAttempts(file.text, word));
}

function placeOf(
  file: ManifestFile,
  word: Word,
  { before, after }: Attempt,
  caret: number,
  isNamespaced: IsNamespaced,
): readonly TypedPlace[] {
  const quoted = `${word.quote}${STAND_IN}${word.quote}`;
  const text = `${file.text.slice(0, word.span.start)}${before}${quoted}${after}${file.text.slice(word.span.end)}`;
  const at = word.span.start + before.length + word.quote.length;
  const found = find(reparseManifests(file, text), at, isNamespaced);
  if (found === undefined) return [];
  const typed = file.text.slice(word.span.start + word.quote.length, caret);
  const column = word.span.start - word.lineStart;
  const style: TypedPlace['style'] = file.format === 'json' ? 'json' : found.isFlow ? 'flow' : 'block';
  const { object, part, path } = found;
  const lead: TypedPlace['lead'] = before === '- ' || before === '  ' ? before : '';
  const place = { object, part, path, span: word.span, typed, quote: word.quote, style, column, lead };
  const keyColumn = /^[ \t]*(?:- +)*/.exec(word.lead)![0].length;
  const gap = runAtEnd(word.lead, /[ \t]/).length;
  return [{ ...place, hasColon: word.hasColon, keyColumn, gap }];
}

interface Attempt {
  readonly before: string;
  readonly after: string;
}

/** Text around the placeholder that makes it valid YAML. */
function blockAttempts(text: string, word: Word): readonly Attempt[] {
  if (!/^[ \t]*(?:- +)*$/.test(word.lead) || word.hasColon) return [{ before: '', after: '' }];
  const key: Attempt = { before: '', after: ':' };
  const goneOn: Attempt = { before: '  ', after: ':' };
  const item: Attempt = { before: '- ', after: ':' };
  switch (listAbove(text, word)) {
    case 'none':
      return [key];
    case 'deeper':
      return [goneOn, item];
    default:
      return [key, goneOn, item];
  }
}

/** A missing comma, so that the placeholder does not join its neighbours. */
function flowAttempt(text: string, { span, hasColon }: Word): Attempt {
  const previous = /(\S)\s*$/.exec(text.slice(Math.max(0, span.start - 500), span.start))?.[1] ?? '{';
  const next = /^\s*(\S)/.exec(text.slice(span.end, span.end + 500))?.[1] ?? '}';
  return {
    before: '{[,:'.includes(previous) ? '' : ', ',
    after: hasColon || ',]}:'.includes(next) ? '' : ',',
  };
}

/** Whether the line may be inside brackets of an earlier line, where no dash or colon is expected. */
function isInBrackets(text: string, { lineStart, lead }: Word): boolean {
  if (!/^[ \t]*$/.test(lead)) return false;
  const before = /([[{,])[ \t]*(?:\r?\n[ \t]*)+$/.exec(text.slice(Math.max(0, lineStart - 1000), lineStart));
  return before !== null && !/^[ \t]*#/.test(lineBefore(text, lineStart));
}

function lineBefore(text: string, lineStart: number): string {
  const end = Math.max(0, lineStart - 1);
  return text.slice(lineStartOf(text, end), end);
}

/**
 * Whether the nearest line above that is not indented deeper than the word is an item of a list in the word's column, and
 * whether that list is indented deeper than its key (else the word may be a key, too).
 */
function listAbove(text: string, { lineStart, lead }: Word): 'none' | 'level' | 'deeper' {
  if (lead.includes('-')) return 'none';
  let dashes = false;
  for (let end = lineStart - 1; end > 0; ) {
    const start = lineStartOf(text, end);
    const line = text.slice(start, end);
    end = start - 1;
    const indent = line.search(/[^ ]/);
    if (indent === -1 || line[indent] === '#' || line[indent] === '\r') continue;
    if (line.startsWith('---')) break;
    const onDash = /^-(?:\s|$)/.test(line.slice(indent));
    if (indent > lead.length || (dashes && indent === lead.length && onDash)) continue;
    if (indent < lead.length) {
      if (!dashes) return 'none';
      return /^ *(?:- +)*/.exec(line)![0].length === lead.length ? 'level' : 'deeper';
    }
    if (!onDash) return dashes ? 'level' : 'none';
    dashes = true;
  }
  return dashes ? 'level' : 'none';
}

interface Found extends Pick<TypedPlace, 'object' | 'part' | 'path'> {
  readonly isFlow: boolean;
}

function find(file: ManifestFile, at: number, isNamespaced: IsNamespaced): Found | undefined {
  for (const document of file.documents) {
    if (document.span.end < at || document.span.start > at) continue;
    for (const manifest of document.objects) {
      const inside = manifest.span.start <= at && at <= manifest.span.end ? manifest.pathAt(at) : undefined;
      if (inside === undefined) continue;
      const { path, part } = inside;
      const isKey = part === 'key' && path.segments.at(-1) === STAND_IN;
      if (!isKey && valueAt(manifest.value, path) !== STAND_IN) return undefined;
      const around = path.parent ?? path;
      const isFlow = '{['.includes(file.text[manifest.spanOf(around, 'value').start] ?? ' ');
      const object = workspaceObject(manifest, isNamespaced);
      return { object, part: isKey ? 'key' : 'value', path: isKey ? around : path, isFlow };
    }
  }
  return undefined;
}

/** The value of a field without the placeholder. */
export function written(place: TypedPlace, path: FieldPath = place.path): JsonValue | undefined {
  const value = valueAt(place.object.manifest.value, path);
  return value === STAND_IN ? undefined : value;
}

/** Names of the existing fields of the mapping at a path. */
export function writtenFields(place: TypedPlace, path: FieldPath = place.path): ReadonlySet<string> {
  const value = written(place, path);
  const keys = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  return new Set(keys.filter(it => it !== STAND_IN));
}

/** The existing values of a list of strings. */
export function writtenItems(place: TypedPlace, path: FieldPath): ReadonlySet<JsonValue> {
  const value = valueAt(place.object.manifest.value, path);
  return new Set(Array.isArray(value) ? (value as readonly JsonValue[]).filter(it => it !== STAND_IN) : []);
}

/** The word around the caret; undefined: in a comment or on a line of dashes. */
function wordAt(text: string, caret: number): Word | undefined {
  const lineStart = lineStartAfterAnyBreak(text, caret);
  const before = text.slice(lineStart, caret);
  const lineEnd = /[\r\n]|$/.exec(text.slice(caret))!.index + caret;
  const rest = text.slice(caret, lineEnd);
  const open = openQuote(before);
  if (open === 'comment') return undefined;
  const plain = runAtEnd(before, /[^\s[\]{},"']/);
  if (open === undefined && (/^(?:#|-+$|\.\.\.$)/.test(plain) || plain.startsWith('---'))) return undefined;
  const start = open === undefined ? caret - plain.length : lineStart + open;
  const quote = open === undefined ? '' : (before[open] as '"' | "'");
  const end = caret + (quote === '' ? endOfPlainWord(rest) : endOfQuoted(rest, quote));
  const hasColon = (quote === '' ? /^[ \t]*:(?:\s|$)/ : /^[ \t]*:/).test(text.slice(end, lineEnd));
  return { span: { start, end }, quote, lineStart, lead: text.slice(lineStart, start), hasColon };
}

function endOfPlainWord(rest: string): number {
  return /^(?:[^\s[\]{},"':]|:(?=[^\s[\]{},"']))*/.exec(rest)![0].length;
}

function endOfQuoted(rest: string, quote: string): number {
  const close = new RegExp(quote === '"' ? '^(?:[^"\\\\]|\\\\.)*?"' : "^(?:[^']|'')*?'").exec(rest);
  return close ? close[0].length : /^[^\s,\]}]*/.exec(rest)![0].length;
}

/** The index of the open quote at the end of a text; `comment`: the text ends in one. */
function openQuote(before: string): number | 'comment' | undefined {
  let open: number | undefined;
  for (let i = 0; i < before.length; i++) {
    const char = before[i]!;
    if (open !== undefined) {
      if (char === '\\' && before[open] === '"') i++;
      else if (char === before[open]) open = undefined;
    } else if ((char === '"' || char === "'") && /(?:^|[\s[{,:-])$/.test(before.slice(0, i))) open = i;
    else if (char === '#' && /(?:^|\s)$/.test(before.slice(0, i))) return 'comment';
  }
  return open;
}
