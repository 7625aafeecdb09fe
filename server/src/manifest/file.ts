import type { JsonObject } from '../base/json';
import { ownSlice } from '../text/ownSlice';
import type { Span } from '../text/span';
import { type DocumentContent, readContent } from './content';
import type { DocumentPiece } from './documents';
import { entriesOf } from './entries';
import type { FieldPath, SpanPart } from './fieldPath';
import { has, type PathAt, pathAt, spanOf } from './locate';
import type { DuplicateKey, Entry, ManifestDocument, ManifestFile, ManifestObject, SyntaxProblem } from './manifest';
import type { ObjectContent, PlacedObject } from './objectContent';

/** A document of a parsed file with the content that it was made from, so that the next parse can reuse it. */
export interface ParsedDocument extends ManifestDocument {
  readonly content: DocumentContent;
}

export function isParsed(document: ManifestDocument): document is ParsedDocument {
  return 'content' in document;
}

/** Drops the trees of a file's objects; they are read again when a position is needed. */
export function forgetTrees({ documents }: ManifestFile): void {
  for (const it of documents.filter(isParsed)) for (const { content } of it.content.objects) content.tree.forget();
}

export const MAX_LENGTH = 32 * 1024 * 1024;

/**
 * Creates the document of some content at its position in a file. Objects that `before` has at the same position are
 * shared with it.
 */
export function placeDocument(
  uri: string,
  text: string,
  content: DocumentContent,
  piece: DocumentPiece,
  index: number,
  before?: ParsedDocument,
): ParsedDocument {
  const { start } = piece;
  const stray = strayText(text, piece);
  const problems = mapped(content.problems, it => ({
    code: it.code,
    message: it.message,
    span: shift({ start: it.start, end: it.end }, start),
    severity: it.severity,
    ...(it.more !== undefined && { more: it.more }),
  }));
  return {
    index,
    span: { start, end: piece.end },
    value: content.value,
    problems: stray === undefined ? problems : [...problems, stray],
    duplicateKeys: mapped(content.duplicates, it => placeDuplicate(it, start)),
    suppressions: mapped(content.suppressions, it => ({
      ...it,
      span: shift(it.span, start),
      target: shift(it.target, start),
    })),
    objects: placeObjects(uri, index, content, start, before),
    content,
  };
}

const NONE: readonly never[] = [];

/** `map` that makes no list where there is nothing: most lists of most documents are empty. */
function mapped<T, R>(all: readonly T[], make: (it: T) => R): readonly R[] {
  return all.length === 0 ? NONE : all.map(make);
}

function shift({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}

function placeDuplicate(duplicate: DuplicateKey, by: number): DuplicateKey {
  return { ...duplicate, span: shift(duplicate.span, by), first: shift(duplicate.first, by) };
}

function placeObjects(
  uri: string,
  document: number,
  { objects }: DocumentContent,
  start: number,
  before: ParsedDocument | undefined,
): readonly ManifestObject[] {
  if (objects.length === 0) return NONE;
  const known = before?.index === document && before.span.start === start ? before : undefined;
  const knownAt = (i: number, it: PlacedObject): ManifestObject | undefined =>
    known?.content.objects[i] === it ? known.objects[i] : undefined;
  return objects.map(
    (it, i) => knownAt(i, it) ?? new PlacedManifest(uri, document, it.item, it.content, start + it.offset),
  );
}

/** A class because a List may have 200,000 items, and an object with closures takes several times the memory. */
class PlacedManifest implements ManifestObject {
  constructor(
    readonly uri: string,
    readonly document: number,
    readonly item: number | undefined,
    readonly contentId: ObjectContent,
    /** The difference between offsets in the file and in the content. */
    private readonly by: number,
  ) {}

  get text(): string | undefined {
    return this.contentId.isApart ? this.contentId.tree.text : this.contentId.ownText;
  }

  get value(): JsonObject {
    return this.contentId.value;
  }

  get span(): Span {
    return shift(this.contentId.span, this.by);
  }

  spanOf(path: FieldPath, part: SpanPart): Span {
    return shift(spanOf(this.contentId.tree.get(), path, part), this.by);
  }

  pathAt(offset: number): PathAt | undefined {
    const tree = this.contentId.tree.get();
    const at = offset - this.by;
    return at < tree.root.start || at > tree.text.length ? undefined : pathAt(tree, at);
  }

  has(path: FieldPath): boolean {
    return has(this.contentId.tree.get(), path);
  }

  entries(): readonly Entry[] {
    return entriesOf(this.contentId.tree.get(), this.by);
  }
}

/** Text between `...` and the next `---`, which is ignored. */
function strayText(text: string, { contentEnd, end }: DocumentPiece): SyntaxProblem | undefined {
  if (contentEnd === end) return undefined;
  const match = /(?:^|\n)[ \t]*(?![%#])(\S[^\r\n]*)/.exec(text.slice(contentEnd + 3, end));
  if (match === null) return undefined;
  const start = contentEnd + 3 + match.index + match[0].length - match[1]!.length;
  const message = 'The document ended with ... above, so kubectl ignores this: begin a new document with ---.';
  return { code: 'syntax/after-end', message, span: { start, end: start + match[1]!.length }, severity: 'warning' };
}

/** How many nodes the aliases of a file may add; a single document may expand to as many. */
const MOST_ALIASED = 400_000;

/** The parsed file. What comes after documents whose aliases add too much is left out, and that is told. */
export function parsedFile(uri: string, text: string, documents: readonly ParsedDocument[]): ManifestFile {
  const file = { uri, text, format: formatOf(uri) };
  const rest = firstBeyond(documents);
  if (rest === undefined) return { ...file, documents, problems: [] };
  const message =
    'The aliases of this file expand to too much data, so it is left out from here on: write the values out, or split the file.';
  const span = { start: rest.span.start, end: rest.span.start + 1 };
  const problem: SyntaxProblem = { code: 'syntax/alias-limit', message, span, severity: 'error' };
  return { ...file, documents: documents.slice(0, rest.index), problems: [problem] };
}

function firstBeyond(documents: readonly ParsedDocument[]): ParsedDocument | undefined {
  let aliased = 0;
  return documents.find(({ index, content }) => {
    aliased += content.aliased;
    return index > 0 && aliased > MOST_ALIASED;
  });
}

/** A file that is not parsed, with the problem that explains why; undefined if it can be parsed. */
export function refuse(uri: string, text: string): ManifestFile | undefined {
  const refusal = refusalOf(text);
  return refusal === undefined ? undefined : { uri, text, format: formatOf(uri), documents: [], problems: [refusal] };
}

function refusalOf(text: string): SyntaxProblem | undefined {
  if (text.length > MAX_LENGTH) {
    const size = Math.ceil(text.length / 1024 / 1024);
    const message = `This file is not checked: it is ${size} MiB long, and files over 32 MiB are not read. Split it.`;
    return { code: 'syntax/too-large', message, span: { start: 0, end: 1 }, severity: 'error' };
  }
  const at = text.indexOf('\0');
  if (at === -1) return undefined;
  const message = 'This file is not checked: it holds NUL bytes, so it is binary or not encoded as UTF-8.';
  return { code: 'syntax/binary', message, span: { start: at, end: at + 1 }, severity: 'error' };
}

export function formatOf(uri: string): ManifestFile['format'] {
  return /\.json$/i.test(uri) ? 'json' : 'yaml';
}

/** Reads the document of a piece of an edited file, so that it keeps only its own text alive. */
export function readPiece(text: string, { start, contentEnd }: DocumentPiece): DocumentContent {
  return readContent(ownSlice(text, start, contentEnd));
}
