import {
  type FoldingRange,
  FoldingRangeKind,
  type InlayHint,
  type DocumentSymbol as LspDocumentSymbol,
  type SelectionRange,
  SymbolKind,
  type WorkspaceSymbol,
} from 'vscode-languageserver/node';
import type {
  DocumentSymbol,
  FoldingRange as Fold,
  InlayHint as Hint,
  WorkspaceSymbol as ObjectSymbol,
} from '../analysis/analysis';
import type { LineIndex } from '../text/lineIndex';
import type { Span } from '../text/span';
import { type LinesByUri, toRange } from './convert';

const kinds: Readonly<Record<DocumentSymbol['kind'], SymbolKind>> = {
  object: SymbolKind.Class,
  mapping: SymbolKind.Module,
  list: SymbolKind.Array,
  scalar: SymbolKind.Field,
};

export function toDocumentSymbol(symbol: DocumentSymbol, lines: LineIndex): LspDocumentSymbol {
  return {
    name: symbol.name,
    detail: symbol.detail,
    kind: kinds[symbol.kind],
    range: toRange(symbol.span, lines),
    selectionRange: toRange(symbol.selection, lines),
    children: symbol.children.map(it => toDocumentSymbol(it, lines)),
  };
}

export function toWorkspaceSymbol({ name, container, uri, span }: ObjectSymbol, linesOf: LinesByUri): WorkspaceSymbol {
  return { name, containerName: container, kind: kinds.object, location: { uri, range: toRange(span, linesOf(uri)) } };
}

export function toFoldingRange({ startLine, endLine, kind }: Fold): FoldingRange {
  if (kind === 'comment') return { startLine, endLine, kind: FoldingRangeKind.Comment };
  return { startLine, endLine, ...(kind === 'document' && { kind: FoldingRangeKind.Region }) };
}

/** A chain from the innermost span outwards. */
export function toSelectionRange(spans: readonly Span[], at: number, lines: LineIndex): SelectionRange {
  const outermost: SelectionRange = { range: toRange({ start: at, end: at }, lines) };
  return (
    spans
      .toReversed()
      .reduce<SelectionRange | undefined>(
        (parent, span) => ({ range: toRange(span, lines), ...(parent && { parent }) }),
        undefined,
      ) ?? outermost
  );
}

export function toInlayHint({ offset, label, tooltip }: Hint, lines: LineIndex): InlayHint {
  return { position: lines.position(offset), label, paddingLeft: true, ...(tooltip && { tooltip }) };
}
