import type { ManifestFile, ManifestObject } from '../../manifest/manifest';
import { lineEnd } from '../../text/lineEnd';
import { lineStart } from '../../text/lineStart';
import type { Span } from '../../text/span';
import { resolveIn } from '../paths';
import type { Origin } from './kustomizeOrigin';

/**
 * The origin of a position in a chart's output: the line of the template with the same text, or the same key, if there
 * is only one; else the template's first line, else Chart.yaml.
 */
export function helmOrigin(
  { object, span }: { readonly object: ManifestObject; readonly span: Span },
  rendered: ManifestFile,
  chart: { readonly folder: string; readonly source: string },
  files: ReadonlyMap<string, ManifestFile>,
): Origin {
  const uri = templateOf(object, rendered, chart.folder);
  const template = uri === undefined ? undefined : files.get(uri);
  if (template === undefined) return { uri: chart.source, span: firstLine(files.get(chart.source)?.text ?? '') };
  const line = lineAt(rendered.text, span.start);
  const written = rendered.text.slice(line.start, line.end).trim();
  const key = /^(?:- )?[\w./-]+:(?=\s|$)/.exec(written)?.[0];
  const found =
    onlyLine(template.text, it => it === written) ?? (key && onlyLine(template.text, it => it.startsWith(key)));
  return { uri: template.uri, span: found || firstLine(template.text) };
}

/** helm writes the template of each document above it: `# Source: CHART/templates/x.yaml`. */
export function templateOf(
  { document }: ManifestObject,
  { text, documents }: ManifestFile,
  folder: string,
): string | undefined {
  const at = documents[document]?.span;
  const path = at && /^# Source: [^/\s]+\/(\S+)$/m.exec(text.slice(at.start, at.end))?.[1];
  return path === undefined ? undefined : resolveIn(folder, path);
}

/** The span of the only line that `isWanted` accepts, without its indentation. */
function onlyLine(text: string, isWanted: (line: string) => boolean): Span | undefined {
  const found: Span[] = [];
  for (let start = 0; start < text.length; ) {
    const { end } = lineAt(text, start);
    const line = text.slice(start, end);
    const trimmed = line.trim();
    if (trimmed !== '' && isWanted(trimmed)) {
      const from = start + line.indexOf(trimmed);
      found.push({ start: from, end: from + trimmed.length });
    }
    start = end + 1;
  }
  return found.length === 1 ? found[0] : undefined;
}

const lineAt = (text: string, offset: number): Span => ({
  start: lineStart(text, offset),
  end: lineEnd(text, offset),
});

const firstLine = (text: string): Span => lineAt(text, 0);
