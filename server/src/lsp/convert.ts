import {
  CodeAction,
  CodeActionKind,
  type CreateFile,
  type Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  type Range,
  type TextDocumentEdit,
  type TextEdit,
} from 'vscode-languageserver/node';
import { layersOf } from '../analysis/problems';
import { t } from '../base/l10n';
import type { FileEdit, Fix, Problem, RelatedLocation, Severity } from '../rules/framework/problem';
import type { LineIndex } from '../text/lineIndex';
import type { Span } from '../text/span';

/** The line index of a file's current text; undefined: the file is unknown. */
export type LinesByUri = (uri: string) => LineIndex | undefined;

const noRange: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

export function toRange(span: Span, lines: LineIndex | undefined): Range {
  return lines ? { start: lines.position(span.start), end: lines.position(span.end) } : noRange;
}

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

export function toDiagnostic(problem: Problem, linesOf: LinesByUri): Diagnostic {
  const related = relatedTo(problem);
  return {
    range: toRange(problem.span, linesOf(problem.uri)),
    severity: severities[problem.severity],
    source: 'berth',
    code: problem.code,
    message: withMore(problem),
    ...(problem.url && { codeDescription: { href: problem.url } }),
    ...(problem.unnecessary && { tags: [DiagnosticTag.Unnecessary] }),
    ...(related.length > 0 && {
      relatedInformation: related.map(it => ({
        location: { uri: it.uri, range: toRange(it.span, linesOf(it.uri)) },
        message: it.message,
      })),
    }),
  };
}

/** What stands behind the headline, a line each, at the place of the problem; then other places. */
function relatedTo(problem: Problem): readonly RelatedLocation[] {
  const { uri, span, related } = problem;
  const lines = layersOf(problem).detail?.split('\n') ?? [];
  return [...lines.filter(it => it.trim() !== '').map(message => ({ uri, span, message })), ...related];
}

/** The headline, with the number of similar problems that are not listed. */
function withMore(problem: Problem): string {
  const { headline } = layersOf(problem);
  const { more } = problem;
  return more === undefined ? headline : t`${headline} (and ${more.toLocaleString('en')} more in this file)`;
}

export function toCodeAction(
  problem: Problem | undefined,
  fix: Fix,
  choice: { readonly preferred: boolean },
  linesOf: LinesByUri,
): CodeAction {
  const created = (fix.newFiles ?? []).flatMap((file): (CreateFile | TextDocumentEdit)[] => [
    { kind: 'create', uri: file.uri, options: { ignoreIfExists: false, overwrite: false } },
    { textDocument: { uri: file.uri, version: null }, edits: [{ range: noRange, newText: file.text }] },
  ]);
  const documentChanges = [...created, ...toDocumentEdits(fix.edits, linesOf)];
  const action = CodeAction.create(fix.title, { documentChanges }, CodeActionKind.QuickFix);
  if (problem) action.diagnostics = [toDiagnostic(problem, linesOf)];
  if (choice.preferred && fix.safety === 'safe') action.isPreferred = true;
  return action;
}

/** One edit per file. */
export function toDocumentEdits(fileEdits: readonly FileEdit[], linesOf: LinesByUri): TextDocumentEdit[] {
  const byUri = new Map<string, TextEdit[]>();
  for (const edit of fileEdits) {
    const edits = byUri.get(edit.uri) ?? [];
    edits.push({ range: toRange(edit.span, linesOf(edit.uri)), newText: edit.newText });
    byUri.set(edit.uri, edits);
  }
  return [...byUri].map(([uri, edits]) => ({ textDocument: { uri, version: null }, edits }));
}
