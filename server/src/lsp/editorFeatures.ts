import {
  type CancellationToken,
  CodeActionKind,
  type CompletionList,
  type Connection,
  MarkupKind,
} from 'vscode-languageserver/node';
import type { DescribedField, Known } from '../analysis/analysis';
import type { LineIndex } from '../text/lineIndex';
import type { Span } from '../text/span';
import type { ClientSession } from './clientSession';
import { followAction, showGraphAction } from './commands';
import { toCodeAction, toRange } from './convert';
import { toCompletionList } from './convertCompletion';
import { toInlayHint } from './convertOutline';
import type { RequestContext } from './requestContext';

/** Capabilities of `serveEditorFeatures`. */
export const EDITOR_FEATURES = {
  hoverProvider: true,
  completionProvider: { resolveProvider: true, triggerCharacters: [' ', '"', "'", '/', '.'] },
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
  inlayHintProvider: true,
};

/** A hover or a list of quick fixes that has waited so long for placements goes without them. */
const PATIENCE_MILLISECONDS = 2_000;

/** So long waits a hover that tells no placement: what needs one are some problems alone. */
const SHORT_PATIENCE_MILLISECONDS = 200;

/** Serves hovers, completion, quick fixes and inlay hints. */
export function serveEditorFeatures(
  connection: Connection,
  { analysis, canonicalUri, linesOf, placementWork }: RequestContext,
  session: Pick<ClientSession, 'abilities' | 'hasStarted' | 'learnPages' | 'reading'>,
): void {
  /** Whether a file is placed and its problems are known, in the time that somebody waits for an answer. */
  const isPlacedInTime = (uri: string, token: CancellationToken, milliseconds: number): Promise<boolean> => {
    const isOver = placementWork.startTime(milliseconds);
    // While files are read nobody knows for how long.
    const isWanted = (): boolean => !token.isCancellationRequested && !isOver() && session.reading === undefined;
    return placementWork.diagnose(uri, isWanted);
  };

  const withoutPlacements = (): Known => {
    if (!session.hasStarted()) return 'unread';
    return placementWork.hasGivenUp() ? 'givenUp' : 'unplaced';
  };

  connection.onHover(async ({ textDocument, position }, token) => {
    const uri = canonicalUri(textDocument.uri);
    const before = linesOf(uri);
    if (!before) return null;
    const tellsPlacement = analysis().tellsPlacement(uri, before.offset(position));
    const patience = tellsPlacement ? PATIENCE_MILLISECONDS : SHORT_PATIENCE_MILLISECONDS;
    const isPlaced = await isPlacedInTime(uri, token, patience);
    const lines = linesOf(uri);
    if (token.isCancellationRequested || !lines) return null;
    session.learnPages();
    const hover = analysis().hover(uri, lines.offset(position), isPlaced ? 'placed' : withoutPlacements());
    if (!hover) return null;
    return { contents: { kind: MarkupKind.Markdown, value: hover.markdown }, range: toRange(hover.span, lines) };
  });

  connection.onCompletion(({ textDocument, position, context }): CompletionList | null => {
    const uri = canonicalUri(textDocument.uri);
    const lines = linesOf(uri);
    if (!lines) return null;
    session.learnPages();
    const completion = analysis().completion(uri, lines.offset(position), context?.triggerCharacter);
    return toCompletionList(completion, lines);
  });

  connection.onCompletionResolve(item => {
    const value = item.data && analysis().completionDocs(item.data as DescribedField);
    return value ? { ...item, documentation: { kind: MarkupKind.Markdown, value } } : item;
  });

  connection.onCodeAction(async ({ textDocument, range, context }, token) => {
    const uri = canonicalUri(textDocument.uri);
    if (context.only && !context.only.some(it => CodeActionKind.QuickFix.startsWith(it))) return [];
    const spanOf = (lines: LineIndex): Span => ({ start: lines.offset(range.start), end: lines.offset(range.end) });
    const isPlaced = await isPlacedInTime(uri, token, PATIENCE_MILLISECONDS);
    const isTried =
      isPlaced &&
      (await placementWork.runInSlices(
        function* (it) {
          yield* it.placing(uri);
          yield* it.diagnosticsInSteps(uri, 'whole');
          const lines = linesOf(uri);
          if (lines) yield* it.tryingFixes(uri, spanOf(lines));
          return true;
        },
        () => !token.isCancellationRequested && session.reading === undefined,
      ));
    if (token.isCancellationRequested) return null;
    const lines = linesOf(uri);
    if (!lines) return [];
    const span = spanOf(lines);
    const offered = analysis().fixes(uri, span, isTried ? 'placed' : withoutPlacements());
    const safeOnes = offered.filter(it => it.fix.safety === 'safe');
    const fixes = offered.map(({ problem, fix }) =>
      toCodeAction(problem, fix, { preferred: safeOnes.length === 1 }, linesOf),
    );
    const graphs = analysis()
      .findingsAt(uri, span)
      .flatMap(it => showGraphAction(it, session.abilities, linesOf));
    const followed = isTried ? analysis().followedAt(uri, span) : [];
    const ways = followed.flatMap(it => followAction(it, session.abilities, linesOf));
    return [...graphs, ...ways, ...fixes];
  });

  connection.languages.inlayHint.on(async ({ textDocument, range }, token) => {
    // They are requested again once all folders are read: before, nobody knows which nodes there are.
    if (!session.hasStarted() && session.abilities.refreshesHints) return null;
    const uri = canonicalUri(textDocument.uri);
    if (!(await placementWork.place(uri, () => !token.isCancellationRequested))) return null;
    const lines = linesOf(uri);
    if (!lines) return null;
    const [start, end] = [lines.offset(range.start), lines.offset(range.end)];
    const shown = analysis()
      .inlayHints(uri, { start, end })
      .filter(it => start <= it.offset && it.offset <= end);
    return shown.map(it => toInlayHint(it, lines));
  });
}
