import type { JsonValue } from '../base/json';
import type { ManifestFile } from './manifest';

const OPENS_TEMPLATE = /\{\{|\{%|<%|\$\{/;
/** ytt writes its code in comments; what stands beside them is most often empty. */
const YTT = /^#@|^[ \t]*(?:- )?[\w./-]+:[ \t]+#@[ \t]/m;
const PLACEHOLDER = /\$\{[^}\n]*\}|\{\{.*?\}\}|\{%.*?%\}|<%.*?%>|^\$[A-Z_][A-Z0-9_]*$/;

/**
 * Whether a file is the source of a template rather than YAML: the first place that cannot be read, or the line before
 * it, opens a template's code (Go templates, Jinja, ERB, `${…}`), or ytt's code stands in it. Such text inside a value
 * that can be read makes no template of the file: see `isPlaceholder`.
 */
export function isTemplateSource({ text, documents }: ManifestFile): boolean {
  if (text.includes('#@') && YTT.test(text)) return true;
  if (!OPENS_TEMPLATE.test(text)) return false;
  return documents.some(({ problems }) => {
    const first = problems.filter(it => it.severity === 'error').sort((a, b) => a.span.start - b.span.start)[0];
    return first !== undefined && OPENS_TEMPLATE.test(linesAt(text, first.span.start, first.span.end));
  });
}

/** Whether a value is filled in by another tool before the API server sees it (`${NAME}`, `{{ name }}`, `<% name %>`). */
export function isPlaceholder(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && PLACEHOLDER.test(value);
}

/** The lines of a span, and the line before them. */
function linesAt(text: string, start: number, end: number): string {
  const lineStart = text.lastIndexOf('\n', start - 1);
  const before = lineStart < 0 ? 0 : text.lastIndexOf('\n', lineStart - 1) + 1;
  const lineEnd = text.indexOf('\n', Math.max(end - 1, start));
  return text.slice(before, lineEnd < 0 ? text.length : lineEnd);
}
