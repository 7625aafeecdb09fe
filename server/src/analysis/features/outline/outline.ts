import type { Span } from '../../../text/span';
import type { AnalysisContext } from '../../diagnostics/analysisContext';
import { type FoldingRange, foldingRangesOf } from './folding';
import { selectionRangesAt } from './selection';
import { type DocumentSymbol, documentSymbolsOf, type WorkspaceSymbol, workspaceSymbolsFor } from './symbols';

/** The structure of files. */
export interface Outline {
  documentSymbols(uri: string): readonly DocumentSymbol[];
  workspaceSymbols(query: string): readonly WorkspaceSymbol[];
  foldingRanges(uri: string): readonly FoldingRange[];
  /** The spans to which a selection at an offset expands, the smallest first. */
  selectionRanges(uri: string, offset: number): readonly Span[];
}

export const outline = ({ state: { files }, environmentOf }: AnalysisContext): Outline => ({
  documentSymbols: uri => documentSymbolsOf(environmentOf(uri).snapshot, uri),
  workspaceSymbols(query) {
    const objects = [...files.keys()].flatMap(uri => environmentOf(uri).written.objectsIn(uri));
    return workspaceSymbolsFor(objects, query);
  },
  foldingRanges(uri) {
    const file = files.get(uri);
    return file ? foldingRangesOf(file) : [];
  },
  selectionRanges: (uri, offset) => selectionRangesAt(environmentOf(uri).snapshot, uri, offset),
});
