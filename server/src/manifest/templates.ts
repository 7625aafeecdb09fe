import type { JsonValue } from '../base/json';
import { lineEnd } from '../text/lineEnd';
import type { ManifestFile } from './manifest';

const OPENS_TEMPLATE = /\{\{|\{%|<%|\$\{/;
/** ytt has its code in comments; the values beside them are usually empty. */
const YTT = /^#@|^[ \t]*(?:- )?[\w./-]+:[ \t]+#@[ \t]/m;
/** What begins and ends a placeholder, on one line. */
const BRACKETS = [
  ['${', '}'],
  ['{{', '}}'],
  ['{%', '%}'],
  ['<%', '%>'],
] as const;
const VARIABLE = /^\$[A-Z_][A-Z0-9_]*$/;

/**
 * Whether a file is the source of a template rather than YAML: at the first syntax error, or on the line before it, a
 * template's code starts (Go templates, Jinja, ERB, `${…}`), or the file contains ytt's code. Such text inside a
 * readable value does not make the file a template: see `isPlaceholder`.
 */
export function isTemplateSource({ text, documents }: ManifestFile): boolean {
  if (text.includes('#@') && YTT.test(text)) return true;
  if (!OPENS_TEMPLATE.test(text)) return false;
  return documents.some(({ problems }) => {
    const first = problems.filter(it => it.severity === 'error').sort((a, b) => a.span.start - b.span.start)[0];
    return first !== undefined && OPENS_TEMPLATE.test(linesAt(text, first.span.start, first.span.end));
  });
}

/** Whether another tool replaces the value before the API server sees it (`${NAME}`, `{{ name }}`, `<% name %>`). */
export function isPlaceholder(value: JsonValue | undefined): boolean {
  if (typeof value !== 'string') return false;
  if (VARIABLE.test(value)) return true;
  return OPENS_TEMPLATE.test(value) && value.split(/[\n\r\u2028\u2029]/).some(holdsPlaceholder);
}

/** A regular expression would look for the end of each of thousands of beginnings; what the first one lacks all lack. */
const holdsPlaceholder = (line: string): boolean =>
  BRACKETS.some(([opens, closes]) => {
    const start = line.indexOf(opens);
    return start >= 0 && line.includes(closes, start + opens.length);
  });

/** The lines of a span, and the line before them. */
function linesAt(text: string, start: number, end: number): string {
  const lineStart = text.lastIndexOf('\n', start - 1);
  const before = lineStart < 0 ? 0 : text.lastIndexOf('\n', lineStart - 1) + 1;
  return text.slice(before, lineEnd(text, Math.max(end - 1, start)));
}
