import type { FieldPath } from '../../manifest/fieldPath';
import type { ManifestFile } from '../../manifest/manifest';
import { lineStart } from '../../text/lineStart';
import type { Span } from '../../text/span';
import type { WorkspaceObject } from '../../workspace/object';
import type { FileEdit } from '../framework/problem';

/** Small readers of the text around a position, for edits. */

/** Thrown if a change cannot be made in the text without damage; the fix is then not offered. */
export class CannotEdit extends Error {}

/** An object with the file that contains it. */
export interface Written extends Pick<ManifestFile, 'text' | 'format'> {
  readonly object: WorkspaceObject;
  readonly file: ManifestFile;
}

export function edited({ object }: Written, span: Span, newText: string): FileEdit {
  return { uri: object.manifest.uri, span, newText };
}

export function isFlow({ text, object }: Written, path: FieldPath): boolean {
  const { start, end } = path.segments.length === 0 ? object.manifest.span : object.manifest.spanOf(path, 'value');
  return /^\s*(?:[&!]\S*\s+)*[[{]/.test(text.slice(start, Math.min(end, start + 200)));
}

/** A field on lines of its own. A value of several lines, or one that begins with a line break, goes below its key. */
export function entryText(name: string, value: string, indent: number): string {
  const pad = ' '.repeat(indent);
  const lines = value.replace(/^\n|\n$/g, '').split('\n');
  if (lines.length === 1 && !value.startsWith('\n')) return `${pad}${name}: ${value}`;
  return [`${pad}${name}:`, ...lines.map(line => (line === '' ? '' : `${pad}  ${line}`))].join('\n');
}

export function wholeLines(text: string, start: number, end: number): Span {
  if (end < text.length) return { start, end: end + 1 };
  return { start: Math.max(0, start - 1), end };
}

/** The end of an entry without the blank lines and comments that a parser may count as part of it. */
export function contentEnd(text: string, span: Span): number {
  const written = text.slice(span.start, span.end).trimEnd();
  return span.start + written.length;
}

export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
